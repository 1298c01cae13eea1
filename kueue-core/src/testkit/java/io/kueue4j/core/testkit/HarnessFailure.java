package io.kueue4j.core.testkit;

/**
 * That an engine did wrong in a scenario.
 *
 * @param cause what kind of wrong: the name of an {@link Invariant}, {@link #DIVERGENCE} or
 *     {@link #EXCEPTION}
 * @param step the index of the step at which it was seen
 * @param message what was seen, with figures
 * @param scenario a scenario that shows it
 */
public record HarnessFailure(String cause, int step, String message, Scenario scenario) {
  /** The cause if the engine decides otherwise than the one that it is compared with. */
  public static final String DIVERGENCE = "DIVERGENCE";

  /** The cause if the engine threw an exception that is no refusal. */
  public static final String EXCEPTION = "EXCEPTION";

  static HarnessFailure of(Violation violation, Scenario scenario) {
    return new HarnessFailure(
        violation.invariant().name(), violation.step(), violation.message(), scenario);
  }

  /** {@return what was seen, and the line that {@link Scenario#parse} plays again} */
  @Override
  public String toString() {
    return cause + " after step " + step + ": " + message + "\nreproduce with: " + scenario;
  }
}
