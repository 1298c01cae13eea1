package io.kueue4j.k8s;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.yaml.Manifest;
import java.util.Optional;

/**
 * A workload of the engine and the job that it was made of.
 *
 * @param workload what was submitted or restored
 * @param job the job as it was seen last, absent while only a Workload object is known
 * @param before what a start changes of the job, as it was before it was started; absent if it was
 *     not seen before
 */
record KnownJob(Workload workload, Optional<HasMetadata> job, Optional<JobSnapshot> before) {
  /** {@return the same; the job has changed while it runs} */
  KnownJob withJob(HasMetadata current) {
    return new KnownJob(workload, Optional.of(current), before);
  }

  /** {@return whether an object of a manifest is the job} */
  boolean isOf(Manifest object) {
    return job.filter(known -> isSame(known, object)).isPresent();
  }

  private static boolean isSame(HasMetadata known, Manifest object) {
    return known.getKind().equals(object.kind())
        && group(known.getApiVersion()).equals(object.group())
        && Optional.ofNullable(known.getMetadata().getName()).equals(object.name())
        && (Strings.isNullOrEmpty(known.getMetadata().getNamespace())
            || Optional.of(known.getMetadata().getNamespace()).equals(object.namespace()));
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
