package io.kueue4j.examples.controller.job;

import static io.kueue4j.examples.controller.state.JobEventRecorder.ADMISSION_REFUSED;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import java.util.Optional;

/**
 * Reconciles jobs with a recorded admission: restores them as recorded, and stops them if they are
 * not what was admitted.
 */
record AdmittedJobs(
    JobContext context,
    JobStarter starter,
    JobStopper stopper,
    RunningJobs running,
    FailedNodes failedNodes,
    ElasticScaling scaling)
    implements JobStep {
  private static final String NOT_ADMITTED = "The job is not what was admitted";

  /** Restores a job as recorded before this controller has started. */
  void restore(JobRecord record, RecordedAdmission recorded) {
    adopt(record, recorded, false);
    if (!reader().runs(record.job())) {
      // The former controller may have been about to take the admission back.
      record.doubt(KnownWorkloads.key(recorded.id()));
    }
  }

  /** Performs the next action for a job with a recorded admission. */
  void reconcile(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    if (record.replaced().isEmpty()) {
      follow(record, recorded, facts);
    } else if (isGrowthRecorded(record, recorded)) {
      follow(record, records().read(record).orElseThrow(), facts);
    }
  }

  /** {@return whether the record of a job that has grown in the engine says so} */
  private boolean isGrowthRecorded(JobRecord record, RecordedAdmission recorded) {
    if (!record.replaced().equals(Optional.of(recorded.id()))) {
      record.forgetReplaced();
      return true;
    }
    Result result = scaling.record(record, recorded);
    if (result == Result.REFUSED && records().fence(record) == Result.DONE) {
      // It runs on with the pods that are recorded.
      adopt(record, recorded, false);
    }
    return result == Result.DONE;
  }

  private void follow(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    if (!isKnown(record, recorded) && !adopt(record, recorded, !record.isHomeless(recorded))) {
      return;
    }
    if (!book().record(recorded.id()).equals(Optional.of(record))) {
      // It must stop, and holds no quota that the engine could count; another job may hold the
      // recorded quota.
      goOnStopping(record, recorded, facts);
      return;
    }
    boolean isToStart = starter.isToStart(record, facts);
    DesiredState desired = desiredState(record, recorded.id(), isToStart);
    boolean isToRun = desired == DesiredState.RUN;
    if (isToRun && record.stopping().isEmpty()) {
      stopIfChanged(record, recorded, isToStart);
    }
    if (record.stopping().isPresent() || (!isToRun && desired != DesiredState.RESERVE)) {
      goOnStopping(record, recorded, facts);
    } else if (isToRun && !isToStart) {
      records().keep(record);
      running.follow(record, recorded, facts);
    } else if (isToRun && context.isStoppable(record) && facts.isActive()) {
      // They may be on other nodes than the nodes of its flavors, and would stay there.
      record.become(JobState.ADMITTED, "pods of an earlier run are still there");
    } else if (isToRun) {
      if (records().fence(record) == Result.DONE) {
        starter.start(record, Optional.of(recorded));
      }
      if (record.stopping().isPresent()) {
        goOnStopping(record, recorded, facts);
      }
    } else if (!facts.isSuspended()) {
      stopper.suspend(record);
    } else {
      starter.reserved(record);
      records().publish(record);
    }
  }

  /** {@return the state that the engine wants for a job when it has heard what is new about it} */
  private DesiredState desiredState(JobRecord record, WorkloadId id, boolean isToStart) {
    if (book().desiredState(id) != DesiredState.WAIT) {
      book().setChecks(id, records().checks(record));
    }
    if (book().desiredState(id) == DesiredState.RUN && !records().isActive(record.job())) {
      book().apply(lifecycle -> lifecycle.setActive(id, false));
    }
    if (book().desiredState(id) == DesiredState.RUN && !isToStart) {
      failedNodes.report(record);
    }
    return book().desiredState(id);
  }

  /** Stops a job that is to run, or runs, and is not what was admitted. */
  private void stopIfChanged(JobRecord record, RecordedAdmission recorded, boolean isToStart) {
    boolean isStoppable = context.isStoppable(record);
    if (recorded.stopping().isPresent()) {
      // A former controller has started to stop it. The reason may be outdated, but its pods are
      // being deleted.
      record.setStopping(recorded.stopping().get());
    } else if (isToStart && isStoppable) {
      // It may have been edited since its admission.
      HasMetadata original = context.original(record, recorded);
      Optional<Workload> now = context.workload(record, reader().convert(original));
      if (now.filter(recorded::isOf).isEmpty()) {
        context.stop(record, "JobChanged", NOT_ADMITTED);
      }
    } else if (isStoppable && !recorded.status().isTrue(ConditionType.ADMITTED)) {
      // Its pods lack what a start adds to them.
      context.stop(
          record, "JobChanged", "The job was started before its admission checks had passed");
    } else if (!isToStart) {
      running.stopIfChanged(record, recorded);
    }
  }

  /**
   * Stops a job whose record cannot be read, or was removed. Without a queue it is managed, too: a
   * tenant may have removed the label.
   */
  void stopRefused(JobRecord record, String why, JobFacts facts) {
    events().refused(record, why);
    Optional<RecordedAdmission> former = record.memory().inForce();
    if (former.isEmpty()) {
      stopper.expel(record, why);
      return;
    }
    RecordedAdmission recorded = former.get();
    boolean evictedByEngine = book().record(recorded.id()).isPresent()
        && book().desiredState(recorded.id()) == DesiredState.STOP;
    if (record.stopping().isEmpty() && !evictedByEngine) {
      record.setStopping(
          recorded.stopping().orElseGet(() -> context.stopping(ADMISSION_REFUSED, why)));
    }
    goOnStopping(record, recorded, facts);
  }

  private void goOnStopping(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    scaling.withdraw(record);
    boolean isActive = facts.isActive() || pods().isActive(record, recorded.id());
    // Where another client has removed the record, nothing can say that the job is being stopped.
    boolean isUnsaid =
        isActive && recorded.stopping().isEmpty() && record.state() != JobState.STOPPING;
    // A former controller may have deleted some pods of a group.
    boolean isLeft = JobParts.isGroup(record.job()) && reader().runs(record.job());
    if (!facts.isSuspended() || isUnsaid || isLeft) {
      stopper.stop(record, recorded);
    } else if (isActive) {
      Optional<Stopping> stopping = record.stopping().or(recorded::stopping);
      record.become(JobState.STOPPING, stopping.map(Stopping::message).orElse(""));
      stopper.deleteStrays(record);
    } else {
      stopper.finish(record, recorded);
    }
  }

  // ----- restoring

  /** {@return whether the engine contains the recorded quota} */
  private boolean isKnown(JobRecord record, RecordedAdmission recorded) {
    Optional<Admission> same =
        context.admission(record).filter(held -> hasFlavorsOf(held, recorded.admission()));
    return record.id().equals(Optional.of(recorded.id()))
        && (same.isPresent() || records().isOwn(record, recorded));
  }

  private static boolean hasFlavorsOf(Admission held, Admission recorded) {
    return held.clusterQueue().equals(recorded.clusterQueue())
        && Lists.transform(held.podSetAssignments(), PodSetAssignment::flavors)
            .equals(Lists.transform(recorded.podSetAssignments(), PodSetAssignment::flavors));
  }

  /**
   * Restores a job as recorded, but with the usage computed from its pods. If another controller
   * wrote the record while this controller was running, the job was started by mistake and must
   * stop; it must also stop if it may not hold what the record says.
   *
   * @param late whether the record is not one that this controller has started with, or has written
   * @return whether the next action is known; if not, the job keeps running until its queue exists
   *     again
   */
  @CanIgnoreReturnValue
  private boolean adopt(JobRecord record, RecordedAdmission recorded, boolean late) {
    book().forget(record);
    boolean isStoppable = context.isStoppable(record);
    HasMetadata original = context.original(record, recorded);
    Optional<Workload> read = context.workload(record, reader().convert(original));
    Optional<Workload> scaled = read.flatMap(wanted -> scaling.held(record, recorded, wanted));
    Optional<Workload> same = scaled.or(() -> read.filter(recorded::isOf).map(recorded::named));
    Workload workload =
        same.orElseGet(() -> recorded.admitted(isStoppable ? read : Optional.empty()));
    RecordedAdmission adopted = recorded;
    if (scaled.isPresent()) {
      adopted = recorded.withReclaimablePods(ImmutableSortedMap.of());
    } else if (same.isPresent() && RunningJobs.keepsSuccesses(record)) {
      adopted = recorded.withReclaimablePods(reader().reclaimablePods(original, workload));
    }
    boolean isComplete = context.restore(record, adopted, workload);
    boolean restored = isComplete || restoreWithoutSlices(record, adopted, workload);
    String queue = recorded.admission().clusterQueue();
    boolean isHomeless = configuration().clusterQueue(queue).isEmpty();
    Optional<String> misfit = context.checks().misfit(recorded);
    if (!restored && isHomeless && !late && misfit.isEmpty()) {
      record.setHomeless(recorded);
      String why = " does not know of it: there is none of that name, or it cannot be so";
      record.become(JobState.ADMITTED, "ClusterQueue " + queue + why);
      return false;
    }
    record.setHomeless(null);
    record.memory().setOwn(recorded.admission());
    if (same.isPresent() && isStoppable) {
      record.setForm(scaling.form(original, workload));
    }
    boolean evictedByEngine = restored && book().desiredState(recorded.id()) == DesiredState.STOP;
    misfit.ifPresent(why -> events().refused(record, why));
    if (recorded.stopping().isPresent() && !evictedByEngine) {
      record.setStopping(recorded.stopping().get());
    } else if (misfit.isPresent()) {
      context.stop(record, ADMISSION_REFUSED, misfit.get());
    } else if (!restored && !isHomeless) {
      context.stop(record, ADMISSION_REFUSED, "the recorded admission cannot be in force");
    } else if (restored && !isComplete) {
      String why =
          "The TPU slices that the job was given are not recorded, or their nodes are gone";
      context.stop(record, "TpuSlicesLost", why);
    } else if (same.isEmpty() && isStoppable) {
      context.stop(record, "JobChanged", NOT_ADMITTED);
    } else if (running.runAgain(record, recorded.workload(), recorded.status().reclaimablePods())) {
      context.stop(record, "JobChanged", RunningJobs.RUNS_AGAIN);
    } else if (late) {
      context.stop(
          record, "StartedByAnother", "The job was started by a controller that is none any more");
    }
    return true;
  }

  /** Counts the quota of a job whose TPU slices cannot be restored, until it has stopped. */
  private boolean restoreWithoutSlices(
      JobRecord record, RecordedAdmission recorded, Workload workload) {
    Workload plain = RecordedAdmission.map(
        workload,
        podSet -> PodSet.builder().from(podSet).sliceRequest(Optional.empty()).build());
    // The recorded slices are not part of the admission.
    return context.restore(record, recorded.withAdmission(recorded.admission()), plain);
  }
}
