package io.kueue4j.core.simulation;

import java.util.function.IntPredicate;

/** Counts the samples of all parts of an estimation until no more are wanted. Thread-safe. */
final class SampleProgress {
  private final IntPredicate progress;
  private int done;
  private int endedParts;
  private boolean isWanted = true;

  /**
   * Creates one that has counted none.
   *
   * @param progress receives the number of samples after each of them, one call at a time, and
   *     returns whether more are wanted
   */
  SampleProgress(IntPredicate progress) {
    this.progress = progress;
  }

  /** {@return whether another sample is wanted} */
  synchronized boolean isWanted() {
    return isWanted;
  }

  /** Counts a sample. */
  synchronized void count() {
    done++;
    isWanted &= progress.test(done);
  }

  /** Counts a part that was run to its end. */
  synchronized void endPart() {
    endedParts++;
  }

  /** {@return the number of parts that were run to their end} */
  synchronized int endedParts() {
    return endedParts;
  }

  /** {@return the number of samples} */
  synchronized int done() {
    return done;
  }
}
