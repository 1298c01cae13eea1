package io.kueue4j.core.internal.preemption;

import org.jspecify.annotations.Nullable;

/**
 * Reads the candidates of one list lazily, in order.
 *
 * @param <C> the type of candidates
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

  /** {@return the next candidate, null at the end; the same one until {@link #pass}} */
  final @Nullable C peek() {
    if (next == null && !ended) {
      next = read();
      ended = next == null;
    }
    return next;
  }

  /** Moves past the candidate that {@link #peek} returned. */
  final void pass() {
    next = null;
  }

  /** {@return another candidate, null at the end} */
  protected abstract @Nullable C read();
}
