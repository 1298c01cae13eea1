package io.kueue4j.core.simulation;

import com.google.common.collect.Comparators;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to each job of a run so far, by the numbers of the jobs.
 *
 * <p>Rules: PS-9.
 */
final class JobStates {
  /** The time of what has not happened. */
  static final long NONE = Long.MIN_VALUE;

  private final Trace trace;
  private final JobTimes times;
  private final @Nullable StartWatch watch;
  private final boolean limitsRuns;
  private final JobState[] jobs;
  int endedCount;

  /** What has happened to a job. */
  static final class JobState {
    final int number;
    final SimulationJob job;
    Outcome outcome = Outcome.NOT_SUBMITTED;

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

    /** The first start that it was promised. */
    long promised = NONE;

    int promiseMoves;
    int promiseWithdrawals;
    int queue = -1;
    int flavor = -1;

    /** Counts the changes after which events that were planned before no longer apply. */
    int epoch;

    private JobState(int number, SimulationJob job) {
      this.number = number;
      this.job = job;
    }

    /** {@return whether it has run to its end before {@code now}, although nobody knows yet} */
    boolean isOver(long now) {
      return outcome == Outcome.RUNNING && plannedEnd < now;
    }

    private long restartCost() {
      Optional<Checkpoints> checkpoints = job.checkpoints();
      return starts == 1 || checkpoints.isEmpty()
          ? 0
          : Trace.millis(checkpoints.get().restartCost(), job);
    }

    /** Notes that it is promised a start, or that its promise changes. */
    void note(PromiseChange change) {
      if (change.promise().isEmpty()) {
        promiseWithdrawals++;
      } else if (change.isDelay()) {
        promiseMoves++;
      } else if (promised == NONE) {
        promised = TimeMath.saturatedMillis(change.promise().get().start());
      }
    }

    /** Ends the present run without finishing: the job keeps the progress that it saved. */
    void interrupt(long now) {
      long ran = now - lastStart;
      long kept = 0;
      Optional<Checkpoints> checkpoints = job.checkpoints();
      if (checkpoints.isPresent()) {
        long reached = progress + Math.max(0, ran - restartCost());
        kept = reached - reached % Trace.millis(checkpoints.get().interval(), job);
      }
      lost += ran - (kept - progress);
      progress = kept;
      outcome = Outcome.WAITING;
      epoch++;
    }
  }

  /**
   * Creates the states before anything has happened.
   *
   * @param watch follows the first starts and the ends of jobs, null if nobody does
   * @param limitsRuns whether jobs end at their estimates at the latest
   */
  JobStates(Trace trace, JobTimes times, @Nullable StartWatch watch, boolean limitsRuns) {
    this.trace = trace;
    this.times = times;
    this.watch = watch;
    this.limitsRuns = limitsRuns;
    this.jobs = new JobState[trace.size()];
    Arrays.setAll(jobs, number -> new JobState(number, trace.job(number)));
  }

  JobState of(int number) {
    return jobs[number];
  }

  /** {@return the state of the job with that id, null if it is not in the trace} */
  @Nullable
  JobState of(WorkloadId id) {
    Integer number = trace.number(id);
    return number == null ? null : jobs[number];
  }

  Stream<JobState> all() {
    return Arrays.stream(jobs);
  }

  /** {@return the workload to submit: if jobs end at their estimates, it says its own} */
  Workload workload(JobState job) {
    Workload workload = job.job.workload();
    Optional<Duration> estimate = limit(job);
    return workload.expectedDuration().isEmpty() && estimate.isPresent()
        ? Workload.builder().from(workload).expectedDuration(estimate).build()
        : workload;
  }

  /** {@return how long a job runs until its end from a start now} */
  long start(JobState job, long now) {
    job.outcome = Outcome.RUNNING;
    job.epoch++;
    job.starts++;
    if (job.firstStart == NONE) {
      job.firstStart = now;
      if (watch != null) {
        watch.started(job.number, now);
      }
    }
    job.lastStart = now;
    long duration = Math.min(times.durationMillis(job.number), limitMillis(job));
    return LongMath.saturatedAdd(Math.max(0, duration - job.progress), job.restartCost());
  }

  /** {@return an estimate, empty if it is 0, with which logs say that there is none} */
  static Optional<Duration> usable(Optional<Duration> estimate) {
    return estimate.filter(duration -> !duration.isZero());
  }

  private Optional<Duration> limit(JobState job) {
    return limitsRuns ? usable(job.job.estimate()) : Optional.empty();
  }

  /** {@return how long a job runs if nothing stops it, by its trace} */
  Duration runTime(JobState job) {
    Duration duration = job.job.duration();
    return Comparators.min(duration, limit(job).orElse(duration));
  }

  /** {@return how long a job runs at most, {@link Long#MAX_VALUE} if there is no limit} */
  long limitMillis(JobState job) {
    return limit(job).map(TimeMath::saturatedMillis).orElse(Long.MAX_VALUE);
  }

  /** Ends a job. */
  void end(JobState job, Outcome how, long time) {
    boolean runs = job.outcome == Outcome.RUNNING;
    if (runs && how == Outcome.FINISHED) {
      job.lost += job.restartCost();
    }
    job.outcome = how;
    // A cycle that sees a cancellation may have seen a later start before it.
    job.ended = runs ? Math.max(time, job.lastStart) : time;
    job.epoch++;
    endedCount++;
    if (watch != null) {
      watch.ended(job.number, job.ended);
    }
  }
}
