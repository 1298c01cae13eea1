package io.kueue4j.examples.controller.job;

import com.google.common.collect.Lists;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.RestartHistory;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.PodGroup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stops jobs in two phases: the first records why and suspends the job; when its pods are gone, the
 * second restores the job and removes its admission. Only then its quota is released.
 */
record JobStopper(JobContext context, boolean delaysRestarts, JobStarter starter)
    implements JobStep {
  /** Suspends a job that should not run. */
  void suspend(JobRecord record) {
    if (writeSuspended(record, reader().editor().suspend(record.job()))) {
      events()
          .normal(record.job(), "Suspended", "Runs without being admitted; suspended until it is");
    }
  }

  /**
   * Writes the suspended form of a job.
   *
   * @return whether that succeeded
   */
  private boolean writeSuspended(JobRecord record, HasMetadata suspended) {
    boolean runs = !reader().facts(record.job()).isSuspended();
    boolean isDone = writes().replace(record, suspended) == Result.DONE;
    if (isDone && runs) {
      record.suspended();
    }
    return isDone;
  }

  /** First phase: suspends a job that runs, or is about to, and records why. */
  void stop(JobRecord record, RecordedAdmission recorded) {
    Stopping why = why(record, recorded);
    RecordedAdmission stopping = recorded.withStatus(status(recorded)).withStopping(why);
    Result stored = records().store(record, stopping);
    // A record that the API server refuses, for its size for example, must not let the job run.
    if (stored != Result.LATER || records().isMissing(record)) {
      halt(record, why);
    }
  }

  private void halt(JobRecord record, Stopping why) {
    if (!context.isStoppable(record)) {
      delete(record, why);
    } else if (writeSuspended(
        record, JobAnnotations.unfenced(reader().editor().suspend(record.job())))) {
      record.become(JobState.STOPPING, why.message());
      events().normal(record.job(), "Stopped", why.message());
    }
  }

  /**
   * Suspends a job that runs without a valid admission. Its original form is unknown, so its pods
   * are not changed.
   */
  void expel(JobRecord record, String message) {
    // Without its last part, nobody would know the job.
    if (deleteStrays(record)) {
      halt(record, context.stopping(JobEventRecorder.ADMISSION_REFUSED, message));
    }
  }

  /** Stops pods by deletion, because they cannot be suspended again. */
  private void delete(JobRecord record, Stopping why) {
    List<Pod> running = JobParts.live(record.job()).stream()
        .filter(part -> !JobParts.isDeleted(part) && !reader().waits(part))
        .map(Pod.class::cast)
        .toList();
    if (running.stream().allMatch(pod -> delete(record, pod, why))
        && record.become(JobState.STOPPING, why.message())
        && !running.isEmpty()) {
      events().normal(record.job(), "Stopped", why.message());
    }
  }

  /**
   * Deletes a pod and records why.
   *
   * @return whether that succeeded
   */
  private boolean delete(JobRecord record, Pod pod, Stopping why) {
    Pod target = PodGroup.terminationTarget(pod, why.reason(), why.message(), context.now());
    boolean isMarked = pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(condition -> "TerminationTarget".equals(condition.getType()));
    if (!isMarked && writes().replaceStatus(record, target) != Result.DONE) {
      return false;
    }
    Pod current = pods().find(ObjectKey.of(pod)).map(LivePod::pod).orElse(pod);
    return writes().delete(record, current) == Result.DONE;
  }

  /** Deletes excess pods of a group. */
  void deleteExcess(JobRecord record) {
    for (Pod pod : JobParts.excess(record.job())) {
      if (writes().delete(record, pod) == Result.DONE) {
        events().normal(pod, "ExcessPodDeleted", "The group has more pods than it is to have");
      }
    }
  }

  /** Deletes pods that do not fit into the quota that their job holds. */
  void deleteExceeding(JobRecord record, List<LivePod> pods) {
    String why = "The pods of " + record.key() + " request more than it was admitted for";
    boolean unused = delete(record, Lists.transform(pods, LivePod::pod), why);
  }

  /**
   * Deletes the pods of a job that is being stopped and does not control them any more, and
   * suspends what would create them again.
   *
   * @return whether that succeeded for all
   */
  @CanIgnoreReturnValue
  boolean deleteStrays(JobRecord record) {
    String why = "started for " + record.key() + ", which must stop";
    List<Pod> strays = Lists.transform(pods().strays(record), LivePod::pod);
    boolean isDone = context.suspendMakers(reader().makers(strays), "Its pods were " + why);
    return delete(record, strays, "The pod was " + why) && isDone;
  }

  private boolean delete(JobRecord record, Iterable<Pod> pods, String why) {
    boolean all = true;
    for (Pod pod : pods) {
      all &= context.delete(record, pod, why);
    }
    return all;
  }

  /** Second phase, when the pods of a job are gone: restores the job, and releases its quota. */
  void finish(JobRecord record, RecordedAdmission recorded) {
    if (starter.forgetStartTime(record) != Result.DONE) {
      return;
    }
    HasMetadata restored = restored(record, recorded);
    boolean startsOver = record.stopping().isPresent();
    WorkloadStatus status = startsOver
        ? recorded.withStatus(pending(record.stopping().get().message())).status()
        : book().statusWhenStopped(recorded.id());
    if (!startsOver) {
      restored =
          JobAnnotations.set(restored, JobAnnotations.RESTARTS, restarts(record, recorded, status));
    }
    boolean isRetry = record.memory().isRemoving() && !record.isUncertain();
    record.memory().removing();
    HasMetadata edited = outdating(record.job(), restored, isRetry);
    if (writes().replaceIfChanged(record, record.job(), edited) != Result.DONE
        || records().release(record, status) != Result.DONE) {
      return;
    }
    record.memory().removed();
    if (startsOver) {
      record.setStopping(null);
      book().forget(record);
    } else {
      book().podsStopped(recorded.id());
    }
    records().kept(record).ifPresent(why -> context.refuse(record, why));
  }

  /**
   * {@return the job to write, which is never the stored one, so that an earlier start with unknown
   * outcome cannot succeed after the quota was released}
   *
   * @param isRetry whether the job was written before, and is only to be released
   */
  private HasMetadata outdating(HasMetadata job, HasMetadata restored, boolean isRetry) {
    String fence = isRetry ? JobAnnotations.get(job, JobAnnotations.FENCE) : "";
    return JobAnnotations.set(
        restored, JobAnnotations.FENCE, fence.isEmpty() ? context.now().toString() : fence);
  }

  private WorkloadStatus pending(String message) {
    WorkloadCondition condition = new WorkloadCondition(
        ConditionType.QUOTA_RESERVED, false, "Pending", message, context.now());
    return WorkloadStatus.builder().addConditions(condition).build();
  }

  /** {@return the restart history after a run has ended, null if there is none} */
  private @Nullable String restarts(
      JobRecord record, RecordedAdmission recorded, WorkloadStatus status) {
    Instant start = recorded.admission().quotaReservedTime();
    return evicted(status)
        .filter(condition ->
            delaysRestarts && condition.reason().equals(EvictionReason.PREEMPTED.toString()))
        .flatMap(condition -> RestartHistory.of(record.job())
            .withRun(start, condition.lastTransitionTime(), context.now())
            .text())
        .orElse(null);
  }

  private static Optional<WorkloadCondition> evicted(WorkloadStatus status) {
    return status.condition(ConditionType.EVICTED).filter(WorkloadCondition::isTrue);
  }

  private HasMetadata restored(JobRecord record, RecordedAdmission recorded) {
    if (!context.isStoppable(record)) {
      return JobAnnotations.copy(record.job());
    }
    try {
      return reader().editor().stop(record.job(), recorded.before());
    } catch (JobStartException e) {
      events()
          .warning(record.job(), "NotRestored", "left as it is, but suspended: " + e.getMessage());
      return reader().editor().suspend(record.job());
    }
  }

  /** {@return the status of the job; the recorded one if the engine does not count its quota} */
  private WorkloadStatus status(RecordedAdmission recorded) {
    return book()
        .record(recorded.id())
        .map(unused -> book().status(recorded.id()))
        .filter(status -> status.isTrue(ConditionType.QUOTA_RESERVED))
        .orElse(recorded.status());
  }

  private Stopping why(JobRecord record, RecordedAdmission recorded) {
    return record
        .stopping()
        .or(recorded::stopping)
        .or(() -> evicted(status(recorded))
            .map(condition -> new Stopping(
                condition.reason(), condition.message(), condition.lastTransitionTime())))
        .orElseGet(() -> context.stopping("NotAdmitted", "The job is not admitted any more"));
  }
}
