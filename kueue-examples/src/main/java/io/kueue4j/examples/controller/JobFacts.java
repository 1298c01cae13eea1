package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobOutcome;
import java.util.Optional;

/**
 * What a job says of itself.
 *
 * @param isSuspended whether it is suspended
 * @param isActive whether it says that it has pods
 * @param arePodsReady whether it says that all its pods are ready
 * @param outcome how it ended, absent if it has not
 * @param isStoppable whether it can be suspended once it runs
 * @param startsByPods whether its pods are started and not it
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
   * @throws IllegalArgumentException if the job is of no known kind
   * @throws io.kueue4j.core.model.InvalidConfigurationException if it cannot be read
   */
  static <J extends HasMetadata> JobFacts of(JobKinds kinds, J job) {
    JobKind<J> kind = kind(kinds, job);
    return new JobFacts(
        kind.isSuspended(job),
        kind.isActive(job),
        kind.podsReady(job),
        kind.outcome(job),
        kind.isStoppable(),
        kind.startsByPods());
  }

  /** {@return the pods that need no quota any more, by pod set} */
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
