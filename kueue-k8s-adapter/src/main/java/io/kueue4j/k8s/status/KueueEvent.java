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
 * Something that people are to be told of an object.
 *
 * @param reason one word of Kueue's
 * @param type whether somebody should look at it
 * @param message the same for people, cut where the API server would refuse it, at 1024 bytes
 * @param component who tells it, as Kueue calls itself there
 */
public record KueueEvent(String reason, Type type, String message, String component) {
  static final String ADMISSION = "kueue-admission";
  static final String WORKLOAD_CONTROLLER = "kueue-workload-controller";
  static final String JOB_CONTROLLER = "kueue-job-controller";

  private static final int MAX_NAME = 253;
  private static final int HASH_LENGTH = 16;

  /** Whether somebody should look at an event; named as in Kubernetes. */
  public enum Type {
    /** Things go their way. */
    NORMAL("Normal"),
    /** Something may want to be looked at. */
    WARNING("Warning");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /** {@return the type as Kubernetes writes it} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Creates an event and cuts its message. */
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
   * <p>It is of {@code v1}, the form that clients of every version write and that the API server
   * shows as one of {@code events.k8s.io}, too. Its name follows from what it says and when: the
   * same event is not created twice.
   *
   * @param object what it is about, as it is stored
   * @param time when it happened
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
