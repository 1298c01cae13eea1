package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * The Workloads to create for jobs in their original form; the Workloads of the last versions are
 * kept.
 */
final class WantedWorkloads {
  private final JobReader reader;
  private final Map<ObjectKey, Wanted> wantedByJob = new HashMap<>();

  private record Wanted(HasMetadata job, Workload workload, GenericKubernetesResource object) {}

  WantedWorkloads(JobReader reader) {
    this.reader = reader;
  }

  /** {@return the Workload to create for a job, with what is needed to restore the job} */
  @SuppressWarnings("ReferenceEquality") // which version of the job it is, not what it says
  GenericKubernetesResource of(JobRecord record, Workload workload) {
    Wanted before = wantedByJob.get(record.key());
    if (before != null && before.job() == record.job() && before.workload().equals(workload)) {
      return before.object();
    }
    GenericKubernetesResource wanted = WorkloadContent.content(
        reader, record.job(), workload, reader.editor().snapshot(record.job()));
    wantedByJob.put(record.key(), new Wanted(record.job(), workload, wanted));
    return wanted;
  }

  /** Forgets a job that is gone. */
  void forget(ObjectKey job) {
    wantedByJob.remove(job);
  }
}
