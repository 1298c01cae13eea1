package io.kueue4j.core.testkit;

/**
 * The violation of an invariant.
 *
 * @param invariant the invariant
 * @param step the index of the step after which it is violated, or the number of steps if it
 *     concerns the whole scenario
 * @param message a description, with amounts
 */
public record Violation(Invariant invariant, int step, String message) {
  /** {@return a description of the violation} */
  @Override
  public String toString() {
    return invariant + " does not hold after step " + step + ": " + message;
  }
}
