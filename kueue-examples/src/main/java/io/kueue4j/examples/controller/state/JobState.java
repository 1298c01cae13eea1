package io.kueue4j.examples.controller.state;

/** The state of a job in the controller. */
public enum JobState {
  /** The controller does not manage it. */
  UNMANAGED("Unmanaged"),
  /** It violates rules, so that it cannot be converted to a workload. */
  INVALID("Invalid"),
  /** It is not queued: a policy, the engine or the server rejects it. */
  REFUSED("Refused"),
  /** It waits for quota. */
  PENDING("Pending"),
  /** It holds quota and waits for admission checks. */
  RESERVED("Reserved"),
  /** It holds quota and may run. */
  ADMITTED("Admitted"),
  /** It was evicted, and holds its quota until its pods are gone. */
  STOPPING("Stopping"),
  /** It has finished, successfully or not. */
  FINISHED("Finished");

  private final String text;

  JobState(String text) {
    this.text = text;
  }

  /** {@return the state in one word} */
  @Override
  public String toString() {
    return text;
  }
}
