package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.PodGroup;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The objects of the API that form a job: most jobs are one object; a group consists of its pods,
 * and each pod that may run owns the Workload of the group.
 */
public final class JobParts {
  private static final ImmutableSet<String> ENDED = ImmutableSet.of("Succeeded", "Failed");

  private JobParts() {}

  public static boolean isGroup(HasMetadata job) {
    return job instanceof PodGroup;
  }

  /** {@return the objects; the pods of a group oldest first} */
  public static ImmutableList<HasMetadata> of(HasMetadata job) {
    return job instanceof PodGroup group
        ? ImmutableList.copyOf(group.pods())
        : ImmutableList.of(job);
  }

  /**
   * {@return the objects that have not finished: of a group some, of other jobs the object itself}
   */
  public static ImmutableList<HasMetadata> live(HasMetadata job) {
    return of(job).stream()
        .filter(part -> !isGroup(job) || !hasEnded((Pod) part))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the excess pods of a group; the pods of a service are handled by its controller} */
  public static List<Pod> excess(HasMetadata job) {
    boolean isSettled = of(job).stream().noneMatch(JobParts::isDeleted);
    return job instanceof PodGroup group && !group.isServing() && isSettled
        ? group.excess()
        : ImmutableList.of();
  }

  /**
   * {@return the objects to start: of a group the pods that have not finished, are not being
   * deleted, and are not excess}
   */
  public static ImmutableList<HasMetadata> startable(HasMetadata job) {
    if (!(job instanceof PodGroup group)) {
      return ImmutableList.of(job);
    }
    ImmutableSet<ObjectKey> surplus =
        group.excess().stream().map(ObjectKey::of).collect(ImmutableSet.toImmutableSet());
    return live(job).stream()
        .filter(pod -> !isDeleted(pod) && !surplus.contains(ObjectKey.of(pod)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the job with a function applied to each of its unfinished objects} */
  @SuppressWarnings("unchecked") // a group is one again
  public static <T extends HasMetadata> T map(T job, UnaryOperator<HasMetadata> change) {
    return job instanceof PodGroup group
        ? (T) PodGroup.of(group.pods().stream()
            .map(pod -> hasEnded(pod) ? pod : (Pod) change.apply(pod))
            .toList())
        : (T) change.apply(job);
  }

  /** {@return the object on which events of a job are recorded} */
  public static HasMetadata subject(HasMetadata job) {
    return of(job).get(0);
  }

  /** {@return the uid of an object, empty if it has none} */
  public static String uid(HasMetadata object) {
    return Strings.nullToEmpty(object.getMetadata().getUid());
  }

  /** {@return the value of a label of an object, empty if there is none} */
  public static String label(HasMetadata object, String name) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels == null ? "" : Strings.nullToEmpty(labels.get(name));
  }

  public static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && ENDED.contains(Strings.nullToEmpty(pod.getStatus().getPhase()));
  }

  public static boolean isDeleted(HasMetadata object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }
}
