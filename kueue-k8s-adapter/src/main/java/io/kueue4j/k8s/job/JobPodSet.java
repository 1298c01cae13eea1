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
    Optional<JobCounts> counts,
    Optional<PodIndex> index) {

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
  public JobPodSet withCounts(JobCounts newCounts) {
    return new JobPodSet(name, path, template, count, minCount, Optional.of(newCounts), index);
  }

  /** {@return this pod set with pods that have an index in labels} */
  public JobPodSet withIndex(PodIndex newIndex) {
    return new JobPodSet(name, path, template, count, minCount, counts, Optional.of(newIndex));
  }
}
