package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/** What a cycle has done so far, to be told when it is over. */
final class CycleReport {
  final ImmutableList.Builder<Admission> reserved = ImmutableList.builder();
  final ImmutableList.Builder<PreemptionVictim> preempted = ImmutableList.builder();
  final ImmutableList.Builder<AdmissionResult.Pending> pending = ImmutableList.builder();

  /**
   * {@return the report, with what was decided beside: changes, other places for pods, and slices
   * that are over}
   */
  CycleResult toResult(
      LifecycleChanges changes,
      ImmutableList<Admission> replaced,
      ImmutableList<FinishedSlice> finishedSlices) {
    return new CycleResult(
        changes.admitted(),
        reserved.build(),
        preempted.build(),
        pending.build(),
        replaced,
        changes.evicted(),
        changes.suspended(),
        finishedSlices);
  }
}
