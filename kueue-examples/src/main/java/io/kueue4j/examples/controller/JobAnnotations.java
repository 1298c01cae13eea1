package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The annotations on jobs that are the controller's own. */
public final class JobAnnotations {
  /**
   * On what the job was admitted: there as long as it holds quota, or is being stopped. Sealed, if
   * the controller has keys.
   */
  public static final String ADMISSION = "kueue4j.io/admission";

  /** What had happened to the job before it was stopped last. Sealed, too. */
  public static final String STATUS = "kueue4j.io/status";

  /**
   * {@code "false"} keeps the job from being queued, and stops it if it runs. Written by the
   * controller, too, when it gives a job up; whoever takes it away lets the job be queued again.
   */
  public static final String ACTIVE = "kueue4j.io/active";

  /**
   * How often the job was preempted as soon as it had started, and when it is queued again if that
   * was too often; whoever takes it away lets the job be queued at once.
   */
  public static final String RESTARTS = "kueue4j.io/restarts";

  /**
   * What admission checks say of the quota that the job holds, by check: a state, or an object of
   * {@code state}, {@code message} and {@code requeueAfterSeconds}. Written by those who make the
   * checks; taken away by the controller when the quota is given back.
   */
  public static final String CHECKS = "kueue4j.io/admission-checks";

  /**
   * Written where nobody knows whether an earlier write was made, so that it cannot be any more.
   */
  static final String FENCE = "kueue4j.io/fence";

  private JobAnnotations() {}

  /** {@return the value, empty if there is none; of a group of pods that of any which is live} */
  static String get(HasMetadata job, String name) {
    return JobParts.live(job).stream()
        .map(part -> of(part, name))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** {@return the value on one object, empty if there is none} */
  static String of(HasMetadata object, String name) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations == null ? "" : Strings.nullToEmpty(annotations.get(name));
  }

  static boolean isActive(HasMetadata job) {
    return !get(job, ACTIVE).equals("false");
  }

  /** Sets annotations of a copy that nobody else has seen yet; those that are null go. */
  static <T extends HasMetadata> T set(T copy, Map<String, @Nullable String> values) {
    return JobParts.map(copy, part -> setOn(part, values));
  }

  /** Sets annotations of one such object; those that are null go. */
  static HasMetadata setOn(HasMetadata copy, Map<String, @Nullable String> values) {
    Map<String, String> given = copy.getMetadata().getAnnotations();
    Map<String, String> annotations =
        given == null ? new LinkedHashMap<>() : new LinkedHashMap<>(given);
    values.forEach((name, value) -> {
      if (value == null) {
        annotations.remove(name);
      } else {
        annotations.put(name, value);
      }
    });
    copy.setMetadata(
        new ObjectMetaBuilder(copy.getMetadata()).withAnnotations(annotations).build());
    return copy;
  }

  /** {@return a copy that may be changed} */
  static <T extends HasMetadata> T copy(T job) {
    return JobParts.map(job, part -> Json.as(Json.tree(part), part.getClass()));
  }
}
