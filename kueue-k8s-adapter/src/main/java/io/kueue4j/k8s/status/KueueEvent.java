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
import java.time.Instant;

/**
 * An event to be recorded for an object.
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
