package io.kueue4j.examples.simulation;

/**
 * Something that happened to a job.
 *
 * @param type what happened
 * @param job the job
 * @param by the ClusterQueue or the workload that did it, empty if nobody did
 * @param reason why, empty if there is nothing to say
 */
public record Event(Type type, SimulatedJob job, String by, String reason) {
  /** What can happen. */
  public enum Type {
    /** The job was admitted. */
    ADMITTED("Admitted"),
    /** The job was stopped to make room for another; it waits again. */
    PREEMPTED("Preempted"),
    /** The job can never be admitted. */
    REJECTED("Rejected"),
    /** The job finished. */
    FINISHED("Finished");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /** {@return the name for people} */
    @Override
    public String toString() {
      return text;
    }
  }
}
