package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.EngineBook.Wish;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobStartException;
import io.kueue4j.k8s.job.SubmissionPolicy;
import io.kueue4j.k8s.topology.PodPlacement;
import io.kueue4j.k8s.topology.PodPlacer;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Brings what the cluster says of one job and what the engine wants of it together, one step at a
 * time. Nothing is assumed: each step starts from the job as it was seen last.
 */
final class JobReconciler {
  private final ControllerOptions options;
  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final WorkloadPods pods;
  private final JobStarter starter;
  private final JobStopper stopper;
  private final JobWrites writes;
  private final JobEvents events;
  private final InstantSource clock;

  /** Whether all jobs are known that held quota when this controller began. */
  private boolean begun;

  JobReconciler(
      ControllerOptions options,
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      WorkloadPods pods,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.options = options;
    this.book = book;
    this.configuration = configuration;
    this.reader = reader;
    this.pods = pods;
    this.writes = writes;
    this.events = events;
    this.clock = clock;
    starter = new JobStarter(book, configuration, reader, writes, events, clock);
    stopper = new JobStopper(book, reader, starter, writes, events, clock);
  }

  /** Takes a job in that holds quota as its note says, before anything is decided. */
  void restore(JobRecord record) {
    try {
      Optional<AdmissionNote> note = record.note();
      if (note.isPresent()
          && JobFacts.of(reader.kinds(), record.job()).outcome().isEmpty()) {
        adopt(record, note.get());
      }
    } catch (IllegalArgumentException e) {
      // Told again, and acted on, when the job's turn comes.
      record.become(JobState.INVALID, String.valueOf(e.getMessage()));
    }
  }

  /** Takes what holds quota and was not restored by now for started by another. */
  void begin() {
    begun = true;
  }

  /** Does the next thing that is to be done about a job, if there is one. */
  void reconcile(JobRecord record) {
    try {
      JobFacts facts = JobFacts.of(reader.kinds(), record.job());
      if (facts.outcome().isPresent()) {
        book.forget(record);
        record.become(JobState.FINISHED, facts.outcome().get().message());
        return;
      }
      Optional<AdmissionNote> note = note(record);
      if (note.isPresent()) {
        reconcileNoted(record, note.get(), facts);
      } else if (!facts.isSuspended()) {
        reconcileRunning(record, facts);
      } else {
        reconcileWaiting(record);
      }
    } catch (InvalidConfigurationException e) {
      invalid(record, Joiner.on("; ").join(e.violations()));
    }
  }

  private Optional<AdmissionNote> note(JobRecord record) {
    try {
      return record.note();
    } catch (IllegalArgumentException e) {
      if (record.become(
          JobState.INVALID, "annotation " + JobAnnotations.ADMISSION + ": " + e.getMessage())) {
        events.warning(record.job(), "UnreadableAdmission", record.messages().get(0));
      }
      return Optional.empty();
    }
  }

  // ----- jobs without a note

  /** Somebody lets a job run that holds no quota. */
  private void reconcileRunning(JobRecord record, JobFacts facts) {
    Optional<Workload> workload = workload(record);
    if (workload.isPresent() && facts.isStoppable()) {
      stopper.suspend(record);
    } else if (workload.isPresent()) {
      book.forget(record);
      record.become(JobState.UNMANAGED, "runs already, and cannot be suspended");
    }
  }

  private void reconcileWaiting(JobRecord record) {
    Optional<Workload> read = workload(record);
    if (read.isEmpty()) {
      return;
    }
    Workload workload = read.get();
    if (record.stopping().isPresent()) {
      record.setStopping(null);
      book.forget(record);
    }
    if (pods.isActive(record.key(), record.uid(), workload.id())
        || JobFacts.of(reader.kinds(), record.job()).isActive()) {
      record.become(JobState.STOPPING, "pods of an earlier run are still there");
      return;
    }
    if (!isAllowed(record, workload) || !isQueued(record, workload)) {
      return;
    }
    WorkloadId id = workload.id();
    switch (book.wish(id)) {
      case RUN -> starter.start(record, Optional.empty());
      case RESERVE -> starter.reserve(record);
      case STOP -> {
        if (isCertain(record)) {
          book.podsStopped(id);
          pending(record);
        }
      }
      case WAIT -> {
        if (isCertain(record)) {
          pending(record);
        }
      }
    }
  }

  private static void pending(JobRecord record) {
    record.become(JobState.PENDING);
  }

  /** {@return whether it is known that the job is as it was seen last; if not, sees to it} */
  private boolean isCertain(JobRecord record) {
    if (record.isUncertain()) {
      stopper.fence(record);
    }
    return !record.isUncertain();
  }

  /** {@return whether no policy is against the job, and it could not be shown not to start} */
  private boolean isAllowed(JobRecord record, Workload workload) {
    if (record.blocked().filter(workload::equals).isPresent()) {
      return false;
    }
    record.setBlocked(null);
    if (options.policies().isEmpty()) {
      return true;
    }
    ImmutableMap<String, String> labels = configuration.all(Namespace.class).stream()
        .filter(namespace -> namespace.name().equals(workload.namespace()))
        .map(namespace -> ImmutableMap.copyOf(namespace.labels()))
        .findFirst()
        .orElse(ImmutableMap.of());
    Optional<SubmissionPolicy.Denial> denial =
        SubmissionPolicy.check(reader.kinds(), record.job(), labels, options.policies());
    denial.ifPresent(found -> {
      book.forget(record);
      if (record.become(JobState.REFUSED, found.message())) {
        events.warning(record.job(), "Refused", found.message());
      }
    });
    return denial.isEmpty();
  }

  /** {@return whether the engine knows the job as it is now} */
  private boolean isQueued(JobRecord record, Workload workload) {
    Optional<Workload> known = record.workload();
    if (known.equals(Optional.of(workload))) {
      return true;
    }
    Optional<String> problem;
    if (known.isPresent()
        && known.get().id().equals(workload.id())
        && book.wish(workload.id()) == Wish.WAIT) {
      problem = book.update(record, workload);
    } else {
      if (!isCertain(record)) {
        return false;
      }
      book.forget(record);
      problem = book.submit(record, workload, statusOf(record));
    }
    problem.ifPresent(message -> {
      book.forget(record);
      invalid(record, message);
    });
    return problem.isEmpty();
  }

  private static Optional<WorkloadStatus> statusOf(JobRecord record) {
    try {
      return JobAnnotations.status(record.job());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@return the workload of a job that is to be admitted; if there is none, says why} */
  private Optional<Workload> workload(JobRecord record) {
    ImmutableList<JobConversion> conversions = reader.convert(record.job());
    if (conversions.size() > 1 || JobFacts.of(reader.kinds(), record.job()).startsByPods()) {
      record.become(JobState.UNMANAGED, "its pods are admitted, and not it");
      return Optional.empty();
    }
    return conversions
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

  private static Workload workload(HasMetadata job, JobConversion.Converted converted) {
    return Workload.builder()
        .from(converted.workload())
        .active(JobAnnotations.isActive(job))
        .build();
  }

  private void invalid(JobRecord record, String message) {
    if (record.become(JobState.INVALID, message)) {
      events.warning(record.job(), "ErrWorkloadCompose", message);
    }
  }

  // ----- jobs with a note

  private void reconcileNoted(JobRecord record, AdmissionNote note, JobFacts facts) {
    if (!isKnown(record, note) && !adopt(record, note)) {
      return;
    }
    Wish wish = book.wish(note.id());
    if (wish == Wish.RUN && !JobAnnotations.isActive(record.job())) {
      book.engine().lifecycle().setActive(note.id(), false);
      book.touch();
      wish = book.wish(note.id());
    }
    if (wish == Wish.RUN && record.stopping().isEmpty() && note.stopping().isPresent()) {
      // A controller that is none any more has told it to: it may not know better, but pods go.
      record.setStopping(note.stopping().get());
    }
    if (wish == Wish.RUN && record.stopping().isEmpty() && !facts.isSuspended()) {
      stopIfEdited(record, note);
    }
    boolean stops = wish == Wish.STOP || wish == Wish.WAIT || record.stopping().isPresent();
    if (stops) {
      goOnStopping(record, note, facts);
    } else if (wish == Wish.RUN && facts.isSuspended()) {
      starter.start(record, Optional.of(note));
    } else if (wish == Wish.RUN) {
      follow(record, note, facts);
    } else if (!facts.isSuspended()) {
      writes.replace(record, reader.editor().suspend(record.job()));
    } else {
      JobStarter.reserved(record);
    }
  }

  /** {@return whether the engine knows of the quota that the note speaks of} */
  private boolean isKnown(JobRecord record, AdmissionNote note) {
    if (!record.id().equals(Optional.of(note.id()))) {
      return false;
    }
    Optional<Admission> admission = book.engine().admission(note.id());
    return JobAnnotations.get(record.job(), JobAnnotations.ADMISSION).equals(record.ownNote())
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
   * Takes a job in as its note says; {@return whether that was possible}. If this controller did
   * not write the note, and goes on already, another has started the job by mistake: it has to
   * stop, as nobody has counted on it.
   */
  private boolean adopt(JobRecord record, AdmissionNote note) {
    boolean late = begun && !record.isHomeless();
    book.forget(record);
    HasMetadata original = original(record, note);
    Optional<Workload> read = reader
        .convert(original)
        .get(0)
        .match(
            converted -> Optional.of(workload(record.job(), converted)),
            unused -> Optional.<Workload>empty(),
            unused -> Optional.<Workload>empty());
    boolean same = read.filter(note::isOf).isPresent();
    Workload workload = same
        ? Workload.builder()
            .from(read.get())
            .name(note.workload().name())
            .queueName(note.workload().queueName())
            .build()
        : note.workload();
    boolean given = EngineBook.isDeactivated(note.status());
    if (!book.restore(
        record,
        workload,
        given ? Optional.empty() : Optional.of(note.admission()),
        note.status())) {
      record.setHomeless(true);
      record.become(
          JobState.ADMITTED,
          "ClusterQueue " + note.admission().clusterQueue()
              + " does not know of it: there is none of that name, or it cannot be so");
      return false;
    }
    record.setHomeless(false);
    record.setOwnNote(JobAnnotations.get(record.job(), JobAnnotations.ADMISSION));
    if (same) {
      record.setForm(reader.sync().form(original));
    }
    boolean toldByEngine = book.wish(note.id()) == Wish.STOP;
    if (note.stopping().isPresent() && !toldByEngine) {
      record.setStopping(note.stopping().get());
    } else if (!same) {
      stop(record, "JobChanged", "The job is another than the one that was admitted");
    } else if (late) {
      stop(record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  private HasMetadata original(JobRecord record, AdmissionNote note) {
    try {
      return JobFacts.of(reader.kinds(), record.job()).isStoppable()
          ? reader.editor().stop(record.job(), note.before())
          : record.job();
    } catch (JobStartException e) {
      return record.job();
    }
  }

  private void stop(JobRecord record, String reason, String message) {
    record.setStopping(new Stopping(reason, message, clock.instant()));
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

  /** Tells the engine how a job gets on that runs as it may. */
  private void follow(JobRecord record, AdmissionNote note, JobFacts facts) {
    record.become(
        JobState.ADMITTED, "Admitted by clusterQueue " + note.admission().clusterQueue());
    if (options.settings().podsReady().isPresent()) {
      book.engine().lifecycle().setPodsReady(note.id(), facts.arePodsReady());
    }
    Workload workload = record.workload().orElseThrow();
    ImmutableSortedMap<String, Integer> reclaimable =
        JobFacts.reclaimablePods(reader.kinds(), record.job());
    if (!reclaimable.equals(workload.reclaimablePods())) {
      book.changed(
          record, Workload.builder().from(workload).reclaimablePods(reclaimable).build());
    }
    Optional<Admission> admission = book.engine().admission(note.id());
    if (admission.isPresent() && !admission.get().equals(note.admission())) {
      starter.renew(record, note);
    }
    admission.ifPresent(held -> place(record, workload, held));
  }

  /** Lets the pods of a job go to the places that it was given. */
  private void place(JobRecord record, Workload workload, Admission admission) {
    if (admission.podSetAssignments().stream()
        .anyMatch(assignment -> assignment.topologyAssignment().isPresent())) {
      ImmutableList<Pod> waiting = pods.of(workload.id());
      for (PodPlacement placement : PodPlacer.place(workload, admission, waiting)) {
        Pod placed = placement.ungated();
        if (ObjectKey.of(placed).equals(record.key())) {
          writes.replace(record, placed);
        } else {
          writes.replacePod(record, placed);
        }
      }
    }
  }
}
