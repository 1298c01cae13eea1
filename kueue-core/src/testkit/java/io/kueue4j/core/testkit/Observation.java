package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * What an engine looks like from outside, between two steps.
 *
 * @param clusterQueues its ClusterQueues by name
 * @param localQueues its LocalQueues by {@code namespace/name}; empty where what they have used is
 *     not remembered
 */
public record Observation(
    ImmutableSortedMap<String, QueueObservation> clusterQueues,
    ImmutableSortedMap<String, LocalQueueObservation> localQueues) {
  /** Creates an observation of an engine that does not remember what LocalQueues have used. */
  public Observation(ImmutableSortedMap<String, QueueObservation> clusterQueues) {
    this(clusterQueues, ImmutableSortedMap.of());
  }

  /**
   * What a LocalQueue has used, for admission fair sharing.
   *
   * @param consumed what it has used over time; absent if it never took part
   * @param fairSharingUsage that and its penalties in one figure: the LocalQueue with the lowest is
   *     served first
   */
  public record LocalQueueObservation(Optional<ConsumedUsage> consumed, double fairSharingUsage) {}

  /**
   * What a ClusterQueue looks like from outside.
   *
   * @param active whether it takes part in scheduling
   * @param usage what is in use, by {@code flavor/resource}; milli-units of cpu, whole units of
   *     everything else; what is 0 is left out
   * @param holding the workloads that hold its quota
   * @param stopping those of them that were told to stop
   * @param reserving those of {@code holding} that may not run yet: they wait for admission checks,
   *     or for places of their pods
   * @param pending the workloads that coming cycles try, in order of service
   * @param inadmissible the workloads that wait for something to change, in order of service
   */
  public record QueueObservation(
      boolean active,
      ImmutableSortedMap<String, Long> usage,
      ImmutableSortedSet<WorkloadId> holding,
      ImmutableSortedSet<WorkloadId> stopping,
      ImmutableSortedSet<WorkloadId> reserving,
      ImmutableList<WorkloadId> pending,
      ImmutableList<WorkloadId> inadmissible) {
    /** Creates an observation of a queue without admission checks: who holds quota may run. */
    public QueueObservation(
        boolean active,
        ImmutableSortedMap<String, Long> usage,
        ImmutableSortedSet<WorkloadId> holding,
        ImmutableSortedSet<WorkloadId> stopping,
        ImmutableList<WorkloadId> pending,
        ImmutableList<WorkloadId> inadmissible) {
      this(active, usage, holding, stopping, ImmutableSortedSet.of(), pending, inadmissible);
    }

    /** Creates an observation without the usages that are 0. */
    public QueueObservation {
      usage = ImmutableSortedMap.copyOfSorted(Maps.filterValues(usage, amount -> amount != 0));
    }
  }
}
