package io.kueue4j.examples.simulation;

import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A change of a job.
 *
 * @param type the type of the change
 * @param job the job
 * @param by the ClusterQueue or the name of the workload that caused it, empty if there is none
 * @param preemptor the workload that a preemption makes room for, empty for other changes
 * @param reason the reason, empty if there is none
 */
public record Event(
    Type type, SimulatedJob job, String by, Optional<WorkloadId> preemptor, String reason) {
  /** Creates a change that is no preemption. */
  Event(Type type, SimulatedJob job, String by, String reason) {
    this(type, job, by, Optional.empty(), reason);
  }

  /** The types of changes. */
  public enum Type {
    /** The job was admitted. */
    ADMITTED("Admitted"),
    /** The job was stopped to make room for another; it is pending again. */
    PREEMPTED("Preempted"),
    /** The job was stopped for another reason; it is pending again. */
    EVICTED("Evicted"),
    /** The job can never be admitted. */
    REJECTED("Rejected"),
    /** The job finished. */
    FINISHED("Finished");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /** {@return the name for humans} */
    @Override
    public String toString() {
      return text;
    }
  }
}
