package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.event.EventText;
import io.kueue4j.examples.controller.record.RecordChecks;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobStartException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What every step for a job needs.
 *
 * @param book what the engine has decided
 * @param configuration the queues and flavors
 * @param reader reads jobs
 * @param records the recorded admissions
 * @param pods the pods of jobs
 * @param writes writes jobs
 * @param events tells users about jobs
 */
public record JobContext(
    EngineBook book,
    ClusterConfiguration configuration,
    JobReader reader,
    WorkloadRecords records,
    WorkloadPods pods,
    JobWrites writes,
    JobEventRecorder events) {
  /** {@return the time} */
  public Instant now() {
    return book.now();
  }

  /** {@return whether a job can be suspended while it runs; otherwise it is pods to be deleted} */
  boolean isStoppable(JobRecord record) {
    return reader.isStoppable(record.job());
  }

  /** {@return what the workload of a job holds, empty if it holds no quota} */
  Optional<Admission> admission(JobRecord record) {
    return record.id().flatMap(book::admission);
  }

  /** {@return a job as it was before its start; pods as they are} */
  HasMetadata original(JobRecord record, RecordedAdmission recorded) {
    try {
      return reader.editor().stop(record.job(), recorded.before());
    } catch (JobStartException e) {
      return record.job();
    }
  }

  /**
   * {@return the workload of a job, empty if it has none} Users can deactivate it.
   *
   * @param conversion the conversion of the job, or of its form before its start
   */
  Optional<Workload> workload(JobRecord record, JobConversion conversion) {
    boolean isActive = records.isActive(record.job());
    return conversion instanceof JobConversion.Converted converted
        ? Optional.of(
            Workload.builder().from(converted.workload()).active(isActive).build())
        : Optional.empty();
  }

  /** {@return what compares recorded admissions with the configuration} */
  RecordChecks checks() {
    return new RecordChecks(configuration);
  }

  /**
   * Restores the admission of a job with its status.
   *
   * @return whether that was possible
   */
  @CanIgnoreReturnValue
  boolean restore(JobRecord record, RecordedAdmission recorded, Workload workload) {
    Admission held = checks().held(recorded, workload);
    return book.restore(record, workload, Optional.of(held), recorded.status());
  }

  /** Records which rules a job violates: all on the page, the first ones in the event. */
  public void invalid(JobRecord record, List<?> violations) {
    List<String> texts = violations.stream().map(Object::toString).toList();
    if (record.become(JobState.INVALID, Joiner.on("; ").join(texts))) {
      events.warning(record.job(), "ErrWorkloadCompose", EventText.join(texts));
    }
  }

  /** Takes a job out of the queues that must not be in them, and tells users why. */
  void refuse(JobRecord record, String why) {
    book.forget(record);
    if (record.become(JobState.REFUSED, why)) {
      events.warning(record.job(), "Refused", why);
    }
  }

  /** From now on, a job must stop. */
  void stop(JobRecord record, String reason, String message) {
    record.setStopping(stopping(reason, message));
  }

  /** {@return that a job is being stopped from now on} */
  Stopping stopping(String reason, String message) {
    return new Stopping(reason, message, now());
  }

  /**
   * Deletes a pod of a job, and tells users why.
   *
   * @return whether that succeeded
   */
  @CanIgnoreReturnValue
  boolean delete(JobRecord record, Pod pod, String why) {
    boolean isDone = writes.deletePod(record, pod);
    if (isDone) {
      events.normal(pod, "Stopped", why);
    }
    return isDone;
  }

  /**
   * Suspends jobs without a queue whose parts or pods must not run, and warns users.
   *
   * @return whether that was possible for all
   */
  boolean suspendMakers(List<HasMetadata> makers, String why) {
    boolean all = true;
    for (HasMetadata maker : makers) {
      boolean isDone = writes.editAlone(maker, reader.editor()::suspend);
      if (isDone) {
        events.warning(maker, "Suspended", why);
      }
      all &= isDone;
    }
    return all;
  }
}
