package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Workload;

/**
 * Queues, and workloads that arrive at them.
 *
 * @param configuration the queues
 * @param arrivals the workloads in the order of their arrival
 */
public record Trace(ImmutableList<ConfigObject> configuration, ImmutableList<Arrival> arrivals) {
  /**
   * A workload that arrives.
   *
   * @param atMillis when, counted from the start
   * @param runMillis how long it runs once admitted
   * @param sizeClass what it is counted under
   * @param workload the workload
   */
  public record Arrival(long atMillis, long runMillis, String sizeClass, Workload workload) {}
}
