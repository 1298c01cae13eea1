package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

/**
 * What one scheduling cycle decided.
 *
 * @param admitted what may start, in the order in which it was admitted
 * @param evictions who was told to stop in this cycle, in the order in which they were told
 * @param waiting what was tried and waits on
 */
public record CycleDecisions(
    ImmutableList<Admission> admitted,
    ImmutableList<Eviction> evictions,
    ImmutableSortedSet<WorkloadId> waiting) {
  /** {@return whether there was nothing to try} */
  public boolean isIdle() {
    return admitted.isEmpty() && waiting.isEmpty();
  }
}
