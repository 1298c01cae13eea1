package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.JobStates.NONE;

import java.util.Arrays;

/** Finds the runs of jobs in the log of a simulation. */
final class JobRuns {
  private final EventLog log;
  private final JobStates states;

  /** When the present run of each job has started. */
  private final long[] started;

  JobRuns(Plan plan, EventLog log, JobStates states) {
    this.log = log;
    this.states = states;
    this.started = new long[plan.trace().size()];
    Arrays.fill(started, NONE);
    if (plan.base().isPresent()) {
      // The log has no admissions of the jobs that ran at the start.
      for (int job = 0; job < started.length; job++) {
        if (states.of(job).firstStart <= plan.startMillis()) {
          started[job] = states.of(job).firstStart;
        }
      }
    }
  }

  void forEach(long endMillis, SimulationResult.RunConsumer action) {
    for (int event = 0; event < log.size(); event++) {
      int job = log.subject(event);
      EventKind kind = EventKind.of(log, event);
      if (kind == EventKind.ADMITTED) {
        started[job] = log.time(event);
      } else if (endsRun(kind) && started[job] != NONE) {
        boolean goesOn = kind == EventKind.PREEMPTED || kind == EventKind.EVICTED;
        // A scheduler that polls learns of ends later.
        action.accept(job, started[job], goesOn ? log.time(event) : states.of(job).ended);
        started[job] = NONE;
      }
    }
    for (int job = 0; job < started.length; job++) {
      if (started[job] != NONE) {
        action.accept(job, started[job], endMillis);
      }
    }
  }

  private static boolean endsRun(EventKind kind) {
    return switch (kind) {
      case PREEMPTED, EVICTED, FINISHED, CANCELLED, DELETED, REPLACED, DEACTIVATED -> true;
      default -> false;
    };
  }
}
