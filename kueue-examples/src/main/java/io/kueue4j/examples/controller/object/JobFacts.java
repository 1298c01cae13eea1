package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.JobEnd;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobPodSet;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.job.PodMembership;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The state of a job according to the job itself.
 *
 * @param isSuspended whether it is suspended; for a group of pods, whether any pod waits
 * @param isActive whether it reports pods, or may create some although it is suspended
 * @param arePodsReady whether it reports that all its pods are ready
 * @param outcome how it ended, empty if it has not
 * @param isStoppable whether it can be suspended while it runs; otherwise it consists of pods to be
 *     deleted
 * @param startsByPods whether its pods are started and not the job itself
 */
public record JobFacts(
    boolean isSuspended,
    boolean isActive,
    boolean arePodsReady,
    Optional<JobEnd> outcome,
    boolean isStoppable,
    boolean startsByPods) {
  /** A JobSet with one of these conditions creates no pods. */
  private static final ImmutableSet<String> ENDED =
      ImmutableSet.of("Suspended", "Completed", "Failed");

  /**
   * {@return the facts}
   *
   * @throws IllegalArgumentException if the kind of the job is unknown
   * @throws io.kueue4j.core.model.InvalidConfigurationException if it cannot be read
   */
  public static <J extends HasMetadata> JobFacts of(JobKinds kinds, J job) {
    JobKind<J> kind = kind(kinds, job);
    return new JobFacts(
        JobParts.isGroup(job)
            ? JobParts.startable(job).stream().anyMatch(part -> waits(kinds, part))
            : kind.isSuspended(job),
        kind.isActive(job) || isStillStarting(job),
        kind.podsReady(job),
        kind.outcome(job),
        kind.isStoppable(),
        kind.startsByPods());
  }

  /**
   * {@return whether a suspended JobSet has created Jobs and has not suspended them yet} They
   * create pods of the templates from before. Kueue looks at the pods alone.
   */
  private static boolean isStillStarting(HasMetadata job) {
    return job instanceof JobSet set
        && Boolean.TRUE.equals(set.getSpec().suspend())
        && set.getStatus() != null
        && !set.getStatus().replicatedJobsStatus().isEmpty()
        && set.getStatus().conditions().stream()
            .noneMatch(condition ->
                ENDED.contains(condition.getType()) && "True".equals(condition.getStatus()));
  }

  /** {@return whether an object of a job waits for admission, and has not finished} */
  public static <J extends HasMetadata> boolean waits(JobKinds kinds, J part) {
    return kinds
        .find(part)
        .filter(kind -> kind.isSuspended(part) && kind.outcome(part).isEmpty())
        .isPresent();
  }

  /** {@return whether an object of a job may run, and is not being deleted} */
  public static boolean runs(JobKinds kinds, HasMetadata job) {
    return JobParts.live(job).stream()
        .anyMatch(part -> !JobParts.isDeleted(part) && !waits(kinds, part));
  }

  /** {@return the group that a pod is to be admitted with, if its job creates pods for groups} */
  public static <J extends HasMetadata> Optional<PodMembership> membership(
      JobKinds kinds, J job, Pod pod) {
    return kind(kinds, job).membership(job, pod);
  }

  /** {@return the reclaimable pods, by pod set} */
  public static <J extends HasMetadata> SortedMap<String, Integer> reclaimablePods(
      JobKinds kinds, J job) {
    return kind(kinds, job).reclaimablePods(job);
  }

  /** {@return the pod sets of a job, with the templates that its pods are created from} */
  public static <J extends HasMetadata> List<JobPodSet> podSets(JobKinds kinds, J job) {
    return kind(kinds, job).podSets(job);
  }

  private static <J extends HasMetadata> JobKind<J> kind(JobKinds kinds, J job) {
    return kinds
        .find(job)
        .orElseThrow(() -> new IllegalArgumentException(
            ObjectKey.of(job) + " is of no known kind; expected one of " + kinds));
  }
}
