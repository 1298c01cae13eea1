package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When jobs arrive and how long they run, in one sample after another. Each job has the same random
 * number in a sample, in whatever order jobs start.
 */
final class SampleTimes implements JobTimes {
  /** Parts of the numbers of an estimation. */
  private static final int OF_GROUPS = 0;

  private static final int OF_SAMPLES = 1;

  /** The index of the number for the arrivals of a sample; jobs have those from 0 on. */
  private static final long OF_ARRIVALS = -2;

  private final EstimationJobs jobs;
  private final long nowMillis;
  private final Durations.Model model;
  private final SampleNumbers numbers;
  private final Durations.@Nullable Source[] sources;
  private final long[] ranMillis;
  private final long[] capMillis;
  private final boolean[] known;
  private int sample;
  private SampleNumbers drawn;

  /** Where in the past the arrivals of the sample begin. */
  private long shift;

  private int firstArrival;

  SampleTimes(EstimationJobs jobs, long nowMillis, Durations durations, long seed) {
    int size = jobs.trace().size();
    SampleNumbers all = SampleNumbers.of(seed);
    this.jobs = jobs;
    this.nowMillis = nowMillis;
    this.numbers = all.part(OF_SAMPLES);
    this.drawn = numbers.part(0);
    this.sources = new Durations.@Nullable Source[size];
    this.ranMillis = new long[size];
    this.capMillis = new long[size];
    this.known = new boolean[size];
    ImmutableList.Builder<Durations.Running> running = ImmutableList.builder();
    for (HoldingWorkload holder : jobs.allHolders()) {
      if (holder.isAdmitted() && !holder.isStopping()) {
        long ran = Math.max(
            0, nowMillis - Trace.millis(holder.admission().quotaReservedTime(), "an admission"));
        running.add(new Durations.Running(
            VariantNames.submitted(holder.workload()),
            holder.admission().quotaReservedTime(),
            ran));
        Integer job =
            jobs.trace().number(VariantNames.submitted(holder.workload().id()));
        if (job != null) {
          ranMillis[job] = ran;
        }
      }
    }
    ImmutableList.Builder<Durations.Submitted> submitted =
        ImmutableList.builderWithExpectedSize(size);
    for (int job = 0; job < size; job++) {
      Workload workload = jobs.workload(job);
      submitted.add(new Durations.Submitted(workload, submitted(job, workload)));
    }
    this.model = durations.model(running.build(), submitted.build(), all.part(OF_GROUPS));
  }

  /** Goes on to a sample. */
  void enter(int number) {
    sample = number;
    drawn = numbers.part(number);
    shift = (long) (drawn.uniform(OF_ARRIVALS) * jobs.period());
    firstArrival = 0;
    while (firstArrival < jobs.arrivalsOfPeriod() && jobs.offset(firstArrival) < shift) {
      firstArrival++;
    }
  }

  @Override
  public long submitMillis(int job) {
    int arrival = job - jobs.knownCount();
    if (arrival < 0) {
      return nowMillis;
    }
    int inPeriod = arrival % jobs.arrivalsOfPeriod();
    long periods = arrival / jobs.arrivalsOfPeriod() + (inPeriod < firstArrival ? 1L : 0L);
    return nowMillis + periods * jobs.period() + jobs.offset(inPeriod) - shift;
  }

  @Override
  public int independentCount() {
    return jobs.trace().size() - jobs.knownCount();
  }

  @Override
  public int independent(int i) {
    int inPeriod = i % jobs.arrivalsOfPeriod() + firstArrival;
    int copy = i - i % jobs.arrivalsOfPeriod();
    return jobs.knownCount() + copy + inPeriod % jobs.arrivalsOfPeriod();
  }

  @Override
  public long durationMillis(int job) {
    if (!known[job]) {
      known[job] = true;
      Workload workload = jobs.workload(job);
      sources[job] = model.source(workload, submitted(job, workload));
      capMillis[job] =
          workload.maximumExecutionTime().map(TimeMath::saturatedMillis).orElse(Long.MAX_VALUE);
    }
    Durations.Source source = sources[job];
    return source == null
        ? capMillis[job]
        : Math.min(capMillis[job], source.draw(sample, drawn.normal(job), ranMillis[job]));
  }

  /** {@return when a job was or is submitted; arrivals as if the past was repeated from now on} */
  private Instant submitted(int job, Workload workload) {
    int arrival = job - jobs.knownCount();
    if (arrival < 0) {
      return workload.creationTime().orElse(Instant.ofEpochMilli(nowMillis - ranMillis[job]));
    }
    long periods = arrival / jobs.arrivalsOfPeriod();
    return Instant.ofEpochMilli(
        nowMillis + periods * jobs.period() + jobs.offset(arrival % jobs.arrivalsOfPeriod()));
  }
}
