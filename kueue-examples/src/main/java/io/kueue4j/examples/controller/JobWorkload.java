package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.job.JobConversion;
import java.util.Optional;

/** Converts jobs to workloads; records why a job has none. */
final class JobWorkload {
  private final EngineBook book;
  private final JobReader reader;
  private final AdmissionRecords records;
  private final JobEvents events;

  JobWorkload(EngineBook book, JobReader reader, AdmissionRecords records, JobEvents events) {
    this.records = records;
    this.book = book;
    this.reader = reader;
    this.events = events;
  }

  /** {@return the workload of a job to be admitted; if there is none, the reason is recorded} */
  Optional<Workload> of(JobRecord record) {
    return reader
        .convert(record.job())
        .get(0)
        .match(
            converted -> Optional.of(workload(record.job(), converted)),
            notManaged -> {
              book.forget(record);
              record.become(JobState.UNMANAGED, notManaged.message());
              return Optional.empty();
            },
            violations -> {
              book.forget(record);
              invalid(record, Joiner.on("; ").join(violations.violations()));
              return Optional.empty();
            });
  }

  /** {@return the workload of a job before its start, empty if it cannot be converted} */
  Optional<Workload> ofOriginal(HasMetadata job, HasMetadata original) {
    return reader
        .convert(original)
        .get(0)
        .match(
            converted -> Optional.of(workload(job, converted)),
            unused -> Optional.<Workload>empty(),
            unused -> Optional.<Workload>empty());
  }

  private Workload workload(HasMetadata job, JobConversion.Converted converted) {
    return Workload.builder()
        .from(converted.workload())
        .active(records.isActive(job))
        .build();
  }

  /** Records that a job violates rules. */
  void invalid(JobRecord record, String message) {
    if (record.become(JobState.INVALID, message)) {
      events.warning(record.job(), "ErrWorkloadCompose", message);
    }
  }
}
