package io.kueue4j.core.simulation;

import com.google.common.math.LongMath;
import io.kueue4j.core.model.Admission;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What has happened to each job of a run so far, by the numbers of the jobs. */
final class JobStates {
  /** The time of what has not happened. */
  static final long NONE = Long.MIN_VALUE;

  private final Trace trace;
  private final JobTimes times;
  private final JobWatch watch;
  private final JobState[] jobs;
  int endedCount;

  /** What has happened to a job. */
  static final class JobState {
    JobOutcome outcome = JobOutcome.NOT_SUBMITTED;

    @Nullable
    Admission held;

    long submitted = NONE;
    long firstStart = NONE;
    long lastStart = NONE;

    /** When the present run ends unless something stops it. */
    long plannedEnd = NONE;

    long ended = NONE;
    long progress;
    long lost;
    int starts;
    int reservations;
    int preemptions;
    int evictions;
    int queue = -1;
    int flavor = -1;

    /** Counts the changes after which events that were planned before no longer apply. */
    int epoch;
  }

  JobStates(Trace trace, JobTimes times, JobWatch watch) {
    this.trace = trace;
    this.times = times;
    this.watch = watch;
    this.jobs = new JobState[trace.size()];
    Arrays.setAll(jobs, job -> new JobState());
  }

  JobState of(int job) {
    return jobs[job];
  }

  /** {@return whether a job has run to its end before {@code now}, although nobody knows yet} */
  boolean isOver(int job, long now) {
    JobState state = of(job);
    return state.outcome == JobOutcome.RUNNING && state.plannedEnd < now;
  }

  Stream<JobState> all() {
    return Arrays.stream(jobs);
  }

  /** {@return how long a job runs until its end from a start now} */
  long start(int job, long now) {
    JobState state = of(job);
    state.outcome = JobOutcome.RUNNING;
    state.epoch++;
    state.starts++;
    if (state.firstStart == NONE) {
      state.firstStart = now;
      watch.started(job, now);
    }
    state.lastStart = now;
    long rest = times.durationMillis(job) - state.progress;
    return LongMath.saturatedAdd(rest, restartCost(job));
  }

  private long restartCost(int job) {
    Optional<Checkpoints> checkpoints = trace.job(job).checkpoints();
    return of(job).starts == 1 || checkpoints.isEmpty()
        ? 0
        : Trace.millis(checkpoints.get().restartCost(), trace.job(job));
  }

  /** Ends the present run of a job that has not finished: it keeps the progress that it saved. */
  void interrupt(int job, long now) {
    JobState state = of(job);
    long ran = now - state.lastStart;
    long kept = 0;
    Optional<Checkpoints> checkpoints = trace.job(job).checkpoints();
    if (checkpoints.isPresent()) {
      long reached = state.progress + Math.max(0, ran - restartCost(job));
      kept = reached - reached % Trace.millis(checkpoints.get().interval(), trace.job(job));
    }
    state.lost += ran - (kept - state.progress);
    state.progress = kept;
    state.outcome = JobOutcome.WAITING;
    state.epoch++;
  }

  /** Ends a job. */
  void end(int job, JobOutcome how, long time) {
    JobState state = of(job);
    boolean runs = state.outcome == JobOutcome.RUNNING;
    if (runs && how == JobOutcome.FINISHED) {
      state.lost += restartCost(job);
    }
    state.outcome = how;
    // A cycle that sees a cancellation may have seen a later start before it.
    state.ended = runs ? Math.max(time, state.lastStart) : time;
    state.epoch++;
    endedCount++;
    watch.ended(job, state.ended);
  }
}
