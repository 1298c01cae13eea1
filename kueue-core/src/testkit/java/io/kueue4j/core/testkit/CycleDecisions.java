package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

/**
 * What one scheduling cycle decided.
 *
 * @param admitted what has its quota: first what may start, in the order in which it was admitted,
 *     then what waits for admission checks or places
 * @param evictions who was told to stop in this cycle, in the order in which they were told
 * @param waiting what was tried and waits on
 * @param replaced admissions in force of which pods have moved off nodes that failed
 * @param stopped the workloads evicted because there was no other place than a failed node
 */
public record CycleDecisions(
    ImmutableList<Admission> admitted,
    ImmutableList<Eviction> evictions,
    ImmutableSortedSet<WorkloadId> waiting,
    ImmutableList<Admission> replaced,
    ImmutableSortedSet<WorkloadId> stopped) {
  /** Creates the decisions of a cycle in which no nodes had failed. */
  public CycleDecisions(
      ImmutableList<Admission> admitted,
      ImmutableList<Eviction> evictions,
      ImmutableSortedSet<WorkloadId> waiting) {
    this(admitted, evictions, waiting, ImmutableList.of(), ImmutableSortedSet.of());
  }

  /** {@return whether there was nothing to try, and nothing else to tell} */
  public boolean isIdle() {
    return admitted.isEmpty() && waiting.isEmpty() && replaced.isEmpty() && stopped.isEmpty();
  }
}
