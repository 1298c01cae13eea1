package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import io.kueue4j.core.model.InvalidConfigurationException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Brings what the cluster says of one job and what the engine wants of it together, one step at a
 * time. Nothing is assumed: each step starts from the job as it was seen last.
 */
final class JobReconciler {
  private final EngineBook book;
  private final JobReader reader;
  private final JobWorkload workloads;
  private final JobStopper stopper;
  private final ServingJobs serving;
  private final WaitingJobs waiting;
  private final AdmittedJobs admitted;
  private final JobEvents events;

  JobReconciler(
      ControllerOptions options,
      EngineBook book,
      ClusterConfiguration configuration,
      JobReader reader,
      WorkloadPods pods,
      PodGroups groups,
      NodeHealth nodes,
      JobWrites writes,
      JobEvents events,
      InstantSource clock) {
    this.book = book;
    this.reader = reader;
    this.events = events;
    workloads = new JobWorkload(book, reader, events);
    JobStarter starter = new JobStarter(book, configuration, reader, writes, events, clock);
    stopper =
        new JobStopper(options.restartBackoff(), book, reader, starter, writes, events, clock);
    serving = new ServingJobs(book, reader, groups, stopper, writes);
    waiting = new WaitingJobs(
        options, book, configuration, reader, workloads, pods, starter, stopper, events, clock);
    admitted = new AdmittedJobs(
        book,
        configuration,
        reader,
        workloads,
        pods,
        starter,
        stopper,
        new RunningJobs(
            options,
            book,
            reader,
            pods,
            new FailedNodes(book, configuration, nodes, pods, writes, clock),
            starter,
            writes),
        writes,
        events,
        clock);
  }

  /** Takes a job in that holds quota as its note says, before anything is decided. */
  void restore(JobRecord record) {
    try {
      Optional<AdmissionNote> note = record.note();
      if (note.isPresent()
          && JobFacts.of(reader.kinds(), record.job()).outcome().isEmpty()) {
        admitted.adopt(record, note.get());
      }
    } catch (IllegalArgumentException e) {
      // Told again, and acted on, when the job's turn comes.
      record.become(JobState.INVALID, String.valueOf(e.getMessage()));
    }
  }

  /** Takes what holds quota and was not restored by now for started by another. */
  void begin() {
    admitted.begin();
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
      if (facts.startsByPods()) {
        serving.reconcile(record, facts);
        return;
      }
      stopper.deleteExcess(record);
      Optional<AdmissionNote> note = note(record);
      if (note.isPresent()) {
        admitted.reconcile(record, note.get(), facts);
      } else if (!facts.isSuspended()) {
        waiting.suspend(record, facts);
      } else {
        waiting.queue(record);
      }
    } catch (InvalidConfigurationException e) {
      workloads.invalid(record, Joiner.on("; ").join(e.violations()));
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
}
