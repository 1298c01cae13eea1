package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.FlavorFungibility.Preference;

/**
 * How an amount fits in a flavor.
 *
 * <p>Rules: F-2, F-21.
 *
 * @param mode what is required
 * @param level the height of borrowing, 0 is best
 */
record PairFit(Mode mode, int level) {
  /** What is required to fit, worst first. */
  enum Mode {
    NO_FIT,
    NO_CANDIDATES,
    PREEMPT,
    RECLAIM,
    FIT
  }

  static final PairFit BEST = new PairFit(Mode.FIT, 0);

  /** F-21. */
  boolean isBetterThan(PairFit other, Preference preference) {
    if (rank() != other.rank()) {
      return rank() > other.rank();
    }
    if (mode == Mode.NO_FIT) {
      return false;
    }
    int byMode = mode.compareTo(other.mode);
    int byLevel = Integer.compare(other.level, level);
    boolean modeFirst = preference == Preference.BORROWING_OVER_PREEMPTION;
    int first = modeFirst ? byMode : byLevel;
    return (first != 0 ? first : modeFirst ? byLevel : byMode) > 0;
  }

  private int rank() {
    return switch (mode) {
      case NO_FIT -> 0;
      case NO_CANDIDATES -> 1;
      case PREEMPT, RECLAIM, FIT -> 2;
    };
  }
}
