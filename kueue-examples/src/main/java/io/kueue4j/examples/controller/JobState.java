package io.kueue4j.examples.controller;

/** Where a job stands with the controller. */
public enum JobState {
  /** It is none of the controller's business. */
  UNMANAGED("Unmanaged"),
  /** It breaks rules of its own, so that no workload can be made of it. */
  INVALID("Invalid"),
  /** It is not queued: a policy, the engine or the server does not want it as it is. */
  REFUSED("Refused"),
  /** It waits for quota. */
  PENDING("Pending"),
  /** It holds quota and waits for admission checks. */
  RESERVED("Reserved"),
  /** It holds quota and may run. */
  ADMITTED("Admitted"),
  /** It was told to stop, and holds its quota until its pods are gone. */
  STOPPING("Stopping"),
  /** It has ended, well or not. */
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
