package io.kueue4j.examples.controller;

import io.kueue4j.core.model.InvalidConfigurationException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Reconciles the state of one job in the cluster with the state that the engine wants, one step at
 * a time. Each step starts from the last seen version of the job and assumes nothing else.
 */
final class JobReconciler {
  private final EngineBook book;
  private final JobReader reader;
  private final WorkloadRecords records;
  private final RefusedAdmissions refused;
  private final JobWorkload workloads;
  private final JobStopper stopper;
  private final ServingJobs serving;
  private final WaitingJobs waiting;
  private final AdmittedJobs admitted;

  JobReconciler(
      ControllerOptions options,
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      WorkloadRecords records,
      RefusedAdmissions refused,
      WorkloadPods pods,
      PodGroups groups,
      NodeHealth nodes,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.reader = reader;
    this.records = records;
    this.refused = refused;
    workloads = new JobWorkload(book, reader, records, events);
    JobStarter starter =
        new JobStarter(book, configuration, reader, records, writes, events, clock);
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
        clock);
    admitted = new AdmittedJobs(
        book,
        configuration,
        reader,
        records,
        new RecordChecks(configuration),
        refused,
        workloads,
        pods,
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
  void restore(JobRecord record) {
    try {
      if (JobFacts.of(reader.kinds(), record.job()).outcome().isEmpty()) {
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
  void begin() {
    admitted.begin();
  }

  /** Performs the next action for a job, if there is one. */
  void reconcile(JobRecord record) {
    try {
      JobFacts facts = JobFacts.of(reader.kinds(), record.job());
      if (facts.outcome().isPresent()) {
        String message = facts.outcome().get().message();
        if (record.id().isPresent()) {
          DecisionLog.finished(record, message);
        }
        book.finish(record);
        records.finish(record, facts.outcome().get().succeeded(), message);
        record.become(JobState.FINISHED, message);
        return;
      }
      if (facts.startsByPods()) {
        serving.reconcile(record, facts);
        return;
      }
      stopper.deleteExcess(record);
      RecordReading reading = records.read(record);
      Optional<String> breach = breach(record, reading);
      if (breach.isPresent() && stopsBy(breach.get(), record, facts)) {
        return;
      }
      if (reading.recorded().isPresent()) {
        admitted.reconcile(record, reading, facts);
      } else if (!facts.isSuspended()) {
        waiting.suspend(record, facts);
      } else {
        waiting.queue(record);
      }
    } catch (InvalidConfigurationException e) {
      workloads.invalid(record, e.violations());
    }
  }

  /** {@return why a job must not continue because of its record; empty if it may} */
  private Optional<String> breach(JobRecord record, RecordReading reading) {
    if (reading.refusal().isPresent()) {
      refused.report(record, reading.refusal().get());
      return reading.refusal();
    }
    Optional<String> missing = records.missing(record, reading);
    missing.ifPresentOrElse(
        why -> refused.report(record, why), () -> record.memory().isNews(""));
    return missing;
  }

  /** {@return whether a job is stopped because of a problem with its record} */
  private boolean stopsBy(String breach, JobRecord record, JobFacts facts) {
    Optional<RecordedAdmission> inForce = record.memory().inForce();
    if (inForce.isPresent()) {
      admitted.stopRefused(record, inForce.get(), breach, facts);
      return true;
    }
    if (reader.namesQueue(record.job())) {
      stopper.expel(record, breach);
      return true;
    }
    // Not managed, like any job without a queue.
    return false;
  }
}
