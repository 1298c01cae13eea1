package io.kueue4j.core.testkit.reference;

/**
 * Why a tried workload is requeued.
 *
 * <p>Rules: U-12, U-13.
 */
enum RequeueReason {
  /** It cannot be tried. */
  GENERIC(false),
  /** Its namespace may not use the queue. */
  NAMESPACE_MISMATCH(false),
  /** No flavor fits. */
  NO_FIT(false),
  /** It would fit after preemption, but there are no candidates. */
  PREEMPTION_NO_CANDIDATES(false),
  /** It has victims, but must not preempt (L-25). */
  PREEMPTION_GATED(false),
  /** It waits for its victims. */
  PENDING_PREEMPTION(true),
  /** Another workload of the cycle was admitted first. */
  FAILED_AFTER_NOMINATION(true);

  /** Whether it is retried at once in a queue that does not wait for its head. */
  final boolean isImmediate;

  RequeueReason(boolean isImmediate) {
    this.isImmediate = isImmediate;
  }

  /** U-15: whether every workload of the same shape would have the same result. */
  boolean holdsForShape() {
    return this == NO_FIT || this == PREEMPTION_NO_CANDIDATES;
  }
}
