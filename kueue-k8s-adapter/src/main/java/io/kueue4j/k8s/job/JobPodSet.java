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
 */
public record JobPodSet(
    String name,
    String path,
    PodTemplateSpec template,
    int count,
    OptionalInt minCount,
    Optional<JobCounts> counts) {

  /** {@return a pod set that is admitted with all its pods or not at all} */
  public static JobPodSet of(String name, String path, PodTemplateSpec template, int count) {
    return new JobPodSet(name, path, template, count, OptionalInt.empty(), Optional.empty());
  }

  /** {@return this with another template} */
  public JobPodSet withTemplate(PodTemplateSpec newTemplate) {
    return new JobPodSet(name, path, newTemplate, count, minCount, counts);
  }

  /** {@return this with other count fields} */
  public JobPodSet withCounts(JobCounts newCounts) {
    return new JobPodSet(name, path, template, count, minCount, Optional.of(newCounts));
  }
}
