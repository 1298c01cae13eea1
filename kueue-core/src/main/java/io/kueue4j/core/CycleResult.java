package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

/**
 * What one scheduling cycle did with the first workload of each ClusterQueue.
 *
 * @param admitted what may start, in the order in which it was admitted
 * @param reserved what was given quota but may not start yet: it waits for admission checks, or for
 *     a place for its pods
 * @param preempted what was told to stop, for workloads that wait for it now; variants that were
 *     preempted while their workload did not run on them have stopped already and are not among
 *     them
 * @param pending what was tried and waits on, with reasons
 * @param replaced admissions in force of which pods go to other nodes than before, because theirs
 *     have failed
 * @param evicted what was told to stop, though not for another workload
 * @param suspended what is not to start, or not to go on, before it is admitted again; see
 *     {@link LifecycleChanges}
 * @param finishedSlices slices of elastic jobs that are over since the last cycle because another
 *     slice of the job goes on, most because it was admitted in this one
 */
public record CycleResult(
    ImmutableList<Admission> admitted,
    ImmutableList<Admission> reserved,
    ImmutableList<PreemptionVictim> preempted,
    ImmutableList<AdmissionResult.Pending> pending,
    ImmutableList<Admission> replaced,
    ImmutableList<Eviction> evicted,
    ImmutableList<WorkloadId> suspended,
    ImmutableList<FinishedSlice> finishedSlices) {

  /** {@return whether there was nothing to try, and nothing else to tell} */
  public boolean isIdle() {
    return admitted.isEmpty()
        && reserved.isEmpty()
        && pending.isEmpty()
        && replaced.isEmpty()
        && evicted.isEmpty()
        && suspended.isEmpty()
        && finishedSlices.isEmpty();
  }
}
