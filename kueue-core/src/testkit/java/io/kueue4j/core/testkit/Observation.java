package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The externally visible state of an engine, between two steps.
 *
 * @param clusterQueues its ClusterQueues by name
 * @param localQueues its LocalQueues by {@code namespace/name}; empty without admission fair
 *     sharing
 */
public record Observation(
    SortedMap<String, QueueObservation> clusterQueues,
    SortedMap<String, LocalQueueObservation> localQueues) {
  /** Copies what it is given. */
  public Observation {
    clusterQueues = ImmutableSortedMap.copyOf(clusterQueues);
    localQueues = ImmutableSortedMap.copyOf(localQueues);
  }

  /** Creates an observation of an engine without admission fair sharing. */
  public Observation(SortedMap<String, QueueObservation> clusterQueues) {
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
   * @param reserving the workloads of {@code holding} that may not run yet: they wait for admission
   *     checks or placement
   * @param pending the workloads that the next cycles try, in order of service
   * @param inadmissible the workloads that wait for a change, in order of service
   */
  public record QueueObservation(
      boolean active,
      SortedMap<String, Long> usage,
      SortedSet<WorkloadId> holding,
      SortedSet<WorkloadId> stopping,
      SortedSet<WorkloadId> reserving,
      List<WorkloadId> pending,
      List<WorkloadId> inadmissible) {
    /**
     * Creates an observation of a queue without admission checks: all workloads with quota may run.
     */
    public QueueObservation(
        boolean active,
        SortedMap<String, Long> usage,
        SortedSet<WorkloadId> holding,
        SortedSet<WorkloadId> stopping,
        List<WorkloadId> pending,
        List<WorkloadId> inadmissible) {
      this(active, usage, holding, stopping, ImmutableSortedSet.of(), pending, inadmissible);
    }

    /** Creates an observation without usages of 0. */
    public QueueObservation {
      usage = ImmutableSortedMap.copyOf(usage);
      holding = ImmutableSortedSet.copyOf(holding);
      stopping = ImmutableSortedSet.copyOf(stopping);
      reserving = ImmutableSortedSet.copyOf(reserving);
      pending = ImmutableList.copyOf(pending);
      inadmissible = ImmutableList.copyOf(inadmissible);
      usage = ImmutableSortedMap.copyOfSorted(Maps.filterValues(usage, amount -> amount != 0));
    }
  }
}
