package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.JobStartException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Starts jobs: records the admission of a job first, then adds the required settings to its pods
 * and lets it run, so that the admission of a running job is always recorded.
 */
record JobStarter(JobContext context, JobCount count) implements JobStep {
  /**
   * {@return whether an admitted job does not run; for a group of pods, whether pods wait that are
   * to be started}
   */
  boolean isToStart(JobRecord record, JobFacts facts) {
    return JobParts.isGroup(record.job()) ? !count.toStart(record).isEmpty() : facts.isSuspended();
  }

  /**
   * Starts a suspended job that may run, or the pods of a group that wait; others may run already.
   * The admission may have been recorded before.
   */
  void start(JobRecord record, Optional<RecordedAdmission> recorded) {
    if (forgetStartTime(record) != Result.DONE) {
      return;
    }
    Workload workload = record.workload().orElseThrow();
    Admission admission = admission(workload);
    boolean isStoppable = context.isStoppable(record);
    // A start changes a job, and of pods only the waiting ones.
    Optional<RecordedAdmission> kept = recorded.filter(unused -> !isStoppable);
    JobEditor editor = reader().editor();
    HasMetadata original;
    RecordedAdmission written;
    HasMetadata started;
    try {
      original = recorded.isPresent() && isStoppable
          ? editor.stop(record.job(), recorded.get().before())
          : record.job();
      written = kept.isPresent() ? kept.get() : newRecord(record, original);
      started =
          editor.start(original, workload, admission, configuration().flavors(), updates(workload));
    } catch (JobStartException | IllegalArgumentException e) {
      if (kept.isPresent() && reader().isStarted(record.job())) {
        record.become(JobState.ADMITTED, "pods wait that cannot be started: " + e.getMessage());
      } else {
        cannotStart(record, recorded.isPresent(), String.valueOf(e.getMessage()));
      }
      return;
    }
    if (isStoppable) {
      // It is known also if the outcome of a write is not.
      record.setForm(reader().sync().form(original));
    }
    if (!(kept.isPresent() ? records().own(record) == Result.DONE : isStored(record, written))) {
      return;
    }
    HasMetadata edited = JobParts.isGroup(record.job())
        ? onlyStarted(record, started)
        : JobAnnotations.unfenced(started);
    Result result = writes().replace(record, edited);
    if (result == Result.DONE) {
      book().engine().lifecycle().admissionRecorded(workload.id());
      started(record, admission);
    } else if (result == Result.REFUSED
        // If a pod runs, its group keeps the quota, and the others are tried again.
        && (isStoppable || !reader().isStarted(record.job()))) {
      refused(record);
    }
  }

  /**
   * Stores an admission outside the job.
   *
   * @return whether the job may be written now
   */
  private boolean isStored(JobRecord record, RecordedAdmission recorded) {
    Result result = records().store(record, recorded);
    if (result == Result.REFUSED && records().isRecorded(record.job())) {
      refused(record);
    } else if (result == Result.REFUSED) {
      giveUp(record, "the API server refuses to record the admission");
    }
    return result == Result.DONE;
  }

  /** Takes back an admission that cannot be used. */
  private void refused(JobRecord record) {
    record.startRefused(context.now());
    context.stop(record, "FailedToStart", "the API server refuses the start");
  }

  /** {@return the group to write; pods that are not to be started are unchanged} */
  private HasMetadata onlyStarted(JobRecord record, HasMetadata started) {
    ImmutableSet<ObjectKey> toStart =
        count.toStart(record).stream().map(LivePod::key).collect(ImmutableSet.toImmutableSet());
    Map<ObjectKey, HasMetadata> present =
        Maps.uniqueIndex(JobParts.of(record.job()), ObjectKey::of);
    return JobParts.map(
        started,
        part -> toStart.contains(ObjectKey.of(part))
            ? JobAnnotations.unfenced(JobAnnotations.copy(part))
            : Objects.requireNonNull(present.get(ObjectKey.of(part))));
  }

  private void started(JobRecord record, Admission admission) {
    String message = "Admitted by clusterQueue " + admission.clusterQueue();
    record.become(JobState.ADMITTED, message);
    record.startSucceeded();
    events().started(record.job(), admission, message);
    ElasticScaling.warn(events(), record.job(), record.workload().orElseThrow());
  }

  /** Records that a job holds quota which must not run yet. */
  void reserve(JobRecord record) {
    RecordedAdmission recorded = newRecord(record, record.job());
    record.setForm(reader().sync().form(record.job()));
    if (isStored(record, recorded)) {
      reserved(record);
    }
  }

  /** Sets the state of a job that holds quota but must not run yet. */
  void reserved(JobRecord record) {
    String checks = record.id().stream()
        .flatMap(id -> book().status(id).admissionChecks().stream())
        .filter(check -> check.state() != CheckState.READY)
        .map(
            check -> check.name() + (check.message().isEmpty() ? "" : " (" + check.message() + ")"))
        .collect(Collectors.joining(", "));
    record.become(
        JobState.RESERVED,
        "holds quota, waits for admission checks" + (checks.isEmpty() ? "" : ": " + checks));
  }

  /** Writes a changed admission of a job that continues. */
  @CanIgnoreReturnValue
  Result renew(JobRecord record, RecordedAdmission recorded) {
    RecordedAdmission newRecord = recorded
        .withAdmission(admission(record.workload().orElseThrow()))
        .withStatus(book().status(recorded.id()));
    return records().store(record, newRecord);
  }

  private Admission admission(Workload workload) {
    return book()
        .admission(workload.id())
        .orElseThrow(() -> new IllegalStateException(
            "workload " + workload.id() + " holds no quota; expected one that does"));
  }

  /** {@return what the passed admission checks of a workload add to its pods} */
  private List<PodSetUpdate> updates(Workload workload) {
    return book().status(workload.id()).admissionChecks().stream()
        .filter(check -> check.state() == CheckState.READY)
        .flatMap(check -> check.podSetUpdates().stream())
        .toList();
  }

  private RecordedAdmission newRecord(JobRecord record, HasMetadata original) {
    Workload workload = record.workload().orElseThrow();
    JobSnapshot before = reader().editor().snapshot(original);
    return new RecordedAdmission(
        workload, admission(workload), book().status(workload.id()), Optional.empty(), before, "");
  }

  /**
   * Clears the start time, since the API server allows changes of the pods of a Job only without
   * it.
   */
  Result forgetStartTime(JobRecord record) {
    if (record.job() instanceof Job job
        && job.getStatus() != null
        && job.getStatus().getStartTime() != null) {
      Job cleared =
          new JobBuilder(job).editStatus().withStartTime(null).endStatus().build();
      return writes().replaceStatus(record, cleared);
    }
    return Result.DONE;
  }

  private void cannotStart(JobRecord record, boolean isRecorded, String message) {
    events().warning(record.job(), "FailedToStart", message);
    record.setBlocked(record.workload().orElseThrow());
    if (isRecorded) {
      context.stop(record, "FailedToStart", message);
      record.become(JobState.STOPPING, message);
    } else {
      giveUp(record, message);
    }
  }

  private void giveUp(JobRecord record, String message) {
    book().forget(record);
    record.become(JobState.REFUSED, message);
  }
}
