package io.kueue4j.examples.trace;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Topology;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
import io.kueue4j.examples.trace.TraceConfiguration.Level;
import io.kueue4j.examples.trace.TraceConfiguration.NodeTree;
import io.kueue4j.examples.trace.TraceConfiguration.Placement;
import io.kueue4j.examples.trace.TraceConfiguration.QueuesSet;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadClass;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadsSet;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** The configurations for which Kueue publishes scheduling times. */
public enum PublishedTraces {
  /** 30 queues in 5 cohorts, 15,000 workloads. */
  BASELINE(
      5,
      6,
      arriving(350, 100, "small", 200, 50, 1),
      arriving(100, 500, "medium", 500, 100, 5),
      arriving(50, 1200, "large", 1000, 200, 20)),
  /** 1,000 queues in 10 cohorts, 50,000 workloads. */
  LARGE(
      10,
      100,
      arriving(35, 60, "small", 150, 50, 1),
      arriving(11, 300, "medium", 350, 100, 5),
      arriving(4, 700, "large", 700, 200, 20)),
  /** The queues and workloads of {@link #BASELINE}, of several pods each, on 640 nodes. */
  TAS(
      5,
      6,
      Topologies.BLOCK_OF_TEN_RACKS,
      placed(350, 100, "small", 200, 50, 2, "500m"),
      placed(100, 500, "medium", 500, 100, 4, "1250m"),
      placed(50, 1200, "large", 1000, 200, 8, "2500m"));

  private final TraceConfiguration configuration;

  PublishedTraces(int cohorts, int queuesPerCohort, WorkloadsSet... workloads) {
    this(cohorts, queuesPerCohort, Optional.empty(), workloads);
  }

  PublishedTraces(
      int cohorts, int queuesPerCohort, Optional<NodeTree> topology, WorkloadsSet... workloads) {
    QueuesSet queues = new QueuesSet(
        "cq",
        queuesPerCohort,
        "20",
        Optional.of("100"),
        Preemption.Policy.ANY,
        Preemption.Policy.LOWER_PRIORITY,
        ImmutableList.copyOf(workloads));
    this.configuration = new TraceConfiguration(
        Ascii.toLowerCase(name()),
        topology,
        ImmutableList.of(new CohortClass("cohort", cohorts, ImmutableList.of(queues))));
  }

  private static WorkloadsSet arriving(
      int count, long everyMillis, String name, long runMillis, int priority, int cores) {
    return new WorkloadsSet(
        count,
        everyMillis,
        ImmutableList.of(new WorkloadClass(
            name, runMillis, priority, String.valueOf(cores), 1, ImmutableList.of())));
  }

  /**
   * Of three workloads in turn, one requires a rack, one prefers a rack, and one prefers it with
   * two slices.
   */
  private static WorkloadsSet placed(
      int count,
      long everyMillis,
      String name,
      long runMillis,
      int priority,
      int podCount,
      String cores) {
    ImmutableList<Placement> placements = ImmutableList.of(
        new Placement(true, Topologies.RACK, OptionalInt.empty()),
        new Placement(false, Topologies.RACK, OptionalInt.empty()),
        new Placement(false, Topologies.RACK, OptionalInt.of(podCount / 2)));
    return new WorkloadsSet(
        count,
        everyMillis,
        ImmutableList.of(
            new WorkloadClass(name, runMillis, priority, cores, podCount, placements)));
  }

  /** The values of the enum's constants, which they could not refer to in the enum itself. */
  private static final class Topologies {
    static final String RACK = "topology.example.com/rack";
    static final Optional<NodeTree> BLOCK_OF_TEN_RACKS = Optional.of(new NodeTree(
        "dc",
        ImmutableList.of(
            new Level("b", "topology.example.com/block", 1),
            new Level("r", RACK, 10),
            new Level("n", Topology.HOSTNAME, 64)),
        ImmutableMap.of("cpu", "96", "memory", "256Gi", "pods", "110")));

    private Topologies() {}
  }

  /** {@return the configuration with that name, ignoring case, if there is one} */
  public static Optional<PublishedTraces> named(String name) {
    return Arrays.stream(values())
        .filter(trace -> Ascii.equalsIgnoreCase(trace.name(), name))
        .findFirst();
  }

  /** {@return the configuration} */
  public TraceConfiguration configuration() {
    return configuration;
  }

  /** {@return the trace} */
  public ArrivalTrace trace() {
    return ArrivalTrace.of(configuration);
  }
}
