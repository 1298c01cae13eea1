package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.PodSetUpdate;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.JobWrites.Result;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.JobStartException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs: one write records the admission of a job, adds the required settings to its pods,
 * and lets it run, so that a running job always carries its admission.
 */
final class JobStarter {
  /** The annotations that are removed when a note is written. */
  private static final Map<String, @Nullable String> OBSOLETE = obsolete();

  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final AdmissionRecords notes;
  private final JobWrites writes;
  private final JobEvents events;
  private final InstantSource clock;

  JobStarter(
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      AdmissionRecords notes,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.configuration = configuration;
    this.reader = reader;
    this.notes = notes;
    this.writes = writes;
    this.events = events;
    this.clock = clock;
  }

  private static Map<String, @Nullable String> obsolete() {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    values.put(JobAnnotations.STATUS, null);
    values.put(JobAnnotations.FENCE, null);
    return Collections.unmodifiableMap(values);
  }

  /** Starts a suspended job that may run; with a note, one that was started before. */
  void start(JobRecord record, Optional<AdmissionNote> note) {
    if (!JobFacts.of(reader.kinds(), record.job()).isStoppable()) {
      startPods(record, note);
      return;
    }
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
      started = reader
          .editor()
          .start(original, workload, admission, configuration.flavors(), updates(workload));
    } catch (JobStartException | IllegalArgumentException e) {
      cannotStart(record, note.isPresent(), String.valueOf(e.getMessage()));
      return;
    }
    AdmissionNote written = newNote(record, before);
    // It is known also if the outcome of a write is not.
    record.setForm(reader.sync().form(original));
    if (!isStored(record, written)) {
      return;
    }
    Result result = write(record, annotated(record, started, written));
    if (result == Result.DONE) {
      book.engine().lifecycle().admissionRecorded(workload.id());
      started(record, admission);
    } else if (result == Result.REFUSED) {
      refused(record, note.isEmpty());
    }
  }

  /**
   * Lets waiting pods run, each with a write that also records the admission. Some pods of a group
   * may already run: then all hold quota by their note.
   */
  private void startPods(JobRecord record, Optional<AdmissionNote> note) {
    HasMetadata job = record.job();
    Workload workload = record.workload().orElseThrow();
    Admission admission = admission(workload);
    AdmissionNote written;
    HasMetadata started;
    try {
      written = note.isPresent() ? note.get() : newNote(record, reader.editor().snapshot(job));
      started = reader
          .editor()
          .start(job, workload, admission, configuration.flavors(), updates(workload));
    } catch (JobStartException | IllegalArgumentException e) {
      if (note.isEmpty() || !runs(job)) {
        cannotStart(record, note.isPresent(), String.valueOf(e.getMessage()));
      } else {
        record.become(JobState.ADMITTED, "pods wait that cannot be started: " + e.getMessage());
      }
      return;
    }
    boolean isStored =
        note.isPresent() ? notes.own(record) == Result.DONE : isStored(record, written);
    if (!isStored) {
      return;
    }
    ImmutableSet<ObjectKey> toStart = podsToStart(record, workload, admission);
    Result result = writes.replace(record, noted(record, started, written, toStart));
    if (result == Result.DONE) {
      book.engine().lifecycle().admissionRecorded(workload.id());
      started(record, admission);
    } else if (result == Result.REFUSED && !runs(record.job())) {
      // Once a pod runs, the quota is held for all, and the others are tried again.
      refused(record, note.isEmpty());
    }
  }

  private boolean runs(HasMetadata job) {
    return JobParts.live(job).stream().anyMatch(part -> !JobFacts.waits(reader.kinds(), part));
  }

  /**
   * Stores an admission outside the job.
   *
   * @return whether the job may be written now
   */
  private boolean isStored(JobRecord record, AdmissionNote note) {
    Result result = notes.store(record, note);
    if (result == Result.REFUSED) {
      giveUp(record, "the API server refuses to record the admission");
    }
    return result == Result.DONE;
  }

  /**
   * Takes back an admission that cannot be used.
   *
   * @param isNew whether the admission was not recorded before
   */
  private void refused(JobRecord record, boolean isNew) {
    String message = "the API server refuses the start";
    if (notes.isSeparate()) {
      record.setStopping(new Stopping("FailedToStart", message, clock.instant()));
    } else if (isNew) {
      giveUp(record, message);
    }
  }

  private ImmutableSet<ObjectKey> podsToStart(
      JobRecord record, Workload workload, Admission admission) {
    HasMetadata job = record.job();
    return JobParts.isGroup(job)
        ? JobFacts.podsToStart(reader.kinds(), job, workload, admission).stream()
            .map(ObjectKey::of)
            .collect(ImmutableSet.toImmutableSet())
        : ImmutableSet.of(record.key());
  }

  /** {@return the pods to write; those that are not to be started are unchanged} */
  private HasMetadata noted(
      JobRecord record, HasMetadata started, AdmissionNote note, Set<ObjectKey> toStart) {
    UnaryOperator<HasMetadata> writer = notes.writer(record, note);
    Map<ObjectKey, HasMetadata> present =
        Maps.uniqueIndex(JobParts.of(record.job()), ObjectKey::of);
    return JobParts.map(
        started,
        part -> toStart.contains(ObjectKey.of(part))
            ? writer.apply(JobAnnotations.setOn(JobAnnotations.copy(part), OBSOLETE))
            : Objects.requireNonNull(present.get(ObjectKey.of(part))));
  }

  private void started(JobRecord record, Admission admission) {
    String message = "Admitted by clusterQueue " + admission.clusterQueue();
    record.become(JobState.ADMITTED, message);
    events.started(record.job(), admission, message);
    ElasticScaling.warn(events, record.job(), record.workload().orElseThrow());
  }

  /** Records that a job holds quota which must not run yet. */
  void reserve(JobRecord record) {
    HasMetadata job = record.job();
    JobSnapshot before = reader.editor().snapshot(job);
    AdmissionNote note = newNote(record, before);
    record.setForm(reader.sync().form(job));
    if (!isStored(record, note)) {
      return;
    }
    Result result = write(record, annotated(record, JobAnnotations.copy(job), note));
    if (result == Result.DONE) {
      reserved(record);
    } else if (result == Result.REFUSED) {
      giveUp(record, "the API server refuses the reservation");
    }
  }

  /** Sets the state of a job that holds quota but must not run yet. */
  void reserved(JobRecord record) {
    String waitsFor = record
        .id()
        .map(id -> book.status(id).admissionChecks().stream()
            .filter(check -> check.state() != CheckState.READY)
            .map(check ->
                check.name() + (check.message().isEmpty() ? "" : " (" + check.message() + ")"))
            .collect(Collectors.joining(", ")))
        .filter(names -> !names.isEmpty())
        .map(names -> ": " + names)
        .orElse("");
    record.become(JobState.RESERVED, "holds quota, waits for admission checks" + waitsFor);
  }

  /** Writes a changed admission of a job that continues. */
  @CanIgnoreReturnValue
  Result renew(JobRecord record, AdmissionNote note) {
    AdmissionNote newNote = note.withAdmission(admission(record.workload().orElseThrow()))
        .withStatus(book.status(note.id()));
    Result stored = notes.store(record, newNote);
    return stored == Result.DONE
        ? write(record, annotated(record, JobAnnotations.copy(record.job()), newNote))
        : stored;
  }

  /** Seals an unchanged note again, and removes what is obsolete beside it. */
  void seal(JobRecord record, AdmissionNote note) {
    write(record, annotated(record, JobAnnotations.copy(record.job()), note));
  }

  /** Seals the status of a waiting job again. */
  void sealStatus(JobRecord record) {
    notes
        .status(record)
        .ifPresent(status ->
            write(record, notes.writeStatus(record, JobAnnotations.copy(record.job()), status)));
  }

  private Admission admission(Workload workload) {
    return book.engine()
        .admission(workload.id())
        .orElseThrow(() -> new IllegalStateException(
            "workload " + workload.id() + " holds no quota; expected one that does"));
  }

  /** {@return what the passed admission checks of a workload add to its pods} */
  private ImmutableList<PodSetUpdate> updates(Workload workload) {
    return book.status(workload.id()).admissionChecks().stream()
        .filter(check -> check.state() == CheckState.READY)
        .flatMap(check -> check.podSetUpdates().stream())
        .collect(ImmutableList.toImmutableList());
  }

  private AdmissionNote newNote(JobRecord record, JobSnapshot before) {
    Workload workload = record.workload().orElseThrow();
    return new AdmissionNote(
        record.uid(),
        workload,
        admission(workload),
        book.status(workload.id()),
        Optional.empty(),
        before);
  }

  private HasMetadata annotated(JobRecord record, HasMetadata copy, AdmissionNote note) {
    return notes.write(record, JobAnnotations.set(copy, OBSOLETE), note);
  }

  private Result write(JobRecord record, HasMetadata edited) {
    return edited.equals(record.job()) ? Result.DONE : writes.replace(record, edited);
  }

  /**
   * Clears the start time, since the API server allows changes of the pods of a Job only without
   * it.
   */
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
      record.become(JobState.STOPPING, message);
    } else {
      giveUp(record, message);
    }
  }

  private void giveUp(JobRecord record, String message) {
    book.forget(record);
    record.become(JobState.REFUSED, message);
  }
}
