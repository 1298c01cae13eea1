package io.kueue4j.core.preemption;

import org.jspecify.annotations.Nullable;

/** Reads candidates of one list in order, each when it is asked for. */
abstract class CandidateWalk {
  /** A list of nobody. */
  static final CandidateWalk EMPTY = new CandidateWalk() {
    @Override
    protected @Nullable ClassicalCandidate read() {
      return null;
    }
  };

  private @Nullable ClassicalCandidate next;
  private boolean ended;

  /** {@return the next candidate, null at the end; the same until it is passed} */
  final @Nullable ClassicalCandidate peek() {
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
  protected abstract @Nullable ClassicalCandidate read();
}
