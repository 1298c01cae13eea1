package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.EngineBook.Wish;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.SliceChange;
import java.time.InstantSource;
import java.util.Optional;

/** Brings those jobs on that hold quota by what is written to them. */
final class AdmittedJobs {
  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final JobNotes notes;
  private final NoteChecks checks;
  private final RefusedNotes refused;
  private final JobWorkload workloads;
  private final WorkloadPods pods;
  private final JobStarter starter;
  private final JobStopper stopper;
  private final RunningJobs running;
  private final JobWrites writes;
  private final JobEvents events;
  private final InstantSource clock;

  /** Whether all jobs are known that held quota when this controller began. */
  private boolean begun;

  AdmittedJobs(
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      JobNotes notes,
      NoteChecks checks,
      RefusedNotes refused,
      JobWorkload workloads,
      WorkloadPods pods,
      JobStarter starter,
      JobStopper stopper,
      RunningJobs running,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.configuration = configuration;
    this.reader = reader;
    this.notes = notes;
    this.checks = checks;
    this.refused = refused;
    this.workloads = workloads;
    this.pods = pods;
    this.starter = starter;
    this.stopper = stopper;
    this.running = running;
    this.writes = writes;
    this.events = events;
    this.clock = clock;
  }

  /** Takes what holds quota and was not adopted by now for started by another. */
  void begin() {
    begun = true;
  }

  /** Does the next thing that is to be done about a job with a note. */
  void reconcile(JobRecord record, NoteReading reading, JobFacts facts) {
    AdmissionNote note = reading.note().orElseThrow();
    boolean isKnown = isKnown(record, reading, note) || adopt(record, note);
    if (notes.isRenewalDue(record)) {
      starter.seal(record, note);
      return;
    }
    if (!isKnown) {
      return;
    }
    if (book.record(note.id()).isEmpty()) {
      // It must stop, and holds no quota that the engine could count.
      goOnStopping(record, note, facts);
      return;
    }
    Optional<String> problem = tellChecks(record, note);
    Wish wish = book.wish(note.id());
    if (wish == Wish.RUN && !JobAnnotations.isActive(record.job())) {
      book.tell(lifecycle -> lifecycle.setActive(note.id(), false));
      book.touch();
      wish = book.wish(note.id());
    }
    if (wish == Wish.RUN && !facts.isSuspended()) {
      running.reportNodes(record, facts);
      wish = book.wish(note.id());
    }
    if (wish == Wish.RUN && record.stopping().isEmpty() && note.stopping().isPresent()) {
      // A controller that is none any more has told it to: it may not know better, but pods go.
      record.setStopping(note.stopping().get());
    }
    if (wish == Wish.RUN && record.stopping().isEmpty() && !facts.isSuspended()) {
      if (!shrink(record, note)) {
        stopIfEdited(record, note);
      }
    }
    boolean stops = wish == Wish.STOP || wish == Wish.WAIT || record.stopping().isPresent();
    if (stops) {
      goOnStopping(record, note, facts);
    } else if (wish == Wish.RUN && facts.isSuspended()) {
      starter.start(record, Optional.of(note));
    } else if (wish == Wish.RUN) {
      running.follow(record, note, facts);
    } else if (!facts.isSuspended()) {
      writes.replace(record, reader.editor().suspend(record.job()));
    } else {
      reserved(record, problem);
    }
  }

  /**
   * Stops a job whose note is not believed any more, or was taken away.
   *
   * @param note what was believed before
   */
  void stopRefused(JobRecord record, AdmissionNote note, String why, JobFacts facts) {
    boolean toldByEngine = book.record(note.id()).isPresent() && book.wish(note.id()) == Wish.STOP;
    if (record.stopping().isEmpty() && !toldByEngine) {
      record.setStopping(note.stopping()
          .orElseGet(() -> new Stopping(NoteReading.Refusal.REASON, why, clock.instant())));
    }
    goOnStopping(record, note, facts);
  }

  /** Tells the engine what checks say of a job; {@return why that cannot be read, if so} */
  private Optional<String> tellChecks(JobRecord record, AdmissionNote note) {
    Wish wish = book.wish(note.id());
    if (wish != Wish.RESERVE && wish != Wish.RUN) {
      return Optional.empty();
    }
    try {
      book.setChecks(note.id(), CheckStates.of(record.job()));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("annotation " + JobAnnotations.CHECKS + ": " + e.getMessage());
    }
  }

  private void reserved(JobRecord record, Optional<String> problem) {
    if (problem.isEmpty()) {
      starter.reserved(record);
    } else if (record.become(JobState.RESERVED, problem.get())) {
      events.warning(record.job(), "UnreadableChecks", problem.get());
    }
  }

  /** {@return whether the engine knows of the quota that the note speaks of} */
  private boolean isKnown(JobRecord record, NoteReading reading, AdmissionNote note) {
    if (!record.id().equals(Optional.of(note.id()))) {
      return false;
    }
    Optional<Admission> admission = book.engine().admission(note.id());
    return notes.isOwn(record, reading)
        || admission.filter(held -> hasFlavorsOf(held, note.admission())).isPresent();
  }

  private static boolean hasFlavorsOf(Admission held, Admission noted) {
    return held.clusterQueue().equals(noted.clusterQueue())
        && held.podSetAssignments().stream()
            .map(PodSetAssignment::flavors)
            .toList()
            .equals(noted.podSetAssignments().stream()
                .map(PodSetAssignment::flavors)
                .toList());
  }

  /**
   * Takes a job in as its note says, but counts what its pods request. If this controller did not
   * write the note, and goes on already, another has started the job by mistake: it has to stop, as
   * nobody has counted on it; and so it has if it may not hold what the note says.
   *
   * @return whether what is to be done is known; if not, the job runs on until its queue is back
   */
  boolean adopt(JobRecord record, AdmissionNote note) {
    boolean late = begun && !record.isHomeless(note);
    book.forget(record);
    HasMetadata original = original(record, note);
    Optional<Workload> read = workloads.ofOriginal(record.job(), original);
    boolean same = read.filter(note::isOf).isPresent();
    Workload workload = same
        ? Workload.builder()
            .from(read.get())
            .name(note.workload().name())
            .queueName(note.workload().queueName())
            .build()
        : read.map(note::requesting).orElse(note.workload());
    Optional<String> misfit = checks.misfit(note);
    boolean given = EngineBook.isDeactivated(note.status());
    boolean restored = book.restore(
        record,
        workload,
        given ? Optional.empty() : Optional.of(NoteChecks.counted(note.admission(), workload)),
        note.status());
    if (!restored && !late && misfit.isEmpty()) {
      record.setHomeless(note);
      record.become(
          JobState.ADMITTED,
          "ClusterQueue " + note.admission().clusterQueue()
              + " does not know of it: there is none of that name, or it cannot be so");
      return false;
    }
    record.setHomeless(null);
    record.notes().setOwnContent(notes.read(record).content());
    if (same && isStoppable(record)) {
      record.setForm(reader.sync().form(original));
    }
    boolean toldByEngine = restored && book.wish(note.id()) == Wish.STOP;
    misfit.ifPresent(why -> refused.report(record, why));
    if (note.stopping().isPresent() && !toldByEngine) {
      record.setStopping(note.stopping().get());
    } else if (misfit.isPresent()) {
      stop(record, NoteReading.Refusal.REASON, misfit.get());
    } else if (!same && isStoppable(record)) {
      stop(record, "JobChanged", "The job is another than the one that was admitted");
    } else if (late) {
      stop(record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  /** {@return why an unsealed note of an earlier version is not accepted, absent if it is} */
  Optional<String> contradiction(JobRecord record, AdmissionNote note) {
    HasMetadata original = original(record, note);
    Optional<Workload> read = workloads.ofOriginal(record.job(), original);
    Optional<String> contradiction = checks.contradiction(record, note, read);
    boolean runs = !JobFacts.of(reader.kinds(), record.job()).isSuspended();
    if (contradiction.isPresent() || !runs || !isStoppable(record)) {
      return contradiction;
    }
    ImmutableList<String> differences = reader
        .sync()
        .differences(
            record.job(),
            reader.sync().form(original),
            note.admission(),
            true,
            configuration.flavors());
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the job is another than the note says: " + Joiner.on("; ").join(differences));
  }

  /** {@return whether it is more than pods, which cannot be changed, and are replaced} */
  private boolean isStoppable(JobRecord record) {
    return JobFacts.of(reader.kinds(), record.job()).isStoppable();
  }

  private HasMetadata original(JobRecord record, AdmissionNote note) {
    try {
      return isStoppable(record) ? reader.editor().stop(record.job(), note.before()) : record.job();
    } catch (JobStartException e) {
      return record.job();
    }
  }

  private void stop(JobRecord record, String reason, String message) {
    record.setStopping(new Stopping(reason, message, clock.instant()));
  }

  /**
   * An elastic job that is to have fewer pods goes on with these, and gives back the quota of the
   * others; {@return whether that is so}
   */
  private boolean shrink(JobRecord record, AdmissionNote note) {
    Optional<Workload> current = record.workload().filter(Workload::elastic);
    if (current.isEmpty()) {
      return false;
    }
    HasMetadata original = original(record, note);
    Optional<Workload> smaller = workloads
        .ofOriginal(record.job(), original)
        .map(wanted -> SliceChange.between(current.get(), true, wanted))
        .filter(change -> change.kind() == SliceChange.Kind.UPDATE)
        .map(SliceChange::workload)
        .filter(workload -> book.changed(record, workload));
    smaller.ifPresent(workload -> {
      record.setForm(reader.sync().form(original));
      starter.renew(record, note.withWorkload(workload));
    });
    return smaller.isPresent();
  }

  private void stopIfEdited(JobRecord record, AdmissionNote note) {
    ImmutableMap<String, ResourceFlavor> flavors = configuration.flavors();
    boolean allKnown = note.admission().podSetAssignments().stream()
        .allMatch(
            assignment -> flavors.keySet().containsAll(assignment.flavors().values()));
    if (record.form().isEmpty() || !allKnown) {
      return;
    }
    ImmutableList<String> differences = reader
        .sync()
        .differences(record.job(), record.form().get(), note.admission(), true, flavors);
    if (!differences.isEmpty()) {
      stop(record, "JobChanged", Joiner.on("; ").join(differences));
    }
  }

  private void goOnStopping(JobRecord record, AdmissionNote note, JobFacts facts) {
    boolean isActive = facts.isActive() || pods.isActive(record.key(), record.uid(), note.id());
    if (!facts.isSuspended() || (isActive && note.stopping().isEmpty())) {
      stopper.stop(record, note);
    } else if (isActive) {
      record.become(JobState.STOPPING, note.stopping().map(Stopping::message).orElse(""));
    } else {
      stopper.finish(record, note);
    }
  }
}
