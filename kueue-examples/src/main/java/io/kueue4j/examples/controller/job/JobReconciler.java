package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.object.JobFacts;
import io.kueue4j.examples.controller.object.NodeHealth;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.record.RecordChecks;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.DecisionLog;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEvents;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.RecordReading;
import io.kueue4j.examples.controller.state.RefusedAdmissions;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.job.JobOutcome;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Reconciles the state of one job in the cluster with the state that the engine wants, one step at
 * a time. Each step starts from the last seen version of the job and assumes nothing else.
 */
public final class JobReconciler {
  private final EngineBook book;
  private final JobReader reader;
  private final JobCount count;
  private final WorkloadRecords records;
  private final RefusedAdmissions refused;
  private final JobWorkload workloads;
  private final JobStopper stopper;
  private final ServingJobs serving;
  private final WaitingJobs waiting;
  private final AdmittedJobs admitted;

  public JobReconciler(
      ControllerOptions options,
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      WorkloadRecords records,
      RecordChecks checks,
      RefusedAdmissions refused,
      WorkloadPods pods,
      PodGroups groups,
      NodeHealth nodes,
      JobWrites writes,
      JobEvents events,
      WorkList work,
      InstantSource clock) {
    this.book = book;
    this.reader = reader;
    this.records = records;
    this.refused = refused;
    workloads = new JobWorkload(book, reader, records, events);
    count = new JobCount(book, configuration, reader, pods);
    JobStarter starter =
        new JobStarter(book, configuration, reader, count, records, writes, events, clock);
    stopper = new JobStopper(
        options.restartBackoff(), book, reader, records, starter, writes, events, clock);
    ElasticScaling scaling = new ElasticScaling(
        book, configuration, reader, records, workloads, pods, starter, writes, events, clock);
    serving = new ServingJobs(book, reader, groups, pods, stopper, writes, events);
    waiting = new WaitingJobs(
        options,
        book,
        configuration,
        reader,
        records,
        workloads,
        pods,
        starter,
        stopper,
        events,
        work,
        clock);
    admitted = new AdmittedJobs(
        book,
        configuration,
        reader,
        records,
        checks,
        refused,
        workloads,
        pods,
        count,
        starter,
        stopper,
        new RunningJobs(
            options,
            book,
            pods,
            new FailedNodes(book, configuration, nodes, pods, writes, clock),
            starter,
            scaling,
            records,
            writes),
        scaling,
        writes,
        clock);
  }

  /** Restores a job with a recorded admission before any decision. */
  public void restore(JobRecord record) {
    try {
      if (JobFacts.of(reader.kinds(), record.job()).outcome().isEmpty()
          || !count.running(record).isEmpty()) {
        records.read(record).recorded().ifPresent(recorded -> admitted.takeOver(record, recorded));
      }
    } catch (IllegalArgumentException e) {
      // Reported again, and handled, when the job is due.
      record.become(JobState.INVALID, String.valueOf(e.getMessage()));
    }
  }

  /**
   * From now on, treats jobs with quota that were not restored as started by another controller.
   */
  public void begin() {
    admitted.begin();
  }

  /** Performs the next action for a job, if there is one. */
  public void reconcile(JobRecord record) {
    try {
      JobFacts facts = JobFacts.of(reader.kinds(), record.job());
      if (facts.outcome().isPresent()) {
        finish(record, facts.outcome().get());
        return;
      }
      if (facts.startsByPods()) {
        serving.reconcile(record, facts);
        return;
      }
      stopper.deleteExcess(record);
      RecordReading reading = records.read(record);
      Optional<String> breach = breach(record, reading);
      if (breach.isPresent()) {
        stop(breach.get(), record, facts);
        return;
      }
      if (reading.recorded().isPresent()) {
        admitted.reconcile(record, reading, facts);
      } else if (!facts.isSuspended()) {
        waiting.suspend(record, facts);
        if (record.state() == JobState.UNMANAGED && record.hasWaited()) {
          refused.report(
              record,
              "runs beyond all quotas: it waited in a queue until its owner took it out and started"
                  + " it");
        }
      } else {
        waiting.queue(record);
      }
    } catch (InvalidConfigurationException e) {
      workloads.invalid(record, e.violations());
    }
  }

  /** Writes what users see of a job that waits. */
  public void show(JobRecord record) {
    waiting.show(record);
  }

  /** Gives the quota of a job back that has finished, when none of its pods is left. */
  private void finish(JobRecord record, JobOutcome outcome) {
    boolean holds = book.holdsQuota(record);
    ImmutableList<Pod> running = count.running(record);
    if (holds && !running.isEmpty()) {
      stopper.deleteExceeding(record, count.beyond(record));
      record.become(
          JobState.ADMITTED,
          "has finished, but " + running.size() + " of its pods run on and hold its quota");
      return;
    }
    if (record.id().isPresent()) {
      DecisionLog.finished(record, outcome.message());
    }
    book.finish(record);
    records.finish(record, outcome.succeeded(), outcome.message());
    record.become(JobState.FINISHED, outcome.message());
  }

  /** {@return why a job must not continue because of its record; empty if it may} */
  private Optional<String> breach(JobRecord record, RecordReading reading) {
    if (reading.refusal().isPresent()) {
      refused.report(record, reading.refusal().get());
      return reading.refusal();
    }
    Optional<String> missing = records.missing(record, reading);
    if (missing.isPresent()) {
      refused.report(record, missing.get());
    } else if (reading.recorded().isPresent()) {
      boolean unused = record.memory().isNews("");
    }
    return missing;
  }

  /**
   * Stops a job because of a problem with its record. Without a queue it is managed, too: a tenant
   * may have removed the label.
   */
  private void stop(String breach, JobRecord record, JobFacts facts) {
    record
        .memory()
        .inForce()
        .ifPresentOrElse(
            recorded -> admitted.stopRefused(record, recorded, breach, facts),
            () -> stopper.expel(record, breach));
  }
}
