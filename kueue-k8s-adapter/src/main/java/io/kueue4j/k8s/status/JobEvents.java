package io.kueue4j.k8s.status;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;
import java.util.stream.Collectors;

/** The events that a controller tells on jobs, with Kueue's reasons. Rules: J-26. */
public final class JobEvents {
  private JobEvents() {}

  /** {@return that a workload was made of the job} */
  public static KueueEvent createdWorkload(WorkloadId workload) {
    return normal("CreatedWorkload", "Created Workload: " + workload);
  }

  /** {@return that the workload was made anew, because the suspended job was changed} */
  public static KueueEvent updatedWorkload(WorkloadId workload) {
    return normal(
        "UpdatedWorkload", "Updated not matching Workload for suspended job: " + workload);
  }

  /** {@return that a workload was deleted which is not what the job asks for} */
  public static KueueEvent deletedWorkload(WorkloadId workload) {
    return normal("DeletedWorkload", "Deleted not matching Workload: " + workload);
  }

  /** {@return that the job was started} */
  public static KueueEvent started(Admission admission) {
    return normal("Started", "Admitted by clusterQueue " + admission.clusterQueue());
  }

  /** {@return that the job was stopped, and why} */
  public static KueueEvent stopped(String message) {
    return normal("Stopped", message);
  }

  /** {@return that a job was suspended that belongs to one which is not admitted} */
  public static KueueEvent suspendedChild() {
    return normal("Suspended", "Kueue managed child job suspended");
  }

  /** {@return that the workload is over} */
  public static KueueEvent finishedWorkload(WorkloadId workload) {
    return normal("FinishedWorkload", "Workload '" + workload + "' is declared finished");
  }

  /** {@return what admission checks have to say that are not passed; absent if they say nothing} */
  public static Optional<KueueEvent> updatedAdmissionCheck(WorkloadStatus status) {
    String message = status.admissionChecks().stream()
        .filter(check -> check.state() == CheckState.PENDING && !check.message().isEmpty())
        .map(check -> check.name() + ": " + check.message())
        .collect(Collectors.joining("; "));
    return message.isEmpty()
        ? Optional.empty()
        : Optional.of(normal("UpdatedAdmissionCheck", message));
  }

  /** {@return that no workload can be made of the pods yet, and why} */
  public static KueueEvent errWorkloadCompose(String message) {
    return warning("ErrWorkloadCompose", message);
  }

  /** {@return that the class which the job names does not exist, so that no workload is made} */
  public static KueueEvent workloadPriorityClassNotFound(String name) {
    return warning(
        "WorkloadPriorityClassNotFound", "WorkloadPriorityClass \"" + name + "\" not found");
  }

  /** {@return that the job belongs to a job that belongs to a job … too many} */
  public static KueueEvent jobNestingTooDeep(String message) {
    return warning("JobNestingTooDeep", message);
  }

  /** {@return that the job was deleted, since it was out of action for long enough} */
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
