package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.object.FlavorNodes;
import io.kueue4j.examples.controller.object.JobFacts;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.record.RecordChecks;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.RecordReading;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.RefusedAdmissions;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.job.JobPodSet;
import io.kueue4j.k8s.job.JobStartException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Reconciles jobs with a recorded admission. */
final class AdmittedJobs {
  private static final String RUNS_AGAIN =
      "Pods of the job run again that had finished, after their quota was released";

  private final EngineBook book;
  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final WorkloadRecords records;
  private final RecordChecks checks;
  private final RefusedAdmissions refused;
  private final JobWorkload workloads;
  private final WorkloadPods pods;
  private final JobCount count;
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
      RecordChecks checks,
      RefusedAdmissions refused,
      JobWorkload workloads,
      WorkloadPods pods,
      JobCount count,
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
    this.count = count;
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
  void reconcile(JobRecord record, RecordReading reading, JobFacts facts) {
    if (record.replaced().isEmpty()) {
      follow(record, reading, facts);
    } else if (isGrowthRecorded(record, reading.recorded().orElseThrow())) {
      follow(record, records.read(record), facts);
    }
  }

  /** {@return whether the record of a job that has grown in the engine says so} */
  private boolean isGrowthRecorded(JobRecord record, RecordedAdmission recorded) {
    if (!record.replaced().equals(Optional.of(recorded.id()))) {
      record.forgetReplaced();
      return true;
    }
    JobWrites.Result result = scaling.record(record, recorded, original(record, recorded));
    if (result == JobWrites.Result.REFUSED) {
      // It runs on with the pods that are recorded.
      takeOver(record, recorded);
    }
    return result == JobWrites.Result.DONE;
  }

  private void follow(JobRecord record, RecordReading reading, JobFacts facts) {
    RecordedAdmission recorded = reading.recorded().orElseThrow();
    boolean isKnown = isKnown(record, reading, recorded) || adopt(record, recorded);
    if (!isKnown) {
      return;
    }
    if (!book.record(recorded.id()).equals(Optional.of(record))) {
      // It must stop, and holds no quota that the engine could count; another job may hold that of
      // its record.
      goOnStopping(record, recorded, facts);
      return;
    }
    tellChecks(record, recorded);
    boolean isToStart = isToStart(record, facts);
    DesiredState desired = book.desiredState(recorded.id());
    if (desired == DesiredState.RUN && !records.isActive(record.job())) {
      book.apply(lifecycle -> lifecycle.setActive(recorded.id(), false));
      book.touch();
      desired = book.desiredState(recorded.id());
    }
    if (desired == DesiredState.RUN && !isToStart) {
      running.reportNodes(record, facts);
      desired = book.desiredState(recorded.id());
    }
    if (desired == DesiredState.RUN
        && record.stopping().isEmpty()
        && recorded.stopping().isPresent()) {
      // A former controller has started to stop it. The reason may be outdated, but its pods are
      // being deleted.
      record.setStopping(recorded.stopping().get());
    }
    if (desired == DesiredState.RUN && record.stopping().isEmpty() && !isToStart) {
      if (facts.isStoppable() && !recorded.status().isTrue(ConditionType.ADMITTED)) {
        // Its pods lack what a start adds to them.
        stop(record, "JobChanged", "The job was started before its admission checks had passed");
      } else {
        stopIfChanged(record, recorded);
      }
    }
    boolean stops = desired == DesiredState.STOP
        || desired == DesiredState.WAIT
        || record.stopping().isPresent();
    if (stops) {
      goOnStopping(record, recorded, facts);
    } else if (desired == DesiredState.RUN && isToStart) {
      if (isChanged(record, recorded)) {
        stop(record, "JobChanged", "The job is another than the one that was admitted");
      } else if (facts.isStoppable() && facts.isActive()) {
        // They may be on other nodes than the nodes of its flavors, and would stay there.
        record.become(JobState.ADMITTED, "pods of an earlier run are still there");
      } else {
        starter.start(record, Optional.of(recorded));
      }
      if (record.stopping().isPresent()) {
        goOnStopping(record, recorded, facts);
      }
    } else if (desired == DesiredState.RUN) {
      running.follow(record, recorded, facts);
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
  private boolean isToStart(JobRecord record, JobFacts facts) {
    return JobParts.isGroup(record.job()) ? !count.toStart(record).isEmpty() : facts.isSuspended();
  }

  /**
   * Stops a job whose record cannot be read, or was removed.
   *
   * @param recorded the admission that was recorded before
   */
  void stopRefused(JobRecord record, RecordedAdmission recorded, String why, JobFacts facts) {
    boolean evictedByEngine = book.record(recorded.id()).isPresent()
        && book.desiredState(recorded.id()) == DesiredState.STOP;
    if (record.stopping().isEmpty() && !evictedByEngine) {
      record.setStopping(recorded
          .stopping()
          .orElseGet(() -> new Stopping(RecordReading.REFUSED, why, clock.instant())));
    }
    goOnStopping(record, recorded, facts);
  }

  /** Passes the states of the admission checks of a job to the engine. */
  private void tellChecks(JobRecord record, RecordedAdmission recorded) {
    DesiredState desired = book.desiredState(recorded.id());
    if (desired == DesiredState.RESERVE || desired == DesiredState.RUN) {
      book.setChecks(recorded.id(), records.checks(record));
    }
  }

  /** {@return whether the engine contains the recorded quota} */
  private boolean isKnown(JobRecord record, RecordReading reading, RecordedAdmission recorded) {
    if (!record.id().equals(Optional.of(recorded.id()))) {
      return false;
    }
    Optional<Admission> admission = book.engine().admission(recorded.id());
    return records.isOwn(record, reading)
        || admission.filter(held -> hasFlavorsOf(held, recorded.admission())).isPresent();
  }

  private static boolean hasFlavorsOf(Admission held, Admission recorded) {
    return held.clusterQueue().equals(recorded.clusterQueue())
        && held.podSetAssignments().stream()
            .map(PodSetAssignment::flavors)
            .toList()
            .equals(recorded.podSetAssignments().stream()
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
  boolean adopt(JobRecord record, RecordedAdmission recorded) {
    return adopt(record, recorded, begun && !record.isHomeless(recorded));
  }

  /** Restores a job that another controller has decided on until now. */
  void takeOver(JobRecord record, RecordedAdmission recorded) {
    boolean unused = adopt(record, recorded, false);
  }

  private boolean adopt(JobRecord record, RecordedAdmission recorded, boolean late) {
    book.forget(record);
    HasMetadata original = original(record, recorded);
    Optional<Workload> read = workloads.ofOriginal(record.job(), original);
    Optional<Workload> scaled = read.flatMap(wanted -> ElasticScaling.held(recorded, wanted));
    Optional<Workload> unchanged = read.filter(recorded::isOf)
        .map(found -> Workload.builder()
            .from(recorded.named(found))
            .reclaimablePods(
                (RunningJobs.mayRunAgain(record) ? recorded.workload() : found).reclaimablePods())
            .build());
    boolean same = scaled.isPresent() || unchanged.isPresent();
    Workload workload = scaled
        .or(() -> unchanged)
        .orElseGet(() -> recorded.admitted(isStoppable(record) ? read : Optional.empty()));
    Optional<String> misfit = checks.misfit(recorded);
    boolean restored = restore(record, recorded, workload);
    boolean lacksSlices = !restored && restoreWithoutSlices(record, recorded, workload);
    restored |= lacksSlices;
    boolean isHomeless =
        configuration.clusterQueue(recorded.admission().clusterQueue()).isEmpty();
    if (!restored && isHomeless && !late && misfit.isEmpty()) {
      record.setHomeless(recorded);
      record.become(
          JobState.ADMITTED,
          "ClusterQueue " + recorded.admission().clusterQueue()
              + " does not know of it: there is none of that name, or it cannot be so");
      return false;
    }
    record.setHomeless(null);
    record.memory().setOwnContent(records.read(record).content());
    if (same && isStoppable(record)) {
      record.setForm(scaling.form(original, workload));
    }
    boolean evictedByEngine = restored && book.desiredState(recorded.id()) == DesiredState.STOP;
    misfit.ifPresent(why -> refused.report(record, why));
    if (recorded.stopping().isPresent() && !evictedByEngine) {
      record.setStopping(recorded.stopping().get());
    } else if (misfit.isPresent()) {
      stop(record, RecordReading.REFUSED, misfit.get());
    } else if (!restored && !isHomeless) {
      stop(record, RecordReading.REFUSED, "the recorded admission cannot be in force");
    } else if (lacksSlices) {
      stop(
          record,
          "TpuSlicesLost",
          "The TPU slices that the job was given are not recorded, or their nodes are gone");
    } else if (!same && isStoppable(record)) {
      stop(record, "JobChanged", "The job is another than the one that was admitted");
    } else if (RunningJobs.mayRunAgain(record)
        && RecordedAdmission.runsAgain(
            recorded.workload(), JobFacts.reclaimablePods(reader.kinds(), record.job()))) {
      stop(record, "JobChanged", RUNS_AGAIN);
    } else if (late) {
      stop(record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  private boolean restore(JobRecord record, RecordedAdmission recorded, Workload workload) {
    return book.restore(record, workload, checks.held(recorded, workload), recorded.status());
  }

  /** Counts the quota of a job whose TPU slices cannot be restored, until it has stopped. */
  private boolean restoreWithoutSlices(
      JobRecord record, RecordedAdmission recorded, Workload workload) {
    boolean requests =
        workload.podSets().stream().anyMatch(podSet -> podSet.sliceRequest().isPresent());
    if (!requests && recorded.slices().isEmpty()) {
      return false;
    }
    Workload plain = Workload.builder()
        .from(workload)
        .podSets(workload.podSets().stream()
            .map(podSet ->
                PodSet.builder().from(podSet).sliceRequest(Optional.empty()).build())
            .toList())
        .build();
    RecordedAdmission unrecorded = new RecordedAdmission(
        plain, recorded.admission(), recorded.status(), recorded.stopping(), recorded.before());
    return restore(record, unrecorded, plain);
  }

  /** {@return whether it is a job that can be edited, and not pods, which are replaced} */
  private boolean isStoppable(JobRecord record) {
    return JobFacts.of(reader.kinds(), record.job()).isStoppable();
  }

  /** {@return whether a suspended job was edited between its admission and its start} */
  private boolean isChanged(JobRecord record, RecordedAdmission recorded) {
    return isStoppable(record)
        && workloads
            .ofOriginal(record.job(), original(record, recorded))
            .filter(recorded::isOf)
            .isEmpty();
  }

  private HasMetadata original(JobRecord record, RecordedAdmission recorded) {
    try {
      return isStoppable(record)
          ? reader.editor().stop(record.job(), recorded.before())
          : record.job();
    } catch (JobStartException e) {
      return record.job();
    }
  }

  private void stop(JobRecord record, String reason, String message) {
    record.setStopping(new Stopping(reason, message, clock.instant()));
  }

  /** Stops a running job that is not what was admitted, unless it can be scaled. */
  private void stopIfChanged(JobRecord record, RecordedAdmission recorded) {
    boolean isGroup = JobParts.isGroup(record.job());
    if (isGroup) {
      stopper.deleteExceeding(record, count.beyond(record));
      stopper.deleteExceeding(record, count.tooLarge(record));
    }
    Optional<String> excess = isGroup ? Optional.empty() : lastingExcess(record);
    if (excess.isPresent()) {
      record.exceeded(clock.instant());
      stop(record, "ExceedsAdmission", excess.get());
    } else if (!scaling.scale(record, recorded, () -> original(record, recorded))) {
      stopIfEdited(record, recorded);
    }
  }

  /**
   * {@return what the pods of a job request beyond its quota; empty if nothing} Pods of quota that
   * was given back may have ended without that being known; so they are asked for again.
   */
  private Optional<String> lastingExcess(JobRecord record) {
    Optional<String> excess = count.excess(record);
    if (excess.isPresent()) {
      return excess;
    }
    Optional<String> ofHeld = count.excessOfHeld(record);
    Optional<Instant> until = record.tolerate(ofHeld.isPresent(), clock.instant());
    if (until.filter(clock.instant()::isBefore).isEmpty()) {
      return ofHeld;
    }
    record.setWaitTime(until.get());
    return Optional.empty();
  }

  private void stopIfEdited(JobRecord record, RecordedAdmission recorded) {
    if (RunningJobs.mayRunAgain(record)
        && record
            .workload()
            .filter(charged -> RecordedAdmission.runsAgain(
                charged, JobFacts.reclaimablePods(reader.kinds(), record.job())))
            .isPresent()) {
      stop(record, "JobChanged", RUNS_AGAIN);
      return;
    }
    ImmutableMap<String, ResourceFlavor> flavors = configuration.flavors();
    boolean allKnown = recorded.admission().podSetAssignments().stream()
        .allMatch(
            assignment -> flavors.keySet().containsAll(assignment.flavors().values()));
    if (!allKnown) {
      return;
    }
    ImmutableList<String> differences = record
        .form()
        .map(form ->
            reader.sync().differences(record.job(), form, recorded.admission(), true, flavors))
        .orElse(ImmutableList.of());
    if (!differences.isEmpty()) {
      stop(record, "JobChanged", Joiner.on("; ").join(differences));
    } else if (isStoppable(record)
        && FlavorNodes.of(recorded.admission(), flavors).areOther(podSets(record))) {
      // Its owner has started it in the moment of its admission.
      stop(record, "JobChanged", "Its pods lack the node selectors of their flavors");
    }
  }

  private ImmutableList<JobPodSet> podSets(JobRecord record) {
    return JobFacts.podSets(reader.kinds(), record.job());
  }

  private void goOnStopping(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    scaling.withdraw(record);
    boolean isActive = facts.isActive() || pods.isActive(record, recorded.id());
    // Where another client has removed the record, nothing can say that the job is being stopped.
    boolean isUnsaid =
        isActive && recorded.stopping().isEmpty() && record.state() != JobState.STOPPING;
    // A former controller may have deleted some pods of a group.
    boolean isLeft = JobParts.isGroup(record.job()) && JobFacts.runs(reader.kinds(), record.job());
    if (!facts.isSuspended() || isUnsaid || isLeft) {
      stopper.stop(record, recorded);
    } else if (isActive) {
      record.become(
          JobState.STOPPING, recorded.stopping().map(Stopping::message).orElse(""));
      stopper.deleteStrays(record, pods.strays(record));
    } else {
      stopper.finish(record, recorded);
    }
  }
}
