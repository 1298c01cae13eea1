package io.kueue4j.core.flavor;

/**
 * How well a request fits a flavor: a mode and a borrow level, packed into one int.
 *
 * <p>Rules: F-2, F-21.
 */
public final class FlavorFit {
  /** It does not fit, and nothing would help. */
  public static final int NO_FIT = 0;
  /** It does not fit, and nothing can be preempted. */
  public static final int NO_CANDIDATES = 1;
  /** It fits after preemption in its own queue, among others. */
  public static final int PREEMPT = 2;
  /** It fits after others give back what they borrowed. */
  public static final int RECLAIM = 3;
  /** It fits. */
  public static final int FIT = 4;

  /** It fits without borrowing: nothing is better. */
  static final int BEST = of(FIT, 0);

  private static final int LEVEL_BITS = 24;
  private static final int LEVEL_MASK = (1 << LEVEL_BITS) - 1;

  private FlavorFit() {}

  /** {@return mode and borrow level in one} */
  public static int of(int mode, int level) {
    return (mode << LEVEL_BITS) | level;
  }

  /** {@return the mode} */
  public static int mode(int fit) {
    return fit >> LEVEL_BITS;
  }

  /** {@return the borrow level, 0 for no borrowing} */
  public static int level(int fit) {
    return fit & LEVEL_MASK;
  }

  /** {@return whether {@code fit} is better than {@code other}} */
  static boolean isBetter(int fit, int other, boolean preemptionOverBorrowing) {
    int kind = kind(mode(fit));
    int otherKind = kind(mode(other));
    if (kind != otherKind) {
      return kind > otherKind;
    }
    int byMode = Integer.compare(mode(fit), mode(other));
    int byLevel = Integer.compare(level(other), level(fit));
    int first = preemptionOverBorrowing ? byLevel : byMode;
    return first != 0 ? first > 0 : (preemptionOverBorrowing ? byMode : byLevel) > 0;
  }

  /** Whatever the preference, no fit is worst, then no candidates, then the rest. */
  private static int kind(int mode) {
    return Math.min(mode, PREEMPT);
  }
}
