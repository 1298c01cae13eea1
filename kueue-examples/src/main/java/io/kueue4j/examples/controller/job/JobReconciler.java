package io.kueue4j.examples.controller.job;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.DecisionLog;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reconciles the state of one job in the cluster with the state that the engine wants, one step at
 * a time. Each step starts from the last seen version of the job and assumes nothing else.
 */
public final class JobReconciler {
  /** After it a conflicting change has usually been seen. */
  private static final Duration DISPUTE_DELAY = Duration.ofMillis(100);

  private final JobContext context;
  private final JobCount count;
  private final JobStopper stopper;
  private final ServingJobs serving;
  private final WaitingJobs waiting;
  private final AdmittedJobs admitted;

  public JobReconciler(
      JobContext context, ControllerOptions options, KnownJobs jobs, WorkList work) {
    this.context = context;
    count = new JobCount(context);
    JobStarter starter = new JobStarter(context, count);
    stopper = new JobStopper(context, options.restartBackoff(), starter);
    ElasticScaling scaling = new ElasticScaling(context, starter);
    serving = new ServingJobs(context, jobs.groups(), stopper);
    waiting = new WaitingJobs(context, options, starter, stopper, work);
    FailedNodes failed = new FailedNodes(context, jobs.nodes());
    RunningJobs running = new RunningJobs(context, failed, count, starter, stopper, scaling);
    admitted = new AdmittedJobs(context, starter, stopper, running, failed, scaling);
  }

  /** Restores a job with a recorded admission before any decision. */
  public void restore(JobRecord record) {
    try {
      if (context.reader().facts(record.job()).outcome().isEmpty()
          || !count.running(record).isEmpty()) {
        context.records().read(record).ifPresent(recorded -> admitted.restore(record, recorded));
      }
    } catch (IllegalArgumentException e) {
      // Reported again, and handled, when the job is due.
      record.become(JobState.INVALID, String.valueOf(e.getMessage()));
    }
  }

  /** Performs the next action for a job, if there is one. */
  public void reconcile(JobRecord record) {
    try {
      JobFacts facts = context.reader().facts(record.job());
      if (facts.outcome().isPresent()) {
        finish(record, facts.outcome().get());
        return;
      }
      if (context.reader().startsByPods(record.job())) {
        serving.reconcile(record, facts);
        return;
      }
      stopper.deleteExcess(record);
      Optional<RecordedAdmission> recorded = context.records().read(record);
      if (record.isDisputed()) {
        context
            .reader()
            .maker(record.job())
            .ifPresent(maker -> endDispute(record, recorded, maker));
      }
      if (recorded.isPresent()) {
        boolean unused = record.memory().isNews("");
        admitted.reconcile(record, recorded.get(), facts);
        return;
      }
      Optional<String> breach = context.records().breach(record);
      if (breach.isPresent()) {
        admitted.stopRefused(record, breach.get(), facts);
      } else if (!facts.isSuspended()) {
        waiting.suspend(record);
        if (record.state() == JobState.UNMANAGED && waiting.wasQueued(record)) {
          String why =
              "runs beyond all quotas: it waited in a queue until its owner took it out and"
                  + " started it";
          context.events().refused(record, why);
        }
      } else if (context.records().fence(record) == Result.DONE) {
        // Its quota may go to others, so no record may appear later.
        waiting.queue(record);
      }
    } catch (InvalidConfigurationException e) {
      context.invalid(record, e.violations());
    }
  }

  /**
   * Ends the dispute with a controller that starts a part of its job without a queue: the job is
   * suspended, and the part is not admitted.
   */
  private void endDispute(
      JobRecord record, Optional<RecordedAdmission> recorded, HasMetadata maker) {
    String why = ObjectKey.of(maker) + " starts " + record.key()
        + ", which names a queue, before it is admitted; name the queue at the "
        + maker.getKind() + " instead";
    if (context.suspendMakers(List.of(maker), why)) {
      context.events().warning(record.job(), "Suspended", why);
      HasMetadata original =
          recorded.map(present -> context.original(record, present)).orElseGet(record::job);
      JobConversion conversion = context.reader().convert(original);
      record.setBlocked(context.workload(record, conversion).orElse(null));
      context.stop(record, "StartedByAnother", why);
      record.become(JobState.STOPPING, why);
    } else {
      // Its controller writes it at each start of the part, so the version is often outdated.
      record.setWaitTime(context.now().plus(DISPUTE_DELAY));
    }
  }

  /** Writes what users see of a job that waits. */
  public void show(JobRecord record) {
    waiting.show(record);
  }

  /** Gives the quota of a job back that has finished, when none of its pods is left. */
  private void finish(JobRecord record, JobKind.Outcome outcome) {
    int running = count.running(record).size();
    if (running > 0 && context.book().holdsQuota(record)) {
      stopper.deleteExceeding(record, count.beyond(record));
      record.become(
          JobState.ADMITTED,
          "has finished, but " + running + " of its pods run on and hold its quota");
      return;
    }
    if (record.id().isPresent()) {
      DecisionLog.finished(record, outcome.message());
    }
    context.book().finish(record);
    context.records().finish(record, outcome.succeeded(), outcome.message());
    record.memory().removed();
    record.become(JobState.FINISHED, outcome.message());
  }
}
