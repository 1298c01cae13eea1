package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A number of equal pods of a job.
 *
 * @param name the name, unique in the job, a lower-case DNS label
 * @param path the field of the job that contains the template, for example {@code spec.template}
 * @param template the pod template; not to be modified
 * @param count the number of pods
 * @param minCount the minimum number of pods, empty if all are needed
 * @param counts the fields that an admission of fewer pods changes, empty if it changes none
 * @param index the labels with the index of each pod, empty if there are none
 * @since 0.1.0
 */
public record JobPodSet(
    String name,
    String path,
    PodTemplateSpec template,
    int count,
    OptionalInt minCount,
    Optional<Counts> counts,
    Optional<Index> index) {

  /** {@return a pod set that is admitted with all its pods or not at all} */
  public static JobPodSet of(String name, String path, PodTemplateSpec template, int count) {
    return new JobPodSet(
        name, path, template, count, OptionalInt.empty(), Optional.empty(), Optional.empty());
  }

  /** {@return this pod set with another template} */
  public JobPodSet withTemplate(PodTemplateSpec newTemplate) {
    return new JobPodSet(name, path, newTemplate, count, minCount, counts, index);
  }

  /** {@return this pod set with another number of pods} */
  public JobPodSet withCount(int newCount) {
    return new JobPodSet(name, path, template, newCount, minCount, counts, index);
  }

  /** {@return this pod set with other count fields} */
  public JobPodSet withCounts(Counts newCounts) {
    return new JobPodSet(name, path, template, count, minCount, Optional.of(newCounts), index);
  }

  /** {@return this pod set with pods that have an index in labels} */
  public JobPodSet withIndex(Index newIndex) {
    return new JobPodSet(name, path, template, count, minCount, counts, Optional.of(newIndex));
  }

  /**
   * The fields of a job that determine its number of pods, as written in the job.
   *
   * @param parallelism the number of concurrent pods, empty if not written
   * @param completions the number of pods that must succeed, empty if not written
   * @since 0.1.0
   */
  public record Counts(OptionalInt parallelism, OptionalInt completions) {}

  /**
   * The labels with the index of each pod of a pod set, used to place pods with neighbouring
   * indexes close together.
   *
   * <p>Rules: T-16, T-89.
   *
   * @param podLabel the pod label with the index of a pod, from 0, in the pod set or in its
   *     subgroup
   * @param subGroupLabel the pod label with the index, from 0, of the subgroup of the pod; empty if
   *     the pod set has no subgroups
   * @param subGroupCount the number of subgroups, all equal
   * @since 0.1.0
   */
  public record Index(String podLabel, Optional<String> subGroupLabel, OptionalInt subGroupCount) {
    /** {@return an index over the whole pod set} */
    public static Index of(String podLabel) {
      return new Index(podLabel, Optional.empty(), OptionalInt.empty());
    }

    /** {@return an index within each of several equal subgroups} */
    public static Index ofSubGroups(String podLabel, String subGroupLabel, int subGroupCount) {
      return new Index(podLabel, Optional.of(subGroupLabel), OptionalInt.of(subGroupCount));
    }
  }
}
