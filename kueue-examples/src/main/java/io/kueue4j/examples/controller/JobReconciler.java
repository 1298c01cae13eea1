package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.controller.NoteReading.Refusal;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Reconciles the state of one job in the cluster with the state that the engine wants, one step at
 * a time. Each step starts from the last seen version of the job and assumes nothing else.
 */
final class JobReconciler {
  private final EngineBook book;
  private final JobReader reader;
  private final AdmissionRecords notes;
  private final RefusedNotes refused;
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
      AdmissionRecords notes,
      RefusedNotes refused,
      WorkloadPods pods,
      PodGroups groups,
      NodeHealth nodes,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.reader = reader;
    this.notes = notes;
    this.refused = refused;
    workloads = new JobWorkload(book, reader, notes, events);
    JobStarter starter = new JobStarter(book, configuration, reader, notes, writes, events, clock);
    stopper = new JobStopper(
        options.restartBackoff(), book, reader, notes, starter, writes, events, clock);
    ElasticScaling scaling = new ElasticScaling(
        book, configuration, reader, notes, workloads, pods, starter, writes, events, clock);
    serving = new ServingJobs(book, reader, groups, stopper, writes);
    waiting = new WaitingJobs(
        options,
        book,
        configuration,
        reader,
        notes,
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
        notes,
        new NoteChecks(configuration, reader),
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
            notes,
            writes),
        scaling,
        writes,
        clock);
  }

  /**
   * Restores a job with a recorded admission before any decision.
   *
   * @param acceptsUnsealed whether to trust notes without a seal of a known key, if nothing
   *     contradicts them
   */
  void restore(JobRecord record, boolean acceptsUnsealed) {
    try {
      if (JobFacts.of(reader.kinds(), record.job()).outcome().isPresent()) {
        return;
      }
      if (acceptsUnsealed) {
        acceptUnsealed(record);
      }
      notes.read(record).note().ifPresent(note -> admitted.takeOver(record, note));
    } catch (IllegalArgumentException e) {
      // Reported again, and handled, when the job is due.
      record.become(JobState.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private void acceptUnsealed(JobRecord record) {
    NoteReading reading = notes.read(record);
    if (reading.note().isPresent()
        || reading.refusal().filter(Refusal::isUnsealed).isEmpty()) {
      return;
    }
    notes
        .unsealed(record)
        .ifPresent(note -> admitted
            .contradiction(record, note)
            .ifPresentOrElse(
                why -> refused.report(record, "the unsealed note is not accepted: " + why),
                () -> notes.accept(record)));
  }

  /**
   * Outdates the records of a job that holds no quota when the controller starts, so that its owner
   * cannot put one back later that was removed or overwritten while no controller ran.
   *
   * @param record the state of the job, empty if it is not known
   */
  void outdate(HasMetadata job, Optional<JobRecord> record) {
    try {
      JobFacts facts = JobFacts.of(reader.kinds(), job);
      if (facts.outcome().isEmpty()
          && facts.isStoppable()
          && record.flatMap(known -> notes.read(known).note()).isEmpty()) {
        notes.outdateAll(job);
      }
    } catch (IllegalArgumentException e) {
      // It cannot be read, and so not be started.
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
        notes.finish(record, facts.outcome().get().succeeded(), message);
        record.become(JobState.FINISHED, message);
        return;
      }
      if (facts.startsByPods()) {
        serving.reconcile(record, facts);
        return;
      }
      stopper.deleteExcess(record);
      NoteReading reading = notes.read(record);
      Optional<String> breach = breach(record, reading);
      if (breach.isPresent() && stopsBy(breach.get(), record, facts)) {
        return;
      }
      if (reading.note().isPresent()) {
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

  /** {@return why a job must not continue because of the notes on it; empty if it may} */
  private Optional<String> breach(JobRecord record, NoteReading reading) {
    if (reading.refusal().isPresent()) {
      String why = reading.refusal().get().message();
      refused.report(record, why);
      boolean isOnlyWaiting = !reading.refusal().get().runs()
          && (reading.note().isPresent() || record.notes().inForce().isEmpty());
      return isOnlyWaiting ? Optional.empty() : Optional.of(why);
    }
    Optional<String> missing = notes.missing(record, reading);
    missing.ifPresentOrElse(
        why -> refused.report(record, why), () -> record.notes().isNews(""));
    return missing;
  }

  /** {@return whether a job is stopped because of a problem with its notes} */
  private boolean stopsBy(String breach, JobRecord record, JobFacts facts) {
    Optional<AdmissionNote> inForce = record.notes().inForce();
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
