package io.kueue4j.k8s;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.Optional;

/**
 * What {@link KubernetesAdmission} did with each object that was applied or deleted. Immutable.
 *
 * @param objects the results in the order of the objects
 * @param notes what deserves attention beside: of places in texts that are no objects
 * @param decisions what the engine has decided because of the objects, such as evictions
 * @since 0.1.0
 */
public record ApplyResult(
    List<ObjectResult> objects, List<ManifestIssue> notes, Decisions decisions) {
  /** Copies what it is given. */
  public ApplyResult {
    objects = ImmutableList.copyOf(objects);
    notes = ImmutableList.copyOf(notes);
  }

  /** {@return the objects that something is wrong with, which have had no effect} */
  public List<ObjectResult> refused() {
    return objects.stream().filter(ObjectResult::isRefused).collect(toImmutableList());
  }

  /** {@return the objects that have had an effect} */
  public List<ObjectResult> accepted() {
    return objects.stream()
        .filter(object -> !object.isRefused() && object.outcome() != ObjectResult.Outcome.IGNORED)
        .collect(toImmutableList());
  }

  /** {@return the workloads that are in the engine now, in the order of their objects} */
  public List<WorkloadId> workloads() {
    return objects.stream()
        .filter(object -> object.outcome() == ObjectResult.Outcome.SUBMITTED)
        .flatMap(object -> object.workloads().stream())
        .distinct()
        .collect(toImmutableList());
  }

  /**
   * {@return everything that is wrong with the objects that were refused, each with its place;
   * after the problems of an object follows what deserves attention in it, such as unknown fields}
   */
  public List<ManifestIssue> problems() {
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
    List<ManifestIssue> problems = problems();
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }

  /** {@return the results of all objects, for example for a log} */
  @Override
  public String toString() {
    return Joiner.on('\n').join(objects);
  }

  /**
   * What {@link KubernetesAdmission} did with one object that was applied or deleted. Immutable.
   *
   * @param manifest the object, absent where a text has something else than an object
   * @param outcome what was done with it
   * @param workloads the workloads made of it, in order; none unless it is a job or a Workload
   * @param issues why it was refused or ignored, each with its place, then what deserves attention
   *     in it, such as unknown fields
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
}
