package io.kueue4j.examples.simulation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.util.Optional;

/** Reads what a controller has recorded on jobs themselves: quota that they hold, their history. */
@FunctionalInterface
public interface RecordedStates {
  /**
   * The record of one job.
   *
   * @param original the job as it was before its start
   * @param workload its workload, admission and history
   */
  record Recorded(HasMetadata original, ImportedWorkload workload) {}

  /**
   * {@return what is recorded on a job, absent if it is nothing}
   *
   * @param job the job
   * @param workloads converts jobs
   * @throws IllegalArgumentException if it cannot be read; says why
   */
  Optional<Recorded> of(HasMetadata job, JobWorkloads workloads);

  /**
   * {@return whether an admission is recorded on one object: on a job, or on a pod of a group}
   *
   * @param object the object
   */
  default boolean holdsQuota(HasMetadata object) {
    return false;
  }

  /** {@return the reader of jobs on which nothing is recorded} */
  static RecordedStates none() {
    return (job, workloads) -> Optional.empty();
  }
}
