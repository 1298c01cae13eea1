package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.HoldingWorkload;
import io.kueue4j.core.decision.RepeatedStop;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.StartEstimate.Blocker;
import io.kueue4j.core.simulation.StartEstimate.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** One estimation: lets parts simulate the samples, and collects the starts. */
final class Estimation {
  /** An estimate names as many blockers at most. */
  private static final int MOST_BLOCKERS = 10;

  private final EstimationJobs jobs;
  private final QueueRelations relations;
  private final Plan plan;

  /** The number of waiting workloads that are not among the jobs. */
  private final int leftOut;

  Estimation(EstimationJobs jobs, QueueRelations relations, Plan plan, int leftOut) {
    this.jobs = jobs;
    this.relations = relations;
    this.plan = plan;
    this.leftOut = leftOut;
  }

  /**
   * {@return the estimates}
   *
   * @param partCount the number of parts
   * @param runner runs the parts
   */
  ImmutableMap<WorkloadId, StartEstimate> run(
      ImmutableList<Explanation> asked,
      Durations durations,
      Samples samples,
      int partCount,
      Consumer<? super ImmutableList<Runnable>> runner,
      IntPredicate progress) {
    List<Integer> awaited = new ArrayList<>();
    for (Explanation explanation : asked) {
      if (admitted(explanation.workload()).isEmpty()) {
        awaited.add(number(explanation.workload()));
      }
    }
    StartWatch watch = new StartWatch(plan.trace().size(), awaited);
    SampleProgress counted = new SampleProgress(progress);
    Set<RepeatedStop> repeated = new TreeSet<>(Comparator.comparing(RepeatedStop::message));
    if (!awaited.isEmpty()) {
      ImmutableList<SamplePart> parts =
          parts(durations, samples, Math.min(partCount, samples.count()), awaited, counted);
      runner.accept(ImmutableList.copyOf(parts));
      for (SamplePart part : parts) {
        checkState(part.hasEnded(), "a part of the samples was not run to its end");
        watch.addAll(part.watch());
        repeated.addAll(part.repeatedStops());
      }
    }
    int done = awaited.isEmpty() ? samples.count() : counted.done();
    ImmutableMap.Builder<WorkloadId, StartEstimate> estimates = ImmutableMap.builder();
    for (Explanation explanation : asked) {
      estimates.put(
          explanation.workload(),
          estimate(explanation, watch, ImmutableList.copyOf(repeated), done));
    }
    return estimates.buildOrThrow();
  }

  private ImmutableList<SamplePart> parts(
      Durations durations,
      Samples samples,
      int count,
      List<Integer> awaited,
      SampleProgress progress) {
    ImmutableList.Builder<SamplePart> parts = ImmutableList.builder();
    for (int part = 0; part < count; part++) {
      parts.add(new SamplePart(
          plan,
          jobs.start(),
          new SampleTimes(jobs, plan.startMillis(), durations, samples.seed()),
          new StartWatch(plan.trace().size(), awaited),
          (int) ((long) samples.count() * part / count),
          (int) ((long) samples.count() * (part + 1) / count),
          progress));
    }
    return parts.build();
  }

  private int number(WorkloadId id) {
    Integer number = plan.trace().number(id);
    if (number == null) {
      throw new IllegalStateException("workload " + id + " is not among the jobs");
    }
    return number;
  }

  /** {@return the workload, if it is admitted} */
  private Optional<HoldingWorkload> admitted(WorkloadId id) {
    return jobs.holder(id).filter(holder -> holder.isAdmitted() && !holder.isStopping());
  }

  private StartEstimate estimate(
      Explanation explanation,
      StartWatch watch,
      ImmutableList<RepeatedStop> repeatedStops,
      int samples) {
    WorkloadId id = explanation.workload();
    ImmutableStartEstimate.Builder estimate = ImmutableStartEstimate.builder()
        .workload(id)
        .repeatedStops(repeatedStops)
        .leftOut(leftOut)
        .explanation(explanation);
    Optional<HoldingWorkload> admitted = admitted(id);
    if (admitted.isPresent()) {
      long[] since = new long[samples];
      Arrays.fill(
          since, Trace.millis(admitted.get().admission().quotaReservedTime(), "an admission"));
      return estimate
          .state(State.ADMITTED)
          .starts(new SortedTimes(since, samples))
          .build();
    }
    int job = number(id);
    return estimate
        .state(State.WAITING)
        .starts(watch.starts(job).of(samples))
        .blockers(blockers(job, watch.triggers(job), samples))
        .build();
  }

  private ImmutableList<Blocker> blockers(
      int job, Map<Integer, StartWatch.Times> triggers, int samples) {
    return triggers.entrySet().stream()
        .filter(trigger -> trigger.getKey() < jobs.knownCount()
            && relations.areRelated(workload(trigger.getKey()), workload(job)))
        .sorted(Comparator.<Map.Entry<Integer, StartWatch.Times>>comparingInt(
                trigger -> -trigger.getValue().size())
            .thenComparing(Map.Entry::getKey))
        .limit(MOST_BLOCKERS)
        .map(trigger -> blocker(trigger.getKey(), trigger.getValue(), samples))
        .collect(toImmutableList());
  }

  private Workload workload(int job) {
    return plan.trace().job(job).workload();
  }

  private Blocker blocker(int job, StartWatch.Times ends, int samples) {
    WorkloadId id = plan.trace().job(job).id();
    SortedTimes times = ends.of(ends.size());
    return new Blocker(
        id,
        jobs.holder(id).isPresent(),
        ends.size() / (double) samples,
        times.quantile(0.1).orElseThrow(),
        times.quantile(0.5).orElseThrow(),
        times.quantile(0.9).orElseThrow());
  }
}
