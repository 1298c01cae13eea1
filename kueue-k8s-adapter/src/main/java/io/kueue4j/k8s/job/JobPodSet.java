package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A number of equal pods of a job.
 *
 * @param name the name, unique in the job, a lower-case DNS label
 * @param path the field of the job that holds the template, for example {@code spec.template}
 * @param template the pod template; not to be modified
 * @param count the number of pods
 * @param minCount the number of pods that the job can do with, absent if it needs all
 * @param counts the fields that an admission of fewer pods changes, absent if none is
 * @param index the labels by which pods are counted through, absent if they have none
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

  /** {@return this with another template} */
  public JobPodSet withTemplate(PodTemplateSpec newTemplate) {
    return new JobPodSet(name, path, newTemplate, count, minCount, counts, index);
  }

  /** {@return this with another number of pods} */
  public JobPodSet withCount(int newCount) {
    return new JobPodSet(name, path, template, newCount, minCount, counts, index);
  }

  /** {@return this with other count fields} */
  public JobPodSet withCounts(JobCounts newCounts) {
    return new JobPodSet(name, path, template, count, minCount, Optional.of(newCounts), index);
  }

  /** {@return this with pods that are counted through by labels} */
  public JobPodSet withIndex(PodIndex newIndex) {
    return new JobPodSet(name, path, template, count, minCount, counts, Optional.of(newIndex));
  }
}
