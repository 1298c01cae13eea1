package io.kueue4j.k8s.job;

import io.kueue4j.k8s.internal.yaml.FieldPath;

/**
 * Thrown when a job cannot be started as admitted, or cannot be restored. A retry does not help:
 * the job or the admission must change.
 *
 * @since 0.1.0
 */
public final class JobStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of problem. */
  public enum Problem {
    /** A key that the admission sets exists with another value. */
    CONFLICT,
    /** The pod sets of the job differ from the pod sets of the admission or of the snapshot. */
    POD_SETS_DIFFER,
    /** The pods of the job are started, and not the job itself. */
    STARTS_BY_PODS,
    /** A running object of this kind cannot be suspended. */
    NOT_STOPPABLE
  }

  private final Problem problem;

  private JobStartException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  static JobStartException conflict(
      JobPodSet podSet, String field, String key, String given, String wanted) {
    return new JobStartException(
        Problem.CONFLICT,
        "pod set " + podSet.name() + ": " + FieldPath.join(podSet.path(), field) + "[" + key
            + "] is \""
            + given + "\", the admission needs \"" + wanted
            + "\"; remove the key from the job, or keep the job off that flavor or admission check");
  }

  static JobStartException podSetsDiffer(String job, Object given, String source, Object wanted) {
    return new JobStartException(
        Problem.POD_SETS_DIFFER,
        job + " has the pod sets " + given + ", " + source + " has " + wanted
            + "; expected the same in the same order");
  }

  static JobStartException startsByPods(String job) {
    return new JobStartException(
        Problem.STARTS_BY_PODS,
        job + " is not started itself; start its pods, which have scheduling gates, as the PodGroup"
            + " that they are, or one by one");
  }

  static JobStartException notStoppable(String job) {
    return new JobStartException(
        Problem.NOT_STOPPABLE,
        job + " cannot be suspended: a gate cannot be put back; give each pod the condition of"
            + " PodGroup.terminationTarget and delete it");
  }

  /** {@return the kind of problem} */
  public Problem problem() {
    return problem;
  }
}
