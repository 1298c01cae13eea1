package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The controller's own annotations on jobs. */
public final class JobAnnotations {
  /**
   * {@code "false"} keeps the job from being queued, and stops it if it runs. Users write it; after
   * its removal the job is queued again.
   */
  public static final String ACTIVE = "kueue4j.io/active";

  /**
   * The number of times that the job was preempted shortly after its start, and when it is queued
   * again if that was too often; after its removal the job is queued at once.
   */
  public static final String RESTARTS = "kueue4j.io/restarts";

  /** Written after a write with unknown outcome, to prevent that write from succeeding later. */
  public static final String FENCE = "kueue4j.io/fence";

  private JobAnnotations() {}

  /** {@return the value, empty if there is none; for a group of pods, the value on any live pod} */
  public static String get(HasMetadata job, String name) {
    return JobParts.live(job).stream()
        .map(part -> of(part, name))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** {@return the value on one object, empty if there is none} */
  public static String of(HasMetadata object, String name) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations == null ? "" : Strings.nullToEmpty(annotations.get(name));
  }

  public static boolean isActive(HasMetadata job) {
    return !get(job, ACTIVE).equals("false");
  }

  /** Sets an annotation on a private copy; null removes it. */
  public static <T extends HasMetadata> T set(T copy, String name, @Nullable String value) {
    return JobParts.map(copy, part -> setOn(part, name, value));
  }

  private static HasMetadata setOn(HasMetadata copy, String name, @Nullable String value) {
    ObjectMetaBuilder metadata = new ObjectMetaBuilder(copy.getMetadata());
    copy.setMetadata(
        value == null
            ? metadata.removeFromAnnotations(name).build()
            : metadata.addToAnnotations(name, value).build());
    return copy;
  }

  /** Removes the mark of a write with unknown outcome from a private copy. */
  public static <T extends HasMetadata> T unfenced(T copy) {
    return set(copy, FENCE, null);
  }

  /** {@return a copy that may be modified} */
  public static <T extends HasMetadata> T copy(T job) {
    return JobParts.map(job, part -> Json.convert(part, part.getClass()));
  }
}
