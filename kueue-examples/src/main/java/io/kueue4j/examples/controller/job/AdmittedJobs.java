package io.kueue4j.examples.controller.job;

import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.state.EngineBook.DesiredState;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.examples.controller.state.Stopping;
import java.util.Optional;

/** Reconciles jobs with a recorded admission; stops them if they are not what was admitted. */
record AdmittedJobs(
    JobContext context,
    AdoptedJobs adopted,
    JobStarter starter,
    JobStopper stopper,
    RunningJobs running,
    ElasticScaling scaling)
    implements JobStep {
  /** Restores a job as recorded before this controller has started. */
  void restore(JobRecord record, RecordedAdmission recorded) {
    adopted.adopt(record, recorded, false);
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
    JobWrites.Result result = scaling.record(record, recorded);
    if (result == JobWrites.Result.REFUSED && records().fence(record) == JobWrites.Result.DONE) {
      // It runs on with the pods that are recorded.
      adopted.adopt(record, recorded, false);
    }
    return result == JobWrites.Result.DONE;
  }

  private void follow(JobRecord record, RecordedAdmission recorded, JobFacts facts) {
    if (!adopted.isKnown(record, recorded)
        && !adopted.adopt(record, recorded, !record.isHomeless(recorded))) {
      return;
    }
    if (!book().record(recorded.id()).equals(Optional.of(record))) {
      // It must stop, and holds no quota that the engine could count; another job may hold the
      // recorded quota.
      goOnStopping(record, recorded, facts);
      return;
    }
    tellChecks(record, recorded);
    boolean isStoppable = reader().isStoppable(record.job());
    boolean isToStart = starter.isToStart(record, facts);
    DesiredState desired = book().desiredState(recorded.id());
    if (desired == DesiredState.RUN && !records().isActive(record.job())) {
      book().apply(lifecycle -> lifecycle.setActive(recorded.id(), false));
      desired = book().desiredState(recorded.id());
    }
    if (desired == DesiredState.RUN && !isToStart) {
      running.reportNodes(record);
      desired = book().desiredState(recorded.id());
    }
    if (desired == DesiredState.RUN
        && record.stopping().isEmpty()
        && recorded.stopping().isPresent()) {
      // A former controller has started to stop it. The reason may be outdated, but its pods are
      // being deleted.
      record.setStopping(recorded.stopping().get());
    }
    if (desired == DesiredState.RUN && record.stopping().isEmpty() && !isToStart) {
      if (isStoppable && !recorded.status().isTrue(ConditionType.ADMITTED)) {
        // Its pods lack what a start adds to them.
        context.stop(
            record, "JobChanged", "The job was started before its admission checks had passed");
      } else {
        running.stopIfChanged(record, recorded);
      }
    }
    boolean stops = desired == DesiredState.STOP
        || desired == DesiredState.WAIT
        || record.stopping().isPresent();
    if (stops) {
      goOnStopping(record, recorded, facts);
    } else if (desired == DesiredState.RUN && isToStart) {
      if (isChanged(record, recorded)) {
        context.stop(record, "JobChanged", "The job is not what was admitted");
      } else if (isStoppable && facts.isActive()) {
        // They may be on other nodes than the nodes of its flavors, and would stay there.
        record.become(JobState.ADMITTED, "pods of an earlier run are still there");
      } else if (records().fence(record) == JobWrites.Result.DONE) {
        starter.start(record, Optional.of(recorded));
      }
      if (record.stopping().isPresent()) {
        goOnStopping(record, recorded, facts);
      }
    } else if (desired == DesiredState.RUN) {
      records().keep(record);
      running.follow(record, recorded, facts);
    } else if (!facts.isSuspended()) {
      stopper.suspend(record);
    } else {
      starter.reserved(record);
      records().publish(record);
    }
  }

  /**
   * Stops a job whose record cannot be read, or was removed.
   *
   * @param recorded the admission that was recorded before
   */
  void stopRefused(JobRecord record, RecordedAdmission recorded, String why, JobFacts facts) {
    boolean evictedByEngine = book().record(recorded.id()).isPresent()
        && book().desiredState(recorded.id()) == DesiredState.STOP;
    if (record.stopping().isEmpty() && !evictedByEngine) {
      record.setStopping(recorded
          .stopping()
          .orElseGet(() -> context.stopping(JobEventRecorder.ADMISSION_REFUSED, why)));
    }
    goOnStopping(record, recorded, facts);
  }

  /** Passes the states of the admission checks of a job to the engine. */
  private void tellChecks(JobRecord record, RecordedAdmission recorded) {
    DesiredState desired = book().desiredState(recorded.id());
    if (desired == DesiredState.RESERVE || desired == DesiredState.RUN) {
      book().setChecks(recorded.id(), records().checks(record));
    }
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
      record.become(
          JobState.STOPPING,
          record.stopping().or(recorded::stopping).map(Stopping::message).orElse(""));
      stopper.deleteStrays(record);
    } else {
      stopper.finish(record, recorded);
    }
  }

  /** {@return whether a suspended job was edited between its admission and its start} */
  private boolean isChanged(JobRecord record, RecordedAdmission recorded) {
    return reader().isStoppable(record.job())
        && context
            .workload(record, context.original(record, recorded))
            .filter(recorded::isOf)
            .isEmpty();
  }
}
