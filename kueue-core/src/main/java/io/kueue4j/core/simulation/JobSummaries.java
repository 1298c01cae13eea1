package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.internal.simulation.EventHeap;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;

/** Statistics of groups of jobs. */
final class JobSummaries {
  /** The statistics of no jobs. */
  static final JobSummary NONE = new Group().summary();

  private final Trace trace;
  private final JobStates states;
  private final IntToLongFunction waitMillis;

  JobSummaries(Trace trace, JobStates states, IntToLongFunction waitMillis) {
    this.trace = trace;
    this.states = states;
    this.waitMillis = waitMillis;
  }

  /** {@return the statistics of the jobs with equal labels; those without are left out} */
  ImmutableSortedMap<String, JobSummary> by(IntFunction<Optional<String>> label) {
    Map<String, Group> groups = new HashMap<>();
    for (int job = 0; job < trace.size(); job++) {
      int number = job;
      label
          .apply(job)
          .ifPresent(name -> add(number, groups.computeIfAbsent(name, unused -> new Group())));
    }
    ImmutableSortedMap.Builder<String, JobSummary> summaries = ImmutableSortedMap.naturalOrder();
    groups.forEach((name, group) -> summaries.put(name, group.summary()));
    return summaries.build();
  }

  private void add(int job, Group group) {
    group.jobs++;
    group.preemptions += states.preemptions[job];
    group.evictions += states.evictions[job];
    group.lostMillis = EventHeap.after(group.lostMillis, states.lost[job]);
    if (states.starts[job] > 0) {
      group.addWait(waitMillis.applyAsLong(job));
    }
    if (states.outcome[job] == JobOutcome.FINISHED) {
      long response = states.ended[job] - states.submitted[job];
      long run = trace.durationMillis(job);
      group.finished++;
      group.boundedSlowdowns +=
          Math.max(1, (double) response / Math.max(run, JobResult.SLOWDOWN_BOUND_MILLIS));
      if (run > 0) {
        group.withDuration++;
        group.slowdowns += (double) response / run;
      }
    }
  }

  private static final class Group {
    int jobs;
    int finished;
    long preemptions;
    long evictions;
    long lostMillis;
    int withDuration;
    double slowdowns;
    double boundedSlowdowns;
    private long[] waits = new long[4];
    private int started;

    void addWait(long millis) {
      if (started == waits.length) {
        waits = Arrays.copyOf(waits, started * 2);
      }
      waits[started++] = millis;
    }

    JobSummary summary() {
      Arrays.sort(waits, 0, started);
      double sum = LongStream.of(waits).limit(started).asDoubleStream().sum();
      return JobSummary.builder()
          .jobs(jobs)
          .started(started)
          .finished(finished)
          .preemptions(preemptions)
          .evictions(evictions)
          .lostWork(Duration.ofMillis(lostMillis))
          .meanWait(Duration.ofMillis(started == 0 ? 0 : Math.round(sum / started)))
          .p50Wait(percentile(50))
          .p90Wait(percentile(90))
          .p95Wait(percentile(95))
          .p99Wait(percentile(99))
          .maxWait(percentile(100))
          .meanSlowdown(slowdowns / withDuration)
          .meanBoundedSlowdown(boundedSlowdowns / finished)
          .build();
    }

    /** {@return the smallest wait that at least so many of a hundred do not exceed} */
    private Duration percentile(int percent) {
      long rank = -Math.floorDiv(-(long) started * percent, 100L);
      return Duration.ofMillis(started == 0 ? 0 : waits[(int) rank - 1]);
    }
  }
}
