package io.kueue4j.core.testkit;

/**
 * The characteristics of a scenario, from its first step to its last.
 *
 * @param isTight whether workloads are so small that some fit and some do not, and amounts match
 *     limits exactly
 * @param isTimely whether time passes between steps, so that workloads differ in age
 * @param isTied whether workloads are created at the same time
 * @param isRising whether later workloads tend to have higher priority
 * @param isCrowded whether there are few LocalQueues for many workloads, all in one namespace
 * @param steps the minimum number of steps
 */
record Temper(
    boolean isTight,
    boolean isTimely,
    boolean isTied,
    boolean isRising,
    boolean isCrowded,
    int steps) {
  /** {@return a temper for scenarios of at most {@code most} steps} */
  static Temper of(Dice dice, int most) {
    return new Temper(
        !dice.oneIn(6),
        dice.oneIn(2),
        dice.oneIn(3),
        dice.oneIn(2),
        dice.oneIn(2),
        dice.oneIn(2) ? most : dice.between((most + 1) / 2, most));
  }
}
