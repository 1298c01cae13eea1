package io.kueue4j.core.testkit;

/**
 * That an invariant does not hold.
 *
 * @param invariant the invariant
 * @param step the index of the step after which it does not hold, or the number of steps if it
 *     takes the whole scenario to see
 * @param message what was found, with figures
 */
public record Violation(Invariant invariant, int step, String message) {
  /** {@return the violation in words} */
  @Override
  public String toString() {
    return invariant + " does not hold after step " + step + ": " + message;
  }
}
