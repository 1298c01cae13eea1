package io.kueue4j.k8s.status;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The events that a controller records for jobs, with Kueue's reasons. Rules: J-26.
 *
 * @since 0.1.0
 */
public final class JobEvents {
  private JobEvents() {}

  /** {@return the event that a workload was created for the job} */
  public static KueueEvent createdWorkload(WorkloadId workload) {
    return normal("CreatedWorkload", "Created Workload: " + workload);
  }

  /** {@return the event that the workload was replaced because the suspended job was changed} */
  public static KueueEvent updatedWorkload(WorkloadId workload) {
    return normal(
        "UpdatedWorkload", "Updated not matching Workload for suspended job: " + workload);
  }

  /** {@return the event that a workload was deleted because it does not match the job} */
  public static KueueEvent deletedWorkload(WorkloadId workload) {
    return normal("DeletedWorkload", "Deleted not matching Workload: " + workload);
  }

  /** {@return the event that the job was started} */
  public static KueueEvent started(Admission admission) {
    return normal("Started", "Admitted by clusterQueue " + admission.clusterQueue());
  }

  /**
   * {@return the event that the job was stopped}
   *
   * @param message the reason
   */
  public static KueueEvent stopped(String message) {
    return normal("Stopped", message);
  }

  /** {@return the event that a job was suspended because its parent is not admitted} */
  public static KueueEvent suspendedChild() {
    return normal("Suspended", "Kueue managed child job suspended");
  }

  /** {@return the event that the workload has finished} */
  public static KueueEvent finishedWorkload(WorkloadId workload) {
    return normal("FinishedWorkload", "Workload '" + workload + "' is declared finished");
  }

  /** {@return the messages of admission checks that have not passed; empty if there are none} */
  public static Optional<KueueEvent> updatedAdmissionCheck(WorkloadStatus status) {
    String message = status.admissionChecks().stream()
        .filter(check -> check.state() == CheckState.PENDING && !check.message().isEmpty())
        .map(check -> check.name() + ": " + check.message())
        .collect(Collectors.joining("; "));
    return message.isEmpty()
        ? Optional.empty()
        : Optional.of(normal("UpdatedAdmissionCheck", message));
  }

  /**
   * {@return the event that no workload can be built from the pods yet}
   *
   * @param message the reason
   */
  public static KueueEvent errWorkloadCompose(String message) {
    return warning("ErrWorkloadCompose", message);
  }

  /**
   * {@return the event that the priority class named by the job does not exist, so no workload is
   * created}
   */
  public static KueueEvent workloadPriorityClassNotFound(String name) {
    return warning(
        "WorkloadPriorityClassNotFound", "WorkloadPriorityClass \"" + name + "\" not found");
  }

  /** {@return the event that the job has too many levels of owners} */
  public static KueueEvent jobNestingTooDeep(String message) {
    return warning("JobNestingTooDeep", message);
  }

  /** {@return the event that the job was deleted because it was deactivated for long enough} */
  public static KueueEvent deleted() {
    return normal("Deleted", "Deleted job: deactivation retention period expired");
  }

  private static KueueEvent normal(String reason, String message) {
    return KueueEvent.normal(KueueEvent.JOB_CONTROLLER, reason, message);
  }

  private static KueueEvent warning(String reason, String message) {
    return KueueEvent.warning(KueueEvent.JOB_CONTROLLER, reason, message);
  }
}
