package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.SortedSet;

/**
 * The decisions of one scheduling cycle.
 *
 * @param admitted the workloads with reserved quota: first those that may start, in the order of
 *     admission, then those that wait for admission checks or placement
 * @param evictions the workloads evicted in this cycle, in order
 * @param waiting the workloads that were tried and stay pending
 * @param replaced current admissions with pods moved off failed nodes
 * @param stopped the workloads evicted because the pods of a failed node had no other place
 */
public record CycleDecisions(
    List<Admission> admitted,
    List<ObservedPreemption> evictions,
    SortedSet<WorkloadId> waiting,
    List<Admission> replaced,
    SortedSet<WorkloadId> stopped) {
  /** Copies what it is given. */
  public CycleDecisions {
    admitted = ImmutableList.copyOf(admitted);
    evictions = ImmutableList.copyOf(evictions);
    waiting = ImmutableSortedSet.copyOf(waiting);
    replaced = ImmutableList.copyOf(replaced);
    stopped = ImmutableSortedSet.copyOf(stopped);
  }

  /** Creates the decisions of a cycle without failed nodes. */
  public CycleDecisions(
      List<Admission> admitted, List<ObservedPreemption> evictions, SortedSet<WorkloadId> waiting) {
    this(admitted, evictions, waiting, ImmutableList.of(), ImmutableSortedSet.of());
  }

  /** {@return whether there was nothing to try, and nothing else to report} */
  public boolean isIdle() {
    return admitted.isEmpty() && waiting.isEmpty() && replaced.isEmpty() && stopped.isEmpty();
  }
}
