package io.kueue4j.core.simulation;

import com.google.common.math.LongMath;
import io.kueue4j.core.model.Admission;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What has happened to each job of a run so far, by the numbers of the jobs. */
final class JobStates {
  /** The time of what has not happened. */
  static final long NONE = Long.MIN_VALUE;

  private final Trace trace;
  private final JobTimes times;
  private final JobWatch watch;
  final JobOutcome[] outcome;
  final @Nullable Admission[] held;
  final long[] submitted;
  final long[] firstStart;
  final long[] lastStart;
  final long[] ended;
  final long[] progress;
  final long[] lost;
  final int[] starts;
  final int[] reservations;
  final int[] preemptions;
  final int[] evictions;
  final int[] queue;
  final int[] flavor;

  /** Counts the changes of a job after which events that were planned before no longer apply. */
  final int[] epoch;

  int endedCount;

  JobStates(Trace trace, JobTimes times, JobWatch watch) {
    int size = trace.size();
    this.trace = trace;
    this.times = times;
    this.watch = watch;
    this.outcome = new JobOutcome[size];
    Arrays.fill(outcome, JobOutcome.NOT_SUBMITTED);
    this.held = new @Nullable Admission[size];
    this.submitted = unknownTimes(size);
    this.firstStart = unknownTimes(size);
    this.lastStart = unknownTimes(size);
    this.ended = unknownTimes(size);
    this.progress = new long[size];
    this.lost = new long[size];
    this.starts = new int[size];
    this.reservations = new int[size];
    this.preemptions = new int[size];
    this.evictions = new int[size];
    this.queue = new int[size];
    Arrays.fill(queue, -1);
    this.flavor = new int[size];
    Arrays.fill(flavor, -1);
    this.epoch = new int[size];
  }

  private static long[] unknownTimes(int size) {
    long[] times = new long[size];
    Arrays.fill(times, NONE);
    return times;
  }

  /** {@return how long a job runs until its end from a start now} */
  long start(int job, long now) {
    outcome[job] = JobOutcome.RUNNING;
    epoch[job]++;
    starts[job]++;
    if (firstStart[job] == NONE) {
      firstStart[job] = now;
      watch.started(job, now);
    }
    lastStart[job] = now;
    long rest = times.durationMillis(job) - progress[job];
    return LongMath.saturatedAdd(rest, restartCost(job));
  }

  private long restartCost(int job) {
    return starts[job] == 1
        ? 0
        : trace
            .job(job)
            .checkpoints()
            .map(checkpoints -> Trace.millis(checkpoints.restartCost(), trace.job(job)))
            .orElse(0L);
  }

  /** Ends the present run of a job that has not finished: it keeps the progress that it saved. */
  void interrupt(int job, long now) {
    long ran = now - lastStart[job];
    long cost = restartCost(job);
    long kept = trace
        .job(job)
        .checkpoints()
        .map(checkpoints -> {
          long interval = Trace.millis(checkpoints.interval(), trace.job(job));
          long reached = progress[job] + Math.max(0, ran - cost);
          return reached - reached % interval;
        })
        .orElse(0L);
    lost[job] += ran - (kept - progress[job]);
    progress[job] = kept;
    outcome[job] = JobOutcome.WAITING;
    epoch[job]++;
  }

  /** Ends a job. */
  void end(int job, JobOutcome how, long time) {
    if (outcome[job] == JobOutcome.RUNNING && how == JobOutcome.FINISHED) {
      lost[job] += restartCost(job);
    }
    outcome[job] = how;
    ended[job] = time;
    epoch[job]++;
    endedCount++;
    watch.ended(job, time);
  }
}
