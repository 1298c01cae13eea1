package io.kueue4j.core.queue;

/** Why a workload goes back to its queue after an attempt. Rules: U-13. */
public enum RequeueReason {
  /** It could not be looked at. */
  GENERIC(false, false),
  /** Its namespace is not for the queue. */
  NAMESPACE_MISMATCH(false, false),
  /** It did not fit. */
  NO_FIT(false, true),
  /** It did not fit and nothing could be preempted. */
  PREEMPTION_NO_CANDIDATES(false, true),
  /** It could preempt and must not. */
  PREEMPTION_GATED(false, false),
  /** It waits for its victims to stop. */
  PENDING_PREEMPTION(true, false),
  /** It waits for another variant of its workload to stop. */
  PENDING_MIGRATION(true, false),
  /** It fitted, but others were served first. */
  FAILED_AFTER_NOMINATION(true, false);

  private final boolean immediate;
  private final boolean holdsForShape;

  RequeueReason(boolean immediate, boolean holdsForShape) {
    this.immediate = immediate;
    this.holdsForShape = holdsForShape;
  }

  /** {@return whether its queue waits with it until others have stopped; rule U-10} */
  boolean waitsForOthers() {
    return this == PENDING_PREEMPTION || this == PENDING_MIGRATION;
  }

  /** {@return whether it may be tried again in the next cycle under any strategy} */
  boolean isImmediate() {
    return immediate;
  }

  /** {@return whether every workload of the same shape would have ended the same way} */
  boolean holdsForShape() {
    return holdsForShape;
  }
}
