package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.event.EventText;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobStartException;
import java.util.List;
import java.util.Optional;

/**
 * Converts jobs to workloads; records why a job has none.
 *
 * @param context what every step needs
 */
public record JobWorkload(JobContext context) implements JobStep {
  /** {@return the workload of a job to be admitted; if there is none, the reason is recorded} */
  Optional<Workload> of(JobRecord record) {
    return reader()
        .convert(record.job())
        .match(
            converted -> Optional.of(workload(record.job(), converted)),
            notManaged -> {
              book().forget(record);
              unmanaged(record, notManaged);
              return Optional.empty();
            },
            violations -> {
              book().forget(record);
              invalid(record, violations.violations());
              return Optional.empty();
            });
  }

  /** Records why a job is not queued, with an event if it waits for what will not come. */
  private void unmanaged(JobRecord record, JobConversion.NotManaged notManaged) {
    boolean isNews = record.become(JobState.UNMANAGED, notManaged.message());
    if (isNews && waitsInVain(record.job(), notManaged.reason())) {
      events().warning(record.job(), "NotQueued", notManaged.message());
    }
  }

  /** A pod of a StatefulSet waits for its group, which it does not have at first. */
  private boolean waitsInVain(HasMetadata job, JobConversion.Reason reason) {
    return reader().facts(job).isSuspended()
        && reader().namesQueue(job)
        && (reason == JobConversion.Reason.NO_QUEUE_NAME
            || (reason == JobConversion.Reason.MANAGED_BY_PARENT && reader().isStoppable(job)));
  }

  /** {@return the workload of a job before its start, empty if it cannot be converted} */
  Optional<Workload> ofOriginal(HasMetadata job, HasMetadata original) {
    return reader()
        .convert(original)
        .match(
            converted -> Optional.of(workload(job, converted)),
            unused -> Optional.<Workload>empty(),
            unused -> Optional.<Workload>empty());
  }

  private Workload workload(HasMetadata job, JobConversion.Converted converted) {
    return Workload.builder()
        .from(converted.workload())
        .active(records().isActive(job))
        .build();
  }

  /** Records which rules a job violates: all on the page, the first ones in the event. */
  public void invalid(JobRecord record, List<?> violations) {
    ImmutableList<String> texts =
        violations.stream().map(Object::toString).collect(ImmutableList.toImmutableList());
    if (record.become(JobState.INVALID, Joiner.on("; ").join(texts))) {
      events().warning(record.job(), "ErrWorkloadCompose", EventText.join(texts));
    }
  }

  /** {@return a job as it was before its start; a group of pods as it is} */
  HasMetadata original(JobRecord record, RecordedAdmission recorded) {
    try {
      return reader().isStoppable(record.job())
          ? reader().editor().stop(record.job(), recorded.before())
          : record.job();
    } catch (JobStartException e) {
      return record.job();
    }
  }
}
