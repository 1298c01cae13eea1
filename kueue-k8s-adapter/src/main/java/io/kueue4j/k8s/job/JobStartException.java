package io.kueue4j.k8s.job;

import io.kueue4j.k8s.yaml.FieldPath;

/**
 * Thrown when a job cannot be given its admission, or be taken back to what it was. Trying again
 * does not help: the job or the admission must change.
 */
public final class JobStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is in the way. */
  public enum Problem {
    /** A key that the admission sets is there with another value. */
    CONFLICT,
    /** The job has other pod sets than the admission, or than the snapshot. */
    POD_SETS_DIFFER,
    /** Not the job is started but its pods. */
    STARTS_BY_PODS,
    /** What runs cannot be suspended. */
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
            + "\"; remove the key from the job, or keep the job off that flavor");
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

  /** {@return what is in the way} */
  public Problem problem() {
    return problem;
  }
}
