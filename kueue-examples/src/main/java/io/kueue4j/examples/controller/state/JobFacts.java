package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobSet;
import java.util.Optional;

/**
 * The state of a job according to the job itself.
 *
 * @param isSuspended whether it is suspended; for a group of pods, whether any pod waits
 * @param isActive whether it reports pods, or may create some although it is suspended
 * @param arePodsReady whether it reports that all its pods are ready
 * @param outcome how it ended, empty if it has not
 */
public record JobFacts(
    boolean isSuspended,
    boolean isActive,
    boolean arePodsReady,
    Optional<JobKind.Outcome> outcome) {
  /** A JobSet with one of these conditions creates no pods. */
  private static final ImmutableSet<String> ENDED =
      ImmutableSet.of("Suspended", "Completed", "Failed");

  /**
   * {@return whether a suspended JobSet has created Jobs and has not suspended them yet} They
   * create pods of the templates from before. Kueue looks at the pods alone.
   */
  static boolean isStillStarting(HasMetadata job) {
    return job instanceof JobSet set
        && Boolean.TRUE.equals(set.getSpec().suspend())
        && set.getStatus() != null
        && !set.getStatus().replicatedJobsStatus().isEmpty()
        && set.getStatus().conditions().stream()
            .noneMatch(condition ->
                ENDED.contains(condition.getType()) && "True".equals(condition.getStatus()));
  }
}
