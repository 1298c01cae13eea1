package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;
import java.util.List;

/**
 * Queues, and workloads that arrive at them.
 *
 * @param name the name
 * @param configuration the queues
 * @param arrivals the workloads in the order of their arrival
 */
public record ArrivalTrace(
    String name, List<ConfigObject> configuration, ImmutableList<Arrival> arrivals) {
  /** {@return the trace that {@code configuration} describes} */
  public static ArrivalTrace of(TraceConfiguration configuration) {
    return TraceGenerator.generate(configuration);
  }

  /**
   * The arrival of a workload.
   *
   * @param atMillis the time since the start
   * @param runMillis its run time after the admission
   * @param sizeClass the class of its statistics
   * @param workload the workload
   */
  public record Arrival(long atMillis, long runMillis, String sizeClass, Workload workload) {}
}
