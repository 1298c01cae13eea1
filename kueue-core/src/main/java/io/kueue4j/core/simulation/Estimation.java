package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.StartEstimate.Blocker;
import io.kueue4j.core.simulation.StartEstimate.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * One estimation: lets parts simulate the samples, and collects the starts.
 *
 * @param leftOut the number of waiting workloads that are not among the jobs
 */
record Estimation(EstimationJobs jobs, QueueRelations relations, Plan plan, int leftOut) {
  /** An estimate names as many blockers at most. */
  private static final int MOST_BLOCKERS = 10;

  /**
   * {@return the estimates}
   *
   * @param partCount the number of parts
   * @param runner runs the parts
   */
  Map<WorkloadId, StartEstimate> run(
      List<Explanation> asked,
      Durations durations,
      int samples,
      long seed,
      int partCount,
      Consumer<? super ImmutableList<Runnable>> runner,
      IntPredicate progress) {
    List<Integer> awaited = new ArrayList<>();
    for (Explanation explanation : asked) {
      if (admitted(explanation.workload()).isEmpty()) {
        awaited.add(plan.trace().knownNumber(explanation.workload()));
      }
    }
    StartWatch watch = new StartWatch(plan.trace().size(), awaited);
    SampleProgress counted = new SampleProgress(progress);
    if (!awaited.isEmpty()) {
      int count = Math.min(partCount, samples);
      List<StartWatch> watches = new ArrayList<>();
      ImmutableList.Builder<Runnable> parts = ImmutableList.builder();
      for (int part = 0; part < count; part++) {
        StartWatch own = new StartWatch(plan.trace().size(), awaited);
        watches.add(own);
        parts.add(part(
            new SampleTimes(jobs, plan.startMillis(), durations, seed),
            (int) ((long) samples * part / count),
            (int) ((long) samples * (part + 1) / count),
            own,
            counted));
      }
      runner.accept(parts.build());
      checkState(counted.endedParts() == count, "a part of the samples was not run to its end");
      watches.forEach(watch::addAll);
    }
    int done = awaited.isEmpty() ? samples : counted.done();
    ImmutableMap.Builder<WorkloadId, StartEstimate> estimates = ImmutableMap.builder();
    for (Explanation explanation : asked) {
      estimates.put(explanation.workload(), estimate(explanation, watch, done));
    }
    return estimates.buildOrThrow();
  }

  /** {@return what simulates a part of the samples; it shares only immutable state with others} */
  private Runnable part(
      SampleTimes times, int first, int end, StartWatch watch, SampleProgress progress) {
    return () -> {
      for (int sample = first; sample < end && progress.isWanted(); sample++) {
        times.enter(sample);
        watch.enter();
        watch.repeated(SimulationRun.sample(plan, jobs.start(), times, watch));
        progress.count();
      }
      progress.endPart();
    };
  }

  /** {@return the workload, if it is admitted} */
  private Optional<HoldingWorkload> admitted(WorkloadId id) {
    return jobs.holder(id).filter(holder -> holder.isAdmitted() && !holder.isStopping());
  }

  private StartEstimate estimate(Explanation explanation, StartWatch watch, int samples) {
    WorkloadId id = explanation.workload();
    ImmutableStartEstimate.Builder estimate = ImmutableStartEstimate.builder()
        .workload(id)
        .repeatedStops(watch.repeatedStops())
        .leftOut(leftOut)
        .explanation(explanation);
    Optional<HoldingWorkload> admitted = admitted(id);
    if (admitted.isPresent()) {
      long since = Trace.millis(admitted.get().admission().quotaReservedTime(), "an admission");
      return estimate
          .state(State.ADMITTED)
          .starts(SortedTimes.of(Collections.nCopies(samples, since), samples))
          .build();
    }
    int job = plan.trace().knownNumber(id);
    return estimate
        .state(State.WAITING)
        .starts(SortedTimes.of(watch.starts(job), samples))
        .blockers(blockers(job, watch.triggers(job), samples))
        .build();
  }

  private ImmutableList<Blocker> blockers(
      int job, ListMultimap<Integer, Long> triggers, int samples) {
    return triggers.keySet().stream()
        .filter(other ->
            other < jobs.knownCount() && relations.areRelated(workload(other), workload(job)))
        .sorted(Comparator.<Integer>comparingInt(other -> -triggers.get(other).size())
            .thenComparing(Comparator.naturalOrder()))
        .limit(MOST_BLOCKERS)
        .map(other -> blocker(other, triggers.get(other), samples))
        .collect(toImmutableList());
  }

  private Workload workload(int job) {
    return plan.trace().job(job).workload();
  }

  private Blocker blocker(int job, List<Long> ends, int samples) {
    WorkloadId id = plan.trace().job(job).id();
    SortedTimes times = SortedTimes.of(ends, ends.size());
    return new Blocker(
        id,
        jobs.holder(id).isPresent(),
        ends.size() / (double) samples,
        times.quantile(0.1).orElseThrow(),
        times.quantile(0.5).orElseThrow(),
        times.quantile(0.9).orElseThrow());
  }

  /** Counts the samples of all parts of an estimation until no more are wanted. Thread-safe. */
  static final class SampleProgress {
    private final IntPredicate progress;
    private int done;
    private int endedParts;
    private boolean isWanted = true;

    /**
     * Creates an empty count.
     *
     * @param progress receives the number of samples after each of them, one call at a time, and
     *     returns whether more are wanted
     */
    SampleProgress(IntPredicate progress) {
      this.progress = progress;
    }

    /** {@return whether another sample is wanted} */
    synchronized boolean isWanted() {
      return isWanted;
    }

    /** Counts a sample. */
    synchronized void count() {
      done++;
      isWanted &= progress.test(done);
    }

    /** Counts a part that was run to its end. */
    synchronized void endPart() {
      endedParts++;
    }

    /** {@return the number of parts that were run to their end} */
    synchronized int endedParts() {
      return endedParts;
    }

    /** {@return the number of samples} */
    synchronized int done() {
      return done;
    }
  }
}
