package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.PodGroup;
import java.util.function.UnaryOperator;

/**
 * The objects of the API that a job is: most are one; a group of pods is its pods, and each of them
 * that may run carries the note on what the group was admitted.
 */
final class JobParts {
  private static final ImmutableSet<String> ENDED = ImmutableSet.of("Succeeded", "Failed");

  private JobParts() {}

  static boolean isGroup(HasMetadata job) {
    return job instanceof PodGroup;
  }

  /** {@return the objects; of a group oldest first} */
  static ImmutableList<HasMetadata> of(HasMetadata job) {
    return job instanceof PodGroup group
        ? ImmutableList.copyOf(group.pods())
        : ImmutableList.of(job);
  }

  /** {@return those that have not ended: of a group some, of other jobs the one that there is} */
  static ImmutableList<HasMetadata> live(HasMetadata job) {
    return job instanceof PodGroup group
        ? group.pods().stream()
            .filter(pod -> !hasEnded(pod))
            .collect(ImmutableList.toImmutableList())
        : ImmutableList.of(job);
  }

  /** {@return the pods that a group has too many of; those that serve their maker looks after} */
  static ImmutableList<Pod> excess(HasMetadata job) {
    boolean isSettled = of(job).stream().noneMatch(JobParts::isDeleted);
    return job instanceof PodGroup group && !group.isServing() && isSettled
        ? group.excess()
        : ImmutableList.of();
  }

  /**
   * {@return those that a start is about: of a group the pods that have not ended, are not about to
   * go, and are not too many}
   */
  static ImmutableList<HasMetadata> startable(HasMetadata job) {
    if (!(job instanceof PodGroup group)) {
      return ImmutableList.of(job);
    }
    ImmutableSet<ObjectKey> surplus =
        group.excess().stream().map(ObjectKey::of).collect(ImmutableSet.toImmutableSet());
    return live(job).stream()
        .filter(pod -> !isDeleted(pod) && !surplus.contains(ObjectKey.of(pod)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the job with each of its objects that has not ended changed} */
  @SuppressWarnings("unchecked") // a group is one again
  static <T extends HasMetadata> T map(T job, UnaryOperator<HasMetadata> change) {
    return job instanceof PodGroup group
        ? (T) PodGroup.of(group.pods().stream()
            .map(pod -> hasEnded(pod) ? pod : (Pod) change.apply(pod))
            .toList())
        : (T) change.apply(job);
  }

  /** {@return the object that events on a job are recorded on} */
  static HasMetadata subject(HasMetadata job) {
    return of(job).get(0);
  }

  static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && ENDED.contains(Strings.nullToEmpty(pod.getStatus().getPhase()));
  }

  static boolean isDeleted(HasMetadata object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }
}
