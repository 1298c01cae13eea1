package io.kueue4j.k8s.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An event to be recorded for an object, with Kueue's reason. The methods create the events that a
 * controller records for jobs; {@link WorkloadEvents} makes the events of workloads. Rules: J-26.
 *
 * @param reason the reason, one of Kueue's words
 * @param type the type
 * @param message the message for humans, truncated to the 1024 bytes that the API server accepts
 * @param component the component of Kueue that records it
 * @since 0.1.0
 */
public record KueueEvent(String reason, Type type, String message, String component) {
  static final String ADMISSION = "kueue-admission";
  static final String WORKLOAD_CONTROLLER = "kueue-workload-controller";
  static final String JOB_CONTROLLER = "kueue-job-controller";

  private static final int MAX_NAME = 253;
  private static final int HASH_LENGTH = 16;

  /** The type of an event, as in Kubernetes. */
  public enum Type {
    /** Information only. */
    NORMAL("Normal"),
    /** May require attention. */
    WARNING("Warning");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /** {@return the type in Kubernetes' notation} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Creates an event and truncates its message. */
  public KueueEvent {
    message = MessageText.ofEvent(message);
  }

  static KueueEvent normal(String component, String reason, String message) {
    return new KueueEvent(reason, Type.NORMAL, message, component);
  }

  static KueueEvent warning(String component, String reason, String message) {
    return new KueueEvent(reason, Type.WARNING, message, component);
  }

  // ----- events of jobs

  /** {@return the event that a workload was created for the job} */
  public static KueueEvent createdWorkload(WorkloadId workload) {
    return normal(JOB_CONTROLLER, "CreatedWorkload", "Created Workload: " + workload);
  }

  /** {@return the event that the workload was replaced because the suspended job was changed} */
  public static KueueEvent updatedWorkload(WorkloadId workload) {
    return normal(
        JOB_CONTROLLER,
        "UpdatedWorkload",
        "Updated not matching Workload for suspended job: " + workload);
  }

  /** {@return the event that a workload was deleted because it does not match the job} */
  public static KueueEvent deletedWorkload(WorkloadId workload) {
    return normal(JOB_CONTROLLER, "DeletedWorkload", "Deleted not matching Workload: " + workload);
  }

  /** {@return the event that the job was started} */
  public static KueueEvent started(Admission admission) {
    return normal(
        JOB_CONTROLLER, "Started", "Admitted by clusterQueue " + admission.clusterQueue());
  }

  /**
   * {@return the event that the job was stopped}
   *
   * @param message the reason
   */
  public static KueueEvent stopped(String message) {
    return normal(JOB_CONTROLLER, "Stopped", message);
  }

  /** {@return the event that a job was suspended because its parent is not admitted} */
  public static KueueEvent suspendedChild() {
    return normal(JOB_CONTROLLER, "Suspended", "Kueue managed child job suspended");
  }

  /** {@return the event that the workload has finished} */
  public static KueueEvent finishedWorkload(WorkloadId workload) {
    return normal(
        JOB_CONTROLLER, "FinishedWorkload", "Workload '" + workload + "' is declared finished");
  }

  /** {@return the messages of admission checks that have not passed; empty if there are none} */
  public static Optional<KueueEvent> updatedAdmissionCheck(WorkloadStatus status) {
    String message = status.admissionChecks().stream()
        .filter(check -> check.state() == CheckState.PENDING && !check.message().isEmpty())
        .map(check -> check.name() + ": " + check.message())
        .collect(Collectors.joining("; "));
    return message.isEmpty()
        ? Optional.empty()
        : Optional.of(normal(JOB_CONTROLLER, "UpdatedAdmissionCheck", message));
  }

  /**
   * {@return the event that no workload can be built from the pods yet}
   *
   * @param message the reason
   */
  public static KueueEvent errWorkloadCompose(String message) {
    return warning(JOB_CONTROLLER, "ErrWorkloadCompose", message);
  }

  /**
   * {@return the event that the priority class named by the job does not exist, so no workload is
   * created}
   */
  public static KueueEvent workloadPriorityClassNotFound(String name) {
    return warning(
        JOB_CONTROLLER,
        "WorkloadPriorityClassNotFound",
        "WorkloadPriorityClass \"" + name + "\" not found");
  }

  /** {@return the event that the job has too many levels of owners} */
  public static KueueEvent jobNestingTooDeep(String message) {
    return warning(JOB_CONTROLLER, "JobNestingTooDeep", message);
  }

  /** {@return the event that the job was deleted because it was deactivated for long enough} */
  public static KueueEvent deleted() {
    return normal(JOB_CONTROLLER, "Deleted", "Deleted job: deactivation retention period expired");
  }

  /**
   * {@return the event as an object to be created}
   *
   * <p>It is an event of {@code v1}, the version that every client can write and that the API
   * server also serves as {@code events.k8s.io}. Its name follows from its content and time, so the
   * same event is not created twice.
   *
   * @param object the object that it concerns, as stored
   * @param time the time of the event
   */
  public Event toEvent(HasMetadata object, Instant time) {
    ObjectMeta metadata = object.getMetadata() == null ? new ObjectMeta() : object.getMetadata();
    String namespace =
        Strings.isNullOrEmpty(metadata.getNamespace()) ? "default" : metadata.getNamespace();
    String at = ObjectStatus.time(time);
    return new EventBuilder()
        .withNewMetadata()
        .withName(name(object, metadata, at))
        .withNamespace(namespace)
        .endMetadata()
        .withInvolvedObject(new ObjectReferenceBuilder()
            .withApiVersion(object.getApiVersion())
            .withKind(object.getKind())
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .build())
        .withType(type.toString())
        .withReason(reason)
        .withMessage(message)
        .withNewSource()
        .withComponent(component)
        .endSource()
        .withReportingComponent(component)
        .withReportingInstance(component)
        .withFirstTimestamp(at)
        .withLastTimestamp(at)
        .withCount(1)
        .build();
  }

  private String name(HasMetadata object, ObjectMeta metadata, String time) {
    String said = Joiner.on('\n')
        .useForNull("")
        .join(object.getKind(), metadata.getUid(), time, component, reason, message);
    String hash = Hashing.sha256().hashString(said, UTF_8).toString().substring(0, HASH_LENGTH);
    String of = Strings.nullToEmpty(metadata.getName());
    return of.substring(0, Math.min(of.length(), MAX_NAME - HASH_LENGTH - 1)) + "." + hash;
  }
}
