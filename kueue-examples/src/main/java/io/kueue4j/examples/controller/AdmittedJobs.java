package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.EngineBook.DesiredState;
import io.kueue4j.k8s.job.JobStartException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reconciles jobs with a recorded admission. */
final class AdmittedJobs {
  private static final String RUNS_AGAIN =
      "Pods of the job run again that had finished, after their quota was released";

  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final WorkloadRecords records;
  private final NoteChecks checks;
  private final RefusedAdmissions refused;
  private final JobWorkload workloads;
  private final WorkloadPods pods;
  private final JobStarter starter;
  private final JobStopper stopper;
  private final RunningJobs running;
  private final ElasticScaling scaling;
  private final JobWrites writes;
  private final InstantSource clock;

  /** Whether all jobs are known that held quota when this controller started. */
  private boolean begun;

  AdmittedJobs(
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      WorkloadRecords records,
      NoteChecks checks,
      RefusedAdmissions refused,
      JobWorkload workloads,
      WorkloadPods pods,
      JobStarter starter,
      JobStopper stopper,
      RunningJobs running,
      ElasticScaling scaling,
      JobWrites writes,
      InstantSource clock) {
    this.book = book;
    this.configuration = configuration;
    this.reader = reader;
    this.records = records;
    this.checks = checks;
    this.refused = refused;
    this.workloads = workloads;
    this.pods = pods;
    this.starter = starter;
    this.stopper = stopper;
    this.running = running;
    this.scaling = scaling;
    this.writes = writes;
    this.clock = clock;
  }

  /** From now on, treats jobs with quota that are not known as started by another controller. */
  void begin() {
    begun = true;
  }

  /** Performs the next action for a job with a recorded admission. */
  void reconcile(JobRecord record, NoteReading reading, JobFacts facts) {
    if (record.replaced().isEmpty()) {
      follow(record, reading, facts);
    } else if (isGrowthRecorded(record, reading.note().orElseThrow())) {
      follow(record, records.read(record), facts);
    }
  }

  /** {@return whether the record of a job that has grown in the engine says so} */
  private boolean isGrowthRecorded(JobRecord record, AdmissionNote note) {
    if (!record.replaced().equals(Optional.of(note.id()))) {
      record.forgetReplaced();
      return true;
    }
    JobWrites.Result result = scaling.record(record, note, original(record, note));
    if (result == JobWrites.Result.REFUSED) {
      // It runs on with the pods that are recorded.
      takeOver(record, note);
    }
    return result == JobWrites.Result.DONE;
  }

  private void follow(JobRecord record, NoteReading reading, JobFacts facts) {
    AdmissionNote note = reading.note().orElseThrow();
    boolean isKnown = isKnown(record, reading, note) || adopt(record, note);
    if (!isKnown) {
      return;
    }
    if (!book.record(note.id()).equals(Optional.of(record))) {
      // It must stop, and holds no quota that the engine could count; another job may hold that of
      // its note.
      goOnStopping(record, note, facts);
      return;
    }
    tellChecks(record, note);
    boolean isToStart = isToStart(record, note, facts);
    DesiredState desired = book.desiredState(note.id());
    if (desired == DesiredState.RUN && !records.isActive(record.job())) {
      book.apply(lifecycle -> lifecycle.setActive(note.id(), false));
      book.touch();
      desired = book.desiredState(note.id());
    }
    if (desired == DesiredState.RUN && !isToStart) {
      running.reportNodes(record, facts);
      desired = book.desiredState(note.id());
    }
    if (desired == DesiredState.RUN
        && record.stopping().isEmpty()
        && note.stopping().isPresent()) {
      // A former controller has started to stop it. The reason may be outdated, but its pods are
      // being deleted.
      record.setStopping(note.stopping().get());
    }
    if (desired == DesiredState.RUN && record.stopping().isEmpty() && !isToStart) {
      if (facts.isStoppable() && !note.status().isTrue(ConditionType.ADMITTED)) {
        // Its pods lack what a start adds to them.
        stop(record, "JobChanged", "The job was started before its admission checks had passed");
      } else {
        stopIfChanged(record, note);
        stopper.deleteUnadmitted(record, note);
      }
    }
    boolean stops = desired == DesiredState.STOP
        || desired == DesiredState.WAIT
        || record.stopping().isPresent();
    if (stops) {
      goOnStopping(record, note, facts);
    } else if (desired == DesiredState.RUN && isToStart) {
      if (isChanged(record, note)) {
        stop(record, "JobChanged", "The job is another than the one that was admitted");
      } else if (facts.isStoppable() && facts.isActive()) {
        // They may be on other nodes than the nodes of its flavors, and would stay there.
        record.become(JobState.ADMITTED, "pods of an earlier run are still there");
      } else {
        starter.start(record, Optional.of(note));
      }
      if (record.stopping().isPresent()) {
        goOnStopping(record, note, facts);
      }
    } else if (desired == DesiredState.RUN) {
      running.follow(record, note, facts);
    } else if (!facts.isSuspended()) {
      writes.replace(record, reader.editor().suspend(record.job()));
    } else {
      starter.reserved(record);
      records.publish(record);
    }
  }

  /**
   * {@return whether an admitted job does not run; for a group of pods, whether pods wait that are
   * to be started}
   */
  private boolean isToStart(JobRecord record, AdmissionNote note, JobFacts facts) {
    return JobParts.isGroup(record.job())
        ? !JobFacts.podsToStart(
                reader.kinds(), record.job(), record.workload().orElseThrow(), note.admission())
            .isEmpty()
        : facts.isSuspended();
  }

  /**
   * Stops a job whose record cannot be read, or was removed.
   *
   * @param note the admission that was recorded before
   */
  void stopRefused(JobRecord record, AdmissionNote note, String why, JobFacts facts) {
    boolean evictedByEngine =
        book.record(note.id()).isPresent() && book.desiredState(note.id()) == DesiredState.STOP;
    if (record.stopping().isEmpty() && !evictedByEngine) {
      record.setStopping(
          note.stopping().orElseGet(() -> new Stopping(NoteReading.REFUSED, why, clock.instant())));
    }
    goOnStopping(record, note, facts);
  }

  /** Passes the states of the admission checks of a job to the engine. */
  private void tellChecks(JobRecord record, AdmissionNote note) {
    DesiredState desired = book.desiredState(note.id());
    if (desired == DesiredState.RESERVE || desired == DesiredState.RUN) {
      book.setChecks(note.id(), records.checks(record));
    }
  }

  /** {@return whether the engine contains the quota of the note} */
  private boolean isKnown(JobRecord record, NoteReading reading, AdmissionNote note) {
    if (!record.id().equals(Optional.of(note.id()))) {
      return false;
    }
    Optional<Admission> admission = book.engine().admission(note.id());
    return records.isOwn(record, reading)
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
   * Restores a job as recorded, but with the usage computed from its pods. If another controller
   * wrote the record while this controller was running, the job was started by mistake and must
   * stop; it must also stop if it may not hold what the record says.
   *
   * @return whether the next action is known; if not, the job keeps running until its queue exists
   *     again
   */
  boolean adopt(JobRecord record, AdmissionNote note) {
    return adopt(record, note, begun && !record.isHomeless(note));
  }

  /** Restores a job that another controller has decided on until now. */
  void takeOver(JobRecord record, AdmissionNote note) {
    boolean unused = adopt(record, note, false);
  }

  private boolean adopt(JobRecord record, AdmissionNote note, boolean late) {
    book.forget(record);
    HasMetadata original = original(record, note);
    Optional<Workload> read = workloads.ofOriginal(record.job(), original);
    Optional<Workload> scaled = read.flatMap(wanted -> ElasticScaling.held(note, wanted));
    Optional<Workload> unchanged = read.filter(note::isOf)
        .map(found -> Workload.builder()
            .from(note.named(found))
            .reclaimablePods(
                (RunningJobs.mayRunAgain(record) ? note.workload() : found).reclaimablePods())
            .build());
    boolean same = scaled.isPresent() || unchanged.isPresent();
    Workload workload = scaled.or(() -> unchanged).orElseGet(() -> note.admitted(read));
    Optional<String> misfit = checks.misfit(note);
    boolean restored = restore(record, note, workload);
    boolean lacksSlices = !restored && restoreWithoutSlices(record, note, workload);
    restored |= lacksSlices;
    boolean isHomeless =
        configuration.clusterQueue(note.admission().clusterQueue()).isEmpty();
    if (!restored && isHomeless && !late && misfit.isEmpty()) {
      record.setHomeless(note);
      record.become(
          JobState.ADMITTED,
          "ClusterQueue " + note.admission().clusterQueue()
              + " does not know of it: there is none of that name, or it cannot be so");
      return false;
    }
    record.setHomeless(null);
    record.memory().setOwnContent(records.read(record).content());
    if (same && isStoppable(record)) {
      record.setForm(scaling.form(original, workload));
    }
    boolean evictedByEngine = restored && book.desiredState(note.id()) == DesiredState.STOP;
    misfit.ifPresent(why -> refused.report(record, why));
    if (note.stopping().isPresent() && !evictedByEngine) {
      record.setStopping(note.stopping().get());
    } else if (misfit.isPresent()) {
      stop(record, NoteReading.REFUSED, misfit.get());
    } else if (!restored && !isHomeless) {
      stop(record, NoteReading.REFUSED, "the recorded admission cannot be in force");
    } else if (lacksSlices) {
      stop(
          record,
          "TpuSlicesLost",
          "The TPU slices that the job was given are not recorded, or their nodes are gone");
    } else if (!same && isStoppable(record)) {
      stop(record, "JobChanged", "The job is another than the one that was admitted");
    } else if (RunningJobs.mayRunAgain(record)
        && AdmissionNote.runsAgain(
            note.workload(), JobFacts.reclaimablePods(reader.kinds(), record.job()))) {
      stop(record, "JobChanged", RUNS_AGAIN);
    } else if (late) {
      stop(record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  private boolean restore(JobRecord record, AdmissionNote note, Workload workload) {
    boolean isGiven = EngineBook.isDeactivated(note.status());
    return book.restore(
        record,
        workload,
        isGiven
            ? Optional.empty()
            : Optional.of(configuration
                .pools()
                .withSlices(NoteChecks.counted(note.admission(), workload), note.slices())),
        note.status());
  }

  /** Counts the quota of a job whose TPU slices cannot be restored, until it has stopped. */
  private boolean restoreWithoutSlices(JobRecord record, AdmissionNote note, Workload workload) {
    boolean requests =
        workload.podSets().stream().anyMatch(podSet -> podSet.sliceRequest().isPresent());
    if (!requests && note.slices().isEmpty()) {
      return false;
    }
    Workload plain = Workload.builder()
        .from(workload)
        .podSets(workload.podSets().stream()
            .map(podSet ->
                PodSet.builder().from(podSet).sliceRequest(Optional.empty()).build())
            .toList())
        .build();
    AdmissionNote unrecorded =
        new AdmissionNote(plain, note.admission(), note.status(), note.stopping(), note.before());
    return restore(record, unrecorded, plain);
  }

  /** {@return whether it is a job that can be edited, and not pods, which are replaced} */
  private boolean isStoppable(JobRecord record) {
    return JobFacts.of(reader.kinds(), record.job()).isStoppable();
  }

  /** {@return whether a suspended job was edited between its admission and its start} */
  private boolean isChanged(JobRecord record, AdmissionNote note) {
    return isStoppable(record)
        && workloads
            .ofOriginal(record.job(), original(record, note))
            .filter(note::isOf)
            .isEmpty();
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

  /** Stops a running job that is not what was admitted, unless it can be scaled. */
  private void stopIfChanged(JobRecord record, AdmissionNote note) {
    Optional<String> excess = scaling.excess(record);
    if (excess.isPresent()) {
      refused.report(record, excess.get());
      stop(record, NoteReading.REFUSED, excess.get());
    } else if (!scaling.scale(record, note, () -> original(record, note))) {
      stopIfEdited(record, note);
    }
  }

  private void stopIfEdited(JobRecord record, AdmissionNote note) {
    if (RunningJobs.mayRunAgain(record)
        && record
            .workload()
            .filter(charged -> AdmissionNote.runsAgain(
                charged, JobFacts.reclaimablePods(reader.kinds(), record.job())))
            .isPresent()) {
      stop(record, "JobChanged", RUNS_AGAIN);
      return;
    }
    ImmutableMap<String, ResourceFlavor> flavors = configuration.flavors();
    boolean allKnown = note.admission().podSetAssignments().stream()
        .allMatch(
            assignment -> flavors.keySet().containsAll(assignment.flavors().values()));
    if (!allKnown) {
      return;
    }
    ImmutableList<String> differences = record
        .form()
        .map(form -> reader.sync().differences(record.job(), form, note.admission(), true, flavors))
        .orElse(ImmutableList.of());
    if (!differences.isEmpty()) {
      stop(record, "JobChanged", Joiner.on("; ").join(differences));
    } else if (isStoppable(record) && isOnOtherNodes(record.job(), note.admission(), flavors)) {
      // Its owner has started it in the moment of its admission.
      stop(record, "JobChanged", "Its pods lack the node selectors of their flavors");
    }
  }

  /**
   * {@return whether the pods of a job have none of the node selectors that a start adds, or select
   * nodes of another flavor}
   */
  private boolean isOnOtherNodes(
      HasMetadata job, Admission admission, ImmutableMap<String, ResourceFlavor> flavors) {
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name);
    return JobFacts.podSets(reader.kinds(), job).stream().anyMatch(podSet -> {
      PodSetAssignment assignment = assignments.get(podSet.name());
      PodSpec pods = podSet.template().getSpec();
      if (assignment == null || pods == null) {
        return false;
      }
      Map<String, String> selector =
          pods.getNodeSelector() == null ? ImmutableMap.of() : pods.getNodeSelector();
      ImmutableSet<Map.Entry<String, String>> labels = assignment.flavors().values().stream()
          .map(flavors::get)
          .filter(Objects::nonNull)
          .flatMap(flavor -> flavor.nodeLabels().entrySet().stream())
          .collect(ImmutableSet.toImmutableSet());
      // An administrator may change labels of a flavor while jobs run on it, so one key is enough.
      return !labels.isEmpty()
          && (labels.stream().noneMatch(label -> selector.containsKey(label.getKey()))
              || labels.stream().anyMatch(label -> selectsOther(selector, label, flavors)));
    });
  }

  /** {@return whether a selector has the value that other flavors have instead of a label} */
  private static boolean selectsOther(
      Map<String, String> selector,
      Map.Entry<String, String> label,
      ImmutableMap<String, ResourceFlavor> flavors) {
    String selected = selector.getOrDefault(label.getKey(), label.getValue());
    return !selected.equals(label.getValue())
        && flavors.values().stream()
            .anyMatch(flavor -> selected.equals(flavor.nodeLabels().get(label.getKey())));
  }

  private void goOnStopping(JobRecord record, AdmissionNote note, JobFacts facts) {
    scaling.withdraw(record);
    boolean isActive = facts.isActive() || pods.isActive(record.key(), record.uid(), note.id());
    // Where another client has removed the record, nothing can say that the job is being stopped.
    boolean isUnsaid = isActive && note.stopping().isEmpty() && record.state() != JobState.STOPPING;
    // A former controller may have deleted some pods of a group.
    boolean isLeft = JobParts.isGroup(record.job()) && JobFacts.runs(reader.kinds(), record.job());
    if (!facts.isSuspended() || isUnsaid || isLeft) {
      stopper.stop(record, note);
    } else if (isActive) {
      record.become(JobState.STOPPING, note.stopping().map(Stopping::message).orElse(""));
    } else {
      stopper.finish(record, note);
    }
  }
}
