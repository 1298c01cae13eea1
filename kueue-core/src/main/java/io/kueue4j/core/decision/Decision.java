package io.kueue4j.core.decision;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

/**
 * One thing that an engine has decided about one workload.
 *
 * <p>Calls return decisions and an {@link EngineListener} receives them, as the same values:
 *
 * <ul>
 *   <li>{@link AdmissionResult}: it may start, holds quota, or waits, with reasons
 *   <li>{@link PreemptionVictim}: it has to stop for another workload
 *   <li>{@link Eviction}: it has to stop for another reason, or was deactivated
 *   <li>{@link Suspension}: it must not go on, and nothing is to be reported about its pods
 *   <li>{@link Replacement}: its pods go to other nodes
 *   <li>{@link FinishedSlice}: an elastic slice has left, another slice of its job goes on
 * </ul>
 *
 * @since 0.1.0
 */
public sealed interface Decision
    permits AdmissionResult,
        PreemptionVictim,
        Eviction,
        Decision.Suspension,
        Decision.Replacement,
        FinishedSlice {
  /** {@return the workload that the decision is about} */
  WorkloadId workload();

  /**
   * A workload that must not start, or not go on, before it is admitted again. It holds no quota;
   * nothing is to be reported when its pods have stopped.
   *
   * @param workload the workload
   * @since 0.1.0
   */
  record Suspension(WorkloadId workload) implements Decision {}

  /**
   * A running workload whose pods go to other nodes than before, because a node of theirs has
   * failed.
   *
   * @param admission the admission in force from now on
   * @since 0.1.0
   */
  record Replacement(Admission admission) implements Decision {
    @Override
    public WorkloadId workload() {
      return admission.workload();
    }
  }
}
