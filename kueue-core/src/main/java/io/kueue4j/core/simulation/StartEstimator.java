package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Estimates when workloads start, by Monte Carlo simulation: each sample draws how long everything
 * runs, and simulates the engine from its present state on until the workloads have started. The
 * engine makes all decisions, so that queueing order, borrowing, preemption and the placement of
 * pods are as in Kueue.
 *
 * <pre>{@code
 * ImmutableMap<WorkloadId, StartEstimate> estimates = StartEstimator.from(engine.view(), clock.instant())
 *     .durations(Durations.empirical(history).or(Durations.maximumExecutionTimes()))
 *     .arrivals(history)
 *     .samples(200, 1)
 *     .estimate(waiting);
 * }</pre>
 *
 * <p>Reusable, not thread-safe. Equal input gives equal results on every JVM.
 *
 * @since 0.1.0
 */
public final class StartEstimator {
  /** How far ahead an estimator looks unless another horizon is set: thirty days. */
  public static final Duration DEFAULT_HORIZON = Duration.ofDays(30);

  /** How many workloads behind the estimated ones are simulated unless another number is set. */
  public static final int DEFAULT_BEHIND = 1_000;

  private final EngineView view;
  private final Instant now;
  private Durations durations = Durations.maximumExecutionTimes();
  private ImmutableList<SimulationJob> arrivals = ImmutableList.of();
  private int samples = 200;
  private long seed;
  private Duration horizon = DEFAULT_HORIZON;
  private int behind = DEFAULT_BEHIND;
  private ClusterBehavior behavior = ClusterBehavior.IMMEDIATE;
  private int parts = 1;
  private Consumer<? super ImmutableList<Runnable>> runner = tasks -> tasks.forEach(Runnable::run);

  private StartEstimator(EngineView view, Instant now) {
    this.view = view;
    this.now = now;
  }

  /**
   * {@return an estimator}
   *
   * @param view the state of the engine; later changes to the engine do not matter
   * @param now the time of the view
   */
  public static StartEstimator from(EngineView view, Instant now) {
    return new StartEstimator(view, now);
  }

  /**
   * Sets how long workloads run, by default as long as their maximum execution times, and for ever
   * without one.
   */
  @CanIgnoreReturnValue
  public StartEstimator durations(Durations durations) {
    this.durations = durations;
    return this;
  }

  /**
   * Lets workloads arrive as in the past, by default none. Later ones matter for those that wait
   * now, if they have a higher priority or an older share, or fit where the first in the queue does
   * not.
   *
   * <p>Each sample continues with the submissions that followed a random moment of the past, in
   * their order and with their distances; after the last one it goes on with the first (the
   * circular block bootstrap of Politis and Romano, 1992). How much the load varies is so part of
   * the result.
   *
   * @param past the jobs that were submitted in the past, whether they have ended or not; only
   *     workloads and submit times matter. Those of LocalQueues that do not exist are left out.
   *     With less than two jobs, or all submitted at one time, none arrive
   */
  @CanIgnoreReturnValue
  public StartEstimator arrivals(Iterable<SimulationJob> past) {
    this.arrivals =
        ImmutableList.sortedCopyOf(Comparator.comparing(SimulationJob::submitTime), past);
    return this;
  }

  /**
   * Sets how many samples are simulated and the seed that they come from, by default 200 of seed 0.
   *
   * @param count the number of samples, at least 1; 200 give quantiles that vary by a few percent
   *     of probability between seeds
   * @param seed any number
   * @throws IllegalArgumentException if {@code count} is not positive
   */
  @CanIgnoreReturnValue
  public StartEstimator samples(int count, long seed) {
    checkArgument(count > 0, "the number of samples is %s; expected at least 1", count);
    this.samples = count;
    this.seed = seed;
    return this;
  }

  /**
   * Sets how far ahead to look, by default {@link #DEFAULT_HORIZON}. A workload that does not start
   * within it counts as never starting.
   *
   * @throws IllegalArgumentException if {@code horizon} is negative
   */
  @CanIgnoreReturnValue
  public StartEstimator horizon(Duration horizon) {
    checkArgument(!horizon.isNegative(), "the horizon is %s; expected 0 or more", horizon);
    this.horizon = horizon;
    return this;
  }

  /**
   * Sets how many waiting workloads behind the estimated ones are simulated, by default
   * {@link #DEFAULT_BEHIND}. The ClusterQueues that may affect these share the number evenly; in
   * each of them, workloads up to the place of the last estimated workload and workloads of a
   * higher priority count in any case. Workloads behind can start earlier only where those before
   * them do not fit, so that the first of them decide, but each costs time in every sample.
   *
   * @throws IllegalArgumentException if {@code workloads} is negative
   * @see StartEstimate#leftOut()
   */
  @CanIgnoreReturnValue
  public StartEstimator behind(int workloads) {
    checkArgument(
        workloads >= 0, "the number of workloads behind is %s; expected 0 or more", workloads);
    this.behind = workloads;
    return this;
  }

  /** Sets how the cluster reacts to decisions, by default immediately. */
  @CanIgnoreReturnValue
  public StartEstimator behavior(ClusterBehavior behavior) {
    this.behavior = behavior;
    return this;
  }

  /**
   * Divides the samples into parts, by default one, and sets what runs them: it may run them at the
   * same time in threads of its own. The estimates are the same.
   *
   * <pre>{@code
   * estimator.parts(4, parts -> parts.parallelStream().forEach(Runnable::run));
   * }</pre>
   *
   * @param count the number of parts; there are no more than samples
   * @param runner runs each of the parts, and returns when they have ended or one of them has
   *     failed
   * @throws IllegalArgumentException if {@code count} is not positive
   */
  @CanIgnoreReturnValue
  public StartEstimator parts(int count, Consumer<? super List<Runnable>> runner) {
    checkArgument(count > 0, "the number of parts is %s; expected at least 1", count);
    this.parts = count;
    this.runner = runner;
    return this;
  }

  /**
   * {@return the estimate for one workload}
   *
   * @throws IllegalArgumentException if the engine has no workload of that id
   */
  public StartEstimate estimate(WorkloadId workload) {
    return estimate(ImmutableList.of(workload)).values().iterator().next();
  }

  /**
   * {@return the estimates for workloads, in their order}
   *
   * @throws IllegalArgumentException if the engine has no workload of one of the ids
   */
  public Map<WorkloadId, StartEstimate> estimate(Iterable<WorkloadId> workloads) {
    return estimate(workloads, done -> true);
  }

  /**
   * {@return the estimates for workloads, in their order}
   *
   * @param workloads the workloads
   * @param progress receives the number of samples after each of them, one call at a time, from
   *     what runs the {@linkplain #parts parts}; if it returns false, the estimates come from the
   *     samples so far
   * @throws IllegalArgumentException if the engine has no workload of one of the ids
   */
  public Map<WorkloadId, StartEstimate> estimate(
      Iterable<WorkloadId> workloads, IntPredicate progress) {
    ImmutableSet<WorkloadId> asked =
        Streams.stream(workloads).map(VariantNames::submitted).collect(toImmutableSet());
    AdmissionEngine study = view.whatIf(() -> now);
    for (WorkloadId id : asked) {
      checkArgument(
          study.workload(id).isPresent(),
          "there is no workload %s; expected one that was submitted and has not finished",
          id);
    }
    List<Explanation> explanations = study.explainAll(asked, explanation -> explanation);
    QueueRelations relations = new QueueRelations(view);
    Predicate<String> isRelevant = relevantQueues(study, asked, relations);
    int leftOut = new WaitingLimit(study, asked).apply(view, isRelevant, behind);
    EngineView relevant = study.view();
    EstimationJobs jobs =
        new EstimationJobs(relevant, study, now, asked, arrivals, horizon, relations, isRelevant);
    return new Estimation(jobs, relations, plan(relevant, jobs.trace()), leftOut)
        .run(explanations, durations, samples, seed, parts, runner, progress);
  }

  /**
   * {@return which ClusterQueues may affect the estimated workloads: the queues in the same trees
   * of cohorts}
   *
   * <p>Trees affect each other through nodes alone, or if admission waits for pods to be ready,
   * which they are at once by the default behavior.
   */
  @SuppressWarnings("ReferenceEquality") // the default is one instance
  private Predicate<String> relevantQueues(
      AdmissionEngine study, ImmutableSet<WorkloadId> asked, QueueRelations relations) {
    if (relations.shareNodes() || behavior != ClusterBehavior.IMMEDIATE) {
      return queue -> true;
    }
    Set<String> owners = new HashSet<>();
    asked.forEach(id -> study.workload(id).map(relations::owner).ifPresent(owners::add));
    return queue -> owners.contains(relations.owner(queue));
  }

  private Plan plan(EngineView state, Trace trace) {
    return new Plan(
        trace,
        ImmutableList.of(),
        Settings.defaults(),
        Optional.of(state),
        ImmutableList.of(),
        behavior,
        Trace.millis(now, "the time of the view"),
        Trace.millis(TimeMath.saturatedAdd(now, horizon), "the horizon"),
        0);
  }
}
