package io.kueue4j.core.preemption;

import org.jspecify.annotations.Nullable;

/**
 * Reads candidates of one list in order, each when it is asked for.
 *
 * @param <C> what a candidate is
 */
abstract class CandidateWalk<C> {
  private @Nullable C next;
  private boolean ended;

  /** {@return a walk over no candidates} */
  static <C> CandidateWalk<C> empty() {
    return new CandidateWalk<>() {
      @Override
      protected @Nullable C read() {
        return null;
      }
    };
  }

  /** {@return the next candidate, null at the end; the same until it is passed} */
  final @Nullable C peek() {
    if (next == null && !ended) {
      next = read();
      ended = next == null;
    }
    return next;
  }

  /** Goes on to the one after that which {@link #peek} returned. */
  final void pass() {
    next = null;
  }

  /** {@return one more candidate, null at the end} */
  protected abstract @Nullable C read();
}
