package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.JobWrites.Result;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.PodGroup;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stops jobs in two phases: one write suspends a job and notes why; when its pods are gone, another
 * makes it what it was before its start and takes the note away. Its quota is free only then.
 */
final class JobStopper {
  private final EngineBook book;
  private final JobReader reader;
  private final JobStarter starter;
  private final JobWrites writes;
  private final JobEvents events;
  private final InstantSource clock;

  JobStopper(
      EngineBook book,
      JobReader reader,
      JobStarter starter,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.reader = reader;
    this.starter = starter;
    this.writes = writes;
    this.events = events;
    this.clock = clock;
  }

  /** Suspends a job that was never asked to run; {@return whether that was possible} */
  Result suspend(JobRecord record) {
    Result result = writes.replace(record, reader.editor().suspend(record.job()));
    if (result == Result.DONE) {
      events.normal(
          record.job(), "Suspended", "Runs without being admitted; suspended until it is");
    }
    return result;
  }

  /** First phase: suspends a job that runs, or is about to, and notes why. */
  void stop(JobRecord record, AdmissionNote note) {
    Stopping why = why(record, note);
    if (record.job() instanceof Pod pod) {
      delete(record, pod, why);
      return;
    }
    WorkloadStatus status = status(note);
    AdmissionNote stopping = note.withStatus(status).withStopping(why);
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    values.put(JobAnnotations.ADMISSION, record.setOwnNote(stopping));
    values.put(JobAnnotations.FENCE, null);
    giveUpIfDeactivated(status, values);
    Result result =
        writes.replace(record, JobAnnotations.set(reader.editor().suspend(record.job()), values));
    if (result == Result.DONE) {
      record.become(JobState.STOPPING, why.message());
      events.normal(record.job(), "Stopped", why.message());
    }
  }

  /** Pods cannot be suspended again: who stops them deletes them. */
  private void delete(JobRecord record, Pod pod, Stopping why) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return;
    }
    Pod target = PodGroup.terminationTarget(pod, why.reason(), why.message(), clock.instant());
    boolean isMarked = pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(condition -> "TerminationTarget".equals(condition.getType()));
    if ((isMarked || writes.replaceStatus(record, target) == Result.DONE)
        && writes.delete(record, record.job()) == Result.DONE) {
      record.become(JobState.STOPPING, why.message());
      events.normal(record.job(), "Stopped", why.message());
    }
  }

  /** Second phase, when the pods of a job are gone: it is as before, and its quota is free. */
  void finish(JobRecord record, AdmissionNote note) {
    if (starter.forgetStartTime(record) != Result.DONE) {
      return;
    }
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    values.put(JobAnnotations.ADMISSION, null);
    values.put(JobAnnotations.FENCE, null);
    boolean startsOver = record.stopping().isPresent();
    if (!startsOver) {
      WorkloadStatus status = book.statusWhenStopped(note.id());
      values.put(JobAnnotations.STATUS, Json.text(StatusJson.write(status)));
      giveUpIfDeactivated(status, values);
    }
    if (writes.replace(record, JobAnnotations.set(restored(record, note), values)) != Result.DONE) {
      return;
    }
    record.setOwnNote("");
    if (startsOver) {
      record.setStopping(null);
      book.forget(record);
    } else {
      book.podsStopped(note.id());
    }
  }

  private HasMetadata restored(JobRecord record, AdmissionNote note) {
    try {
      return reader.editor().stop(record.job(), note.before());
    } catch (JobStartException e) {
      events.warning(
          record.job(), "NotRestored", "left as it is, but suspended: " + e.getMessage());
      return reader.editor().suspend(record.job());
    }
  }

  /**
   * Writes something, so that an earlier write of which nothing is known cannot be made any more.
   */
  void fence(JobRecord record) {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    values.put(JobAnnotations.FENCE, clock.instant().toString());
    writes.replace(record, JobAnnotations.set(JobAnnotations.copy(record.job()), values));
  }

  private static void giveUpIfDeactivated(
      WorkloadStatus status, Map<String, @Nullable String> values) {
    if (EngineBook.isDeactivated(status)) {
      values.put(JobAnnotations.ACTIVE, "false");
    }
  }

  private WorkloadStatus status(AdmissionNote note) {
    WorkloadId id = note.id();
    return book.record(id).isPresent() ? book.status(id) : note.status();
  }

  private Stopping why(JobRecord record, AdmissionNote note) {
    Optional<WorkloadCondition> evicted =
        status(note).condition(ConditionType.EVICTED).filter(WorkloadCondition::isTrue);
    return record
        .stopping()
        .or(note::stopping)
        .or(() -> evicted.map(condition ->
            new Stopping(condition.reason(), condition.message(), condition.lastTransitionTime())))
        .orElseGet(
            () -> new Stopping("NotAdmitted", "The job is not admitted any more", clock.instant()));
  }
}
