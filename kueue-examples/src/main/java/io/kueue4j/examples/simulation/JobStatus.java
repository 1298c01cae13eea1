package io.kueue4j.examples.simulation;

/** The status of a job. */
public enum JobStatus {
  /** It runs. */
  ADMITTED("Admitted"),
  /** It waits. */
  PENDING("Pending"),
  /** It can never run as it is. */
  REJECTED("Rejected"),
  /** It has run. */
  FINISHED("Finished");

  private final String text;

  JobStatus(String text) {
    this.text = text;
  }

  /** {@return the name for humans} */
  @Override
  public String toString() {
    return text;
  }
}
