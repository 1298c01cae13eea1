package io.kueue4j.core.testkit.reference;

/**
 * Why a workload that was tried goes back to its queue.
 *
 * <p>Rules: U-12, U-13.
 */
enum RequeueReason {
  /** It cannot be looked at. */
  GENERIC(false),
  /** Its namespace may not use the queue. */
  NAMESPACE_MISMATCH(false),
  /** No flavor has room. */
  NO_FIT(false),
  /** There is room after preemption, but nobody to preempt. */
  PREEMPTION_NO_CANDIDATES(false),
  /** There is somebody to preempt, but it must not (L-25). */
  PREEMPTION_GATED(false),
  /** It waits for others to stop. */
  PENDING_PREEMPTION(true),
  /** Another workload of the cycle was faster. */
  FAILED_AFTER_NOMINATION(true);

  /** Whether it is tried again at once in a queue that does not wait for its head. */
  final boolean isImmediate;

  RequeueReason(boolean isImmediate) {
    this.isImmediate = isImmediate;
  }

  /** U-15: whether one of the same shape would fare no better. */
  boolean holdsForShape() {
    return this == NO_FIT || this == PREEMPTION_NO_CANDIDATES;
  }
}
