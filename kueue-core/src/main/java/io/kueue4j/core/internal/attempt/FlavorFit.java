package io.kueue4j.core.internal.attempt;

/**
 * How well a request fits a flavor: a mode and a borrow level, packed into one int.
 *
 * <p>Rules: F-2, F-21.
 */
public final class FlavorFit {
  /** The request does not fit, and preemption cannot help. */
  public static final int NO_FIT = 0;
  /** The request does not fit, and no workload can be preempted. */
  public static final int NO_CANDIDATES = 1;
  /** The request fits after preemption that includes workloads of its own queue. */
  public static final int PREEMPT = 2;
  /** The request fits after other queues return borrowed quota. */
  public static final int RECLAIM = 3;
  /** It fits. */
  public static final int FIT = 4;

  /** The best fit: without preemption and borrowing. */
  public static final int BEST = of(FIT, 0);

  private static final int LEVEL_BITS = 24;
  private static final int LEVEL_MASK = (1 << LEVEL_BITS) - 1;

  private FlavorFit() {}

  /** {@return the fit with a mode and a borrow level} */
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
  public static boolean isBetter(int fit, int other, boolean preemptionOverBorrowing) {
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

  /**
   * {@return the rank of a mode regardless of the preference}: no fit is worst, then no candidates,
   * then the others
   */
  private static int kind(int mode) {
    return Math.min(mode, PREEMPT);
  }
}
