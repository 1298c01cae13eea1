package io.kueue4j.k8s;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.job.JobSnapshot;
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
}
