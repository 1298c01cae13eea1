package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads the state of a pod and its information about its group. */
final class PodStates {
  private static final String FINALIZER = MetadataKeys.MANAGED;

  private PodStates() {}

  static boolean hasSucceeded(Pod pod) {
    return phase(pod).equals("Succeeded");
  }

  static boolean hasFailed(Pod pod) {
    return phase(pod).equals("Failed");
  }

  static boolean hasEnded(Pod pod) {
    return hasSucceeded(pod) || hasFailed(pod);
  }

  /** {@return whether it has run, runs or can run: a deleted pod without node cannot} */
  static boolean isRunnable(Pod pod) {
    boolean bound =
        pod.getSpec() != null && !Strings.isNullOrEmpty(pod.getSpec().getNodeName());
    return !hasFailed(pod) && (bound || !isDeleted(pod));
  }

  /** {@return whether it runs and, if it is being deleted, is within its grace period} */
  static boolean isActive(Pod pod, Instant now) {
    ObjectMeta metadata = JobMetadata.metadata(pod);
    Long grace = metadata.getDeletionGracePeriodSeconds();
    if (!phase(pod).equals("Running") || !isDeleted(pod) || grace == null) {
      return phase(pod).equals("Running");
    }
    return !now.isAfter(time(metadata.getDeletionTimestamp()).plusSeconds(grace));
  }

  static boolean isReady(Pod pod) {
    List<PodCondition> conditions = pod.getStatus() == null
        ? ImmutableList.of()
        : Elements.of(pod.getStatus().getConditions());
    return conditions.stream()
        .anyMatch(condition ->
            "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  static boolean hasFinalizer(Pod pod) {
    List<String> finalizers = JobMetadata.metadata(pod).getFinalizers();
    return finalizers != null && finalizers.contains(FINALIZER);
  }

  /** {@return the name of its group, empty for none} */
  static String groupName(Pod pod) {
    String annotation =
        Strings.nullToEmpty(JobMetadata.annotations(pod).get(MetadataKeys.POD_GROUP_NAME));
    return annotation.isEmpty()
        ? Strings.nullToEmpty(JobMetadata.labels(pod).get(MetadataKeys.POD_GROUP_NAME))
        : annotation;
  }

  static OptionalInt totalCount(Pod pod) {
    Integer count = Ints.tryParse(
        Strings.nullToEmpty(JobMetadata.annotations(pod).get(MetadataKeys.POD_GROUP_TOTAL_COUNT)));
    return count == null || count < 1 ? OptionalInt.empty() : OptionalInt.of(count);
  }

  static boolean says(Pod pod, String annotation, String value) {
    return value.equals(JobMetadata.annotations(pod).get(annotation));
  }

  /** {@return the creation time; the minimum if it is absent} */
  static Instant creationTime(Pod pod) {
    return time(JobMetadata.metadata(pod).getCreationTimestamp());
  }

  private static boolean isDeleted(Pod pod) {
    return !Strings.isNullOrEmpty(JobMetadata.metadata(pod).getDeletionTimestamp());
  }

  private static Instant time(@Nullable String text) {
    try {
      return OffsetDateTime.parse(Strings.nullToEmpty(text)).toInstant();
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }

  private static String phase(Pod pod) {
    return pod.getStatus() == null ? "" : Strings.nullToEmpty(pod.getStatus().getPhase());
  }
}
