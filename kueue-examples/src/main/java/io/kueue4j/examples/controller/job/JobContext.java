package io.kueue4j.examples.controller.job;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.examples.controller.state.WorkloadPods;
import java.time.Instant;

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
   * Suspends a job without a queue whose parts must not run, and warns users.
   *
   * @return whether that was possible
   */
  boolean suspendMaker(HasMetadata maker, String why) {
    boolean isDone = writes.editAlone(maker, reader.editor()::suspend);
    if (isDone) {
      events.warning(maker, "Suspended", why);
    }
    return isDone;
  }
}
