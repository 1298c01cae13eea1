package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/**
 * What one scheduling cycle did with the first workload of each ClusterQueue.
 *
 * @param admitted what may start, in the order in which it was admitted
 * @param preempted what was told to stop, for workloads that wait for it now
 * @param pending what was tried and waits on, with reasons
 * @param replaced admissions in force of which pods go to other nodes than before, because theirs
 *     have failed
 * @param evicted what was told to stop, though not for another workload
 * @param finishedSlices slices of elastic jobs that are over since the last cycle because another
 *     slice of the job goes on, most because it was admitted in this one
 */
public record CycleResult(
    ImmutableList<Admission> admitted,
    ImmutableList<PreemptionVictim> preempted,
    ImmutableList<AdmissionResult.Pending> pending,
    ImmutableList<Admission> replaced,
    ImmutableList<Eviction> evicted,
    ImmutableList<FinishedSlice> finishedSlices) {

  /** {@return whether there was nothing to try, and nothing to do about failed nodes} */
  public boolean isIdle() {
    return admitted.isEmpty()
        && pending.isEmpty()
        && replaced.isEmpty()
        && evicted.isEmpty()
        && finishedSlices.isEmpty();
  }
}
