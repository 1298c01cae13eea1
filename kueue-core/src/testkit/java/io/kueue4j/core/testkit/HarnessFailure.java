package io.kueue4j.core.testkit;

/**
 * A failure of an engine in a scenario.
 *
 * @param cause the kind of failure: the name of an {@link Invariant}, {@link #DIVERGENCE} or
 *     {@link #EXCEPTION}
 * @param step the index of the step at which it was detected
 * @param message a description, with amounts
 * @param scenario a scenario that reproduces it
 */
public record HarnessFailure(String cause, int step, String message, Scenario scenario) {
  /** The cause if the engine decides otherwise than the reference. */
  public static final String DIVERGENCE = "DIVERGENCE";

  /** The cause if the engine threw an exception that is not a rejection. */
  public static final String EXCEPTION = "EXCEPTION";

  static HarnessFailure of(Violation violation, Scenario scenario) {
    return new HarnessFailure(
        violation.invariant().name(), violation.step(), violation.message(), scenario);
  }

  /** {@return the description, and the line that {@link Scenario#parse} reads} */
  @Override
  public String toString() {
    return cause + " after step " + step + ": " + message + "\nreproduce with: " + scenario;
  }
}
