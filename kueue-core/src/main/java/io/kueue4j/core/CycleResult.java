package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/**
 * What one scheduling cycle did with the first workload of each ClusterQueue.
 *
 * @param admitted what may start, in the order in which it was admitted
 * @param preempted what was told to stop, for workloads that wait for it now
 * @param pending what was tried and waits on, with reasons
 */
public record CycleResult(
    ImmutableList<Admission> admitted,
    ImmutableList<PreemptionVictim> preempted,
    ImmutableList<AdmissionResult.Pending> pending) {
  static final CycleResult IDLE =
      new CycleResult(ImmutableList.of(), ImmutableList.of(), ImmutableList.of());

  /** {@return whether there was nothing to try} */
  public boolean isIdle() {
    return admitted.isEmpty() && pending.isEmpty();
  }
}
