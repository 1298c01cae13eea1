package io.kueue4j.k8s;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.yaml.ManifestException;
import io.kueue4j.k8s.yaml.ManifestIssue;

/**
 * What {@link KubernetesAdmission} did with each object that was applied or deleted. Immutable.
 *
 * @param objects the results in the order of the objects
 * @param notes what deserves attention beside: of places in texts that are no objects
 * @param decisions what the engine has decided because of the objects, such as evictions
 * @since 0.1.0
 */
public record ApplyResult(
    ImmutableList<ObjectResult> objects, ImmutableList<ManifestIssue> notes, Decisions decisions) {
  /** {@return the objects that something is wrong with, which have had no effect} */
  public ImmutableList<ObjectResult> refused() {
    return objects.stream().filter(ObjectResult::isRefused).collect(toImmutableList());
  }

  /** {@return the objects that have had an effect} */
  public ImmutableList<ObjectResult> accepted() {
    return objects.stream()
        .filter(object -> !object.isRefused() && object.outcome() != ObjectResult.Outcome.IGNORED)
        .collect(toImmutableList());
  }

  /** {@return the workloads that are in the engine now, in the order of their objects} */
  public ImmutableList<WorkloadId> workloads() {
    return objects.stream()
        .filter(object -> object.outcome() == ObjectResult.Outcome.SUBMITTED)
        .flatMap(object -> object.workloads().stream())
        .distinct()
        .collect(toImmutableList());
  }

  /** {@return everything that is wrong with the objects that were refused, each with its place} */
  public ImmutableList<ManifestIssue> problems() {
    return refused().stream()
        .flatMap(object -> object.issues().stream())
        .collect(toImmutableList());
  }

  /**
   * Does nothing if no object was refused.
   *
   * @throws ManifestException with all {@linkplain #problems() problems} if one was; the others
   *     have been applied nevertheless
   */
  public void throwIfRefused() {
    ImmutableList<ManifestIssue> problems = problems();
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }

  /** {@return the results of all objects, for example for a log} */
  @Override
  public String toString() {
    return Joiner.on('\n').join(objects);
  }
}
