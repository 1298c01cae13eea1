package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobOutcome;
import io.kueue4j.k8s.job.PodMembership;
import java.util.Optional;

/**
 * The state of a job according to the job itself.
 *
 * @param isSuspended whether it is suspended; for a group of pods, whether any pod waits
 * @param isActive whether it reports pods
 * @param arePodsReady whether it reports that all its pods are ready
 * @param outcome how it ended, empty if it has not
 * @param isStoppable whether it can be suspended while it runs; otherwise it consists of pods to be
 *     deleted
 * @param startsByPods whether its pods are started and not the job itself
 */
record JobFacts(
    boolean isSuspended,
    boolean isActive,
    boolean arePodsReady,
    Optional<JobOutcome> outcome,
    boolean isStoppable,
    boolean startsByPods) {

  /**
   * {@return the facts}
   *
   * @throws IllegalArgumentException if the kind of the job is unknown
   * @throws io.kueue4j.core.model.InvalidConfigurationException if it cannot be read
   */
  static <J extends HasMetadata> JobFacts of(JobKinds kinds, J job) {
    JobKind<J> kind = kind(kinds, job);
    return new JobFacts(
        JobParts.isGroup(job)
            ? JobParts.startable(job).stream().anyMatch(part -> waits(kinds, part))
            : kind.isSuspended(job),
        kind.isActive(job),
        kind.podsReady(job),
        kind.outcome(job),
        kind.isStoppable(),
        kind.startsByPods());
  }

  /** {@return whether an object of a job waits for admission, and has not finished} */
  static <J extends HasMetadata> boolean waits(JobKinds kinds, J part) {
    return kinds
        .find(part)
        .filter(kind -> kind.isSuspended(part) && kind.outcome(part).isEmpty())
        .isPresent();
  }

  /** {@return the group that a pod is to be admitted with, if its job creates pods for groups} */
  static <J extends HasMetadata> Optional<PodMembership> membership(
      JobKinds kinds, J job, Pod pod) {
    return kind(kinds, job).membership(job, pod);
  }

  /** {@return the reclaimable pods, by pod set} */
  static <J extends HasMetadata> ImmutableSortedMap<String, Integer> reclaimablePods(
      JobKinds kinds, J job) {
    return kind(kinds, job).reclaimablePods(job);
  }

  private static <J extends HasMetadata> JobKind<J> kind(JobKinds kinds, J job) {
    return kinds
        .find(job)
        .orElseThrow(() -> new IllegalArgumentException(
            ObjectKey.of(job) + " is of no known kind; expected one of " + kinds));
  }
}
