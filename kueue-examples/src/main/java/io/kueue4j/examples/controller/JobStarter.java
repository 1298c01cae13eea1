package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.JobWrites.Result;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.JobStartException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs: one write says on what a job was admitted, gives its pods what that asks for, and
 * lets it run, so that a job which runs always says why it may.
 */
final class JobStarter {
  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final JobWrites writes;
  private final JobEvents events;
  private final InstantSource clock;

  JobStarter(
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.configuration = configuration;
    this.reader = reader;
    this.writes = writes;
    this.events = events;
    this.clock = clock;
  }

  /** Starts a suspended job that may run; one with a note from what it was before that. */
  void start(JobRecord record, Optional<AdmissionNote> note) {
    if (forgetStartTime(record) != Result.DONE) {
      return;
    }
    HasMetadata job = record.job();
    Workload workload = record.workload().orElseThrow();
    Admission admission = admission(workload);
    HasMetadata original;
    JobSnapshot before;
    HasMetadata started;
    try {
      original = note.isPresent() ? reader.editor().stop(job, note.get().before()) : job;
      before = reader.editor().snapshot(original);
      started = reader.editor().start(original, workload, admission, configuration.flavors());
    } catch (JobStartException | IllegalArgumentException e) {
      cannotStart(record, note.isPresent(), String.valueOf(e.getMessage()));
      return;
    }
    Result result = write(record, annotated(record, started, before));
    if (result == Result.DONE) {
      record.setForm(reader.sync().form(original));
      book.engine().admissionRecorded(workload.id());
      String message = "Admitted by clusterQueue " + admission.clusterQueue();
      record.become(JobState.ADMITTED, message);
      events.normal(record.job(), "Started", message);
    } else if (result == Result.REFUSED && note.isEmpty()) {
      giveUp(record, "the API server refuses the start");
    }
  }

  /** Writes that a job holds quota which is not to run yet. */
  void reserve(JobRecord record) {
    HasMetadata job = record.job();
    JobSnapshot before = reader.editor().snapshot(job);
    Result result = write(record, annotated(record, JobAnnotations.copy(job), before));
    if (result == Result.DONE) {
      record.setForm(reader.sync().form(job));
      reserved(record);
    } else if (result == Result.REFUSED) {
      giveUp(record, "the API server refuses the reservation");
    }
  }

  /** Notes that a job holds quota which is not to run yet. */
  static void reserved(JobRecord record) {
    record.become(JobState.RESERVED, "holds quota, waits for admission checks");
  }

  /** Writes an admission that is another than the note says, of a job that goes on. */
  void renew(JobRecord record, AdmissionNote note) {
    AdmissionNote newNote = note.withAdmission(admission(record.workload().orElseThrow()))
        .withStatus(book.status(note.id()));
    write(record, annotated(record, JobAnnotations.copy(record.job()), newNote));
  }

  private Admission admission(Workload workload) {
    return book.engine()
        .admission(workload.id())
        .orElseThrow(() -> new IllegalStateException(
            "workload " + workload.id() + " holds no quota; expected one that does"));
  }

  private HasMetadata annotated(JobRecord record, HasMetadata copy, JobSnapshot before) {
    Workload workload = record.workload().orElseThrow();
    return annotated(
        record,
        copy,
        new AdmissionNote(
            record.uid(),
            workload,
            admission(workload),
            book.status(workload.id()),
            Optional.empty(),
            before));
  }

  private static HasMetadata annotated(JobRecord record, HasMetadata copy, AdmissionNote note) {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    values.put(JobAnnotations.ADMISSION, record.setOwnNote(note));
    values.put(JobAnnotations.STATUS, null);
    values.put(JobAnnotations.FENCE, null);
    return JobAnnotations.set(copy, values);
  }

  private Result write(JobRecord record, HasMetadata edited) {
    return writes.replace(record, edited);
  }

  /** The API server lets the pods of a Job be edited only if it has no start time any more. */
  Result forgetStartTime(JobRecord record) {
    if (record.job() instanceof Job job
        && job.getStatus() != null
        && job.getStatus().getStartTime() != null) {
      return writes.replaceStatus(
          record,
          new JobBuilder(job).editStatus().withStartTime(null).endStatus().build());
    }
    return Result.DONE;
  }

  private void cannotStart(JobRecord record, boolean isNoted, String message) {
    events.warning(record.job(), "FailedToStart", message);
    record.setBlocked(record.workload().orElseThrow());
    if (isNoted) {
      record.setStopping(new Stopping("FailedToStart", message, clock.instant()));
    } else {
      giveUp(record, message);
    }
  }

  private void giveUp(JobRecord record, String message) {
    book.forget(record);
    record.become(JobState.REFUSED, message);
  }
}
