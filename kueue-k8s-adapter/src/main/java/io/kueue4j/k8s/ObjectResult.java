package io.kueue4j.k8s;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.Optional;

/**
 * What {@link KubernetesAdmission} did with one object that was applied or deleted. Immutable.
 *
 * @param manifest the object, absent where a text has something else than an object
 * @param outcome what was done with it
 * @param workloads the workloads made of it, in order; none unless it is a job or a Workload
 * @param issues why it was refused or ignored, each with its place; of an object that was accepted
 *     what deserves attention
 * @since 0.1.0
 */
public record ObjectResult(
    Optional<Manifest> manifest,
    Outcome outcome,
    List<WorkloadId> workloads,
    List<ManifestIssue> issues) {
  /** Copies what it is given. */
  public ObjectResult {
    workloads = ImmutableList.copyOf(workloads);
    issues = ImmutableList.copyOf(issues);
  }

  /**
   * What was done with an object.
   *
   * @since 0.1.0
   */
  public enum Outcome {
    /** It is part of the engine's configuration. */
    CONFIGURED,
    /** It is known for jobs that refer to it, or for what it takes of a node. */
    REMEMBERED,
    /** Its workloads are in the engine: pending, or with the quota that they hold already. */
    SUBMITTED,
    /** It is a job that has ended; its workloads have left the engine. */
    FINISHED,
    /** It was deleted, and nothing of it is left. */
    DELETED,
    /** It is of no concern, at present at least; the issues say why. */
    IGNORED,
    /** Something is wrong with it, and it has had no effect; the issues say what. */
    REFUSED
  }

  /** {@return whether the object was refused} */
  public boolean isRefused() {
    return outcome == Outcome.REFUSED;
  }

  /** {@return object, outcome and issues, for example for a log; one line for each issue} */
  @Override
  public String toString() {
    String of = manifest.map(Manifest::toString).orElse("no object") + ": " + outcome;
    return issues.isEmpty() ? of : of + "\n  " + Joiner.on("\n  ").join(issues);
  }
}
