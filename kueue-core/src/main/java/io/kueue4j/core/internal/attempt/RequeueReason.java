package io.kueue4j.core.internal.attempt;

/** Why a workload stays in its queue after an attempt. Rules: U-13, PS-8. */
public enum RequeueReason {
  /** The workload could not be evaluated. */
  GENERIC,
  /** The namespace of the workload does not match the queue. */
  NAMESPACE_MISMATCH,
  /** The workload did not fit. */
  NO_FIT,
  /** The workload did not fit, and no workload could be preempted for it. */
  PREEMPTION_NO_CANDIDATES,
  /** The workload needs to preempt others, but a preemption gate is closed. */
  PREEMPTION_GATED,
  /** The workload waits for its victims to stop. */
  PENDING_PREEMPTION,
  /** The variant waits for another variant of its workload to stop. */
  PENDING_MIGRATION,
  /** The workload would delay a promised start. */
  DELAYS_PROMISE,
  /** The workload was nominated, but lost to earlier entries of the cycle. */
  FAILED_AFTER_NOMINATION;

  /** {@return whether the queue waits with the workload until others have stopped; rule U-10} */
  public boolean waitsForOthers() {
    return this == PENDING_PREEMPTION || this == PENDING_MIGRATION;
  }

  /** {@return whether the workload may be tried again in the next cycle under any strategy} */
  public boolean isImmediate() {
    return waitsForOthers() || this == FAILED_AFTER_NOMINATION;
  }

  /** {@return whether every workload of the same shape would have ended the same way} */
  public boolean holdsForShape() {
    return this == NO_FIT || this == PREEMPTION_NO_CANDIDATES;
  }
}
