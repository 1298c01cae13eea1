package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * The externally visible state of an engine, between two steps.
 *
 * @param clusterQueues its ClusterQueues by name
 * @param localQueues its LocalQueues by {@code namespace/name}; empty without admission fair
 *     sharing
 */
public record Observation(
    ImmutableSortedMap<String, QueueObservation> clusterQueues,
    ImmutableSortedMap<String, LocalQueueObservation> localQueues) {
  /** Creates an observation of an engine without admission fair sharing. */
  public Observation(ImmutableSortedMap<String, QueueObservation> clusterQueues) {
    this(clusterQueues, ImmutableSortedMap.of());
  }

  /**
   * The usage of a LocalQueue for admission fair sharing.
   *
   * @param consumed its usage history; empty if it never took part
   * @param fairSharingUsage history and penalties as one number: the LocalQueue with the lowest is
   *     served first
   */
  public record LocalQueueObservation(Optional<ConsumedUsage> consumed, double fairSharingUsage) {}

  /**
   * The externally visible state of a ClusterQueue.
   *
   * @param active whether it takes part in scheduling
   * @param usage its usage, by {@code flavor/resource}; milli-units of cpu, whole units of every
   *     other resource; zeros are absent
   * @param holding the workloads with its quota
   * @param stopping the evicted ones among them
   * @param reserving those of {@code holding} that may not run yet: they wait for admission checks
   *     or placement
   * @param pending the workloads that the next cycles try, in order of service
   * @param inadmissible the workloads that wait for a change, in order of service
   */
  public record QueueObservation(
      boolean active,
      ImmutableSortedMap<String, Long> usage,
      ImmutableSortedSet<WorkloadId> holding,
      ImmutableSortedSet<WorkloadId> stopping,
      ImmutableSortedSet<WorkloadId> reserving,
      ImmutableList<WorkloadId> pending,
      ImmutableList<WorkloadId> inadmissible) {
    /**
     * Creates an observation of a queue without admission checks: all workloads with quota may run.
     */
    public QueueObservation(
        boolean active,
        ImmutableSortedMap<String, Long> usage,
        ImmutableSortedSet<WorkloadId> holding,
        ImmutableSortedSet<WorkloadId> stopping,
        ImmutableList<WorkloadId> pending,
        ImmutableList<WorkloadId> inadmissible) {
      this(active, usage, holding, stopping, ImmutableSortedSet.of(), pending, inadmissible);
    }

    /** Creates an observation without usages of 0. */
    public QueueObservation {
      usage = ImmutableSortedMap.copyOfSorted(Maps.filterValues(usage, amount -> amount != 0));
    }
  }
}
