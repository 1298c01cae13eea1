package io.kueue4j.core.simulation;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Counts what happened to a group of jobs. */
final class JobGroup {
  private int jobs;
  private int finished;
  private long preemptions;
  private long evictions;
  private long lostMillis;
  private int withDuration;
  private double slowdowns;
  private double boundedSlowdowns;
  private int promised;
  private int kept;
  private int late;
  private long moved;
  private long withdrawn;
  private Duration maxDelay = Duration.ZERO;
  private final ImmutableLongArray.Builder waits = ImmutableLongArray.builder();

  /** {@return the statistics of the jobs with equal labels; those without are left out} */
  static ImmutableSortedMap<String, JobSummary> summaries(
      List<JobResult> jobs, Function<JobResult, Optional<String>> label) {
    Map<String, JobGroup> groups = new HashMap<>();
    for (JobResult job : jobs) {
      label
          .apply(job)
          .ifPresent(
              name -> groups.computeIfAbsent(name, unused -> new JobGroup()).add(job));
    }
    ImmutableSortedMap.Builder<String, JobSummary> summaries = ImmutableSortedMap.naturalOrder();
    groups.forEach((name, group) -> summaries.put(name, group.summary()));
    return summaries.build();
  }

  private void add(JobResult job) {
    jobs++;
    preemptions += job.preemptions();
    evictions += job.evictions();
    lostMillis = LongMath.saturatedAdd(lostMillis, TimeMath.saturatedMillis(job.lostWork()));
    if (job.starts() > 0) {
      waits.add(TimeMath.saturatedMillis(job.waited()));
    }
    addPromises(job);
    if (job.outcome() == Outcome.FINISHED) {
      finished++;
      boundedSlowdowns += job.boundedSlowdown();
      if (TimeMath.saturatedMillis(job.runTime()) > 0) {
        withDuration++;
        slowdowns += job.slowdown();
      }
    }
  }

  private void addPromises(JobResult job) {
    promised += job.promisedStart().isPresent() ? 1 : 0;
    moved += job.promiseMoves();
    withdrawn += job.promiseWithdrawals();
    Optional<Duration> delay = job.promiseDelay();
    if (delay.isPresent()) {
      kept += delay.get().isZero() ? 1 : 0;
      late += delay.get().isZero() ? 0 : 1;
      maxDelay = Comparators.max(maxDelay, delay.get());
    }
  }

  /** {@return the statistics of the jobs so far} */
  JobSummary summary() {
    long[] sorted = waits.build().toArray();
    Arrays.sort(sorted);
    double sum = LongStream.of(sorted).asDoubleStream().sum();
    return JobSummary.builder()
        .jobs(jobs)
        .started(sorted.length)
        .finished(finished)
        .preemptions(preemptions)
        .evictions(evictions)
        .lostWork(Duration.ofMillis(lostMillis))
        .meanWait(Duration.ofMillis(sorted.length == 0 ? 0 : Math.round(sum / sorted.length)))
        .p50Wait(percentile(sorted, 50))
        .p90Wait(percentile(sorted, 90))
        .p95Wait(percentile(sorted, 95))
        .p99Wait(percentile(sorted, 99))
        .maxWait(percentile(sorted, 100))
        .meanSlowdown(slowdowns / withDuration)
        .meanBoundedSlowdown(boundedSlowdowns / finished)
        .promises(new PromiseCounts(promised, kept, late, moved, withdrawn, maxDelay))
        .build();
  }

  /** {@return the smallest wait that at least so many of a hundred do not exceed} */
  private static Duration percentile(long[] sorted, int percent) {
    long rank = -Math.floorDiv(-(long) sorted.length * percent, 100L);
    return Duration.ofMillis(sorted.length == 0 ? 0 : sorted[(int) rank - 1]);
  }
}
