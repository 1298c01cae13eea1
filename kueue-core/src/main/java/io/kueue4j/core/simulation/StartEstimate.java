package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * When a workload is going to start: a distribution, found by simulating its cluster many times
 * with different durations of jobs. Immutable.
 *
 * <pre>{@code
 * StartEstimate estimate = StartEstimator.from(engine.view(), clock.instant())
 *     .durations(Durations.empirical(history))
 *     .estimate(id);
 * estimate.p50().ifPresent(time -> log("probably by " + time));
 * estimate.p90().ifPresent(time -> log("almost certainly by " + time));
 * estimate.blockers().forEach(blocker -> log("waits for " + blocker.workload()));
 * estimate.explanation().remedies().forEach(remedy -> log("or " + remedy.message()));
 * }</pre>
 *
 * <p>A start is the first admission from now on; whether the workload is preempted later does not
 * matter.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class StartEstimate {
  /**
   * Where a workload stands at the moment of the estimate.
   *
   * @since 0.1.0
   */
  public enum State {
    /** It is admitted. Its start is in the past, and certain. */
    ADMITTED,
    /** It waits, for quota, for admission checks, or for its pods to stop. */
    WAITING
  }

  /**
   * A workload that another one waits for.
   *
   * @param workload the workload; it may be one that waits itself now, and has to start first
   * @param holdsQuota whether it holds quota now
   * @param share the share of the samples in which the other one starts when this one ends, more
   *     than 0 and at most 1
   * @param p10 the time by which it has ended with a probability of a tenth, in these samples
   * @param p50 the median of the time of its end, in these samples
   * @param p90 the time by which it has ended with a probability of nine tenths, in these samples
   * @since 0.1.0
   */
  public record Blocker(
      WorkloadId workload,
      boolean holdsQuota,
      double share,
      Instant p10,
      Instant p50,
      Instant p90) {}

  StartEstimate() {}

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return where it stands now} */
  public abstract State state();

  /** {@return the times of its start in the samples} */
  abstract SortedTimes starts();

  /**
   * {@return the time by which it has started with a probability; absent if it is more likely than
   * that not to start within the horizon}
   *
   * @param probability more than 0, at most 1
   */
  public Optional<Instant> quantile(double probability) {
    checkArgument(
        probability > 0 && probability <= 1,
        "the probability is %s; expected more than 0 and at most 1",
        probability);
    return starts().quantile(probability);
  }

  /** {@return the time by which it has started with a probability of a tenth} */
  public Optional<Instant> p10() {
    return quantile(0.1);
  }

  /** {@return the median of its start} */
  public Optional<Instant> p50() {
    return quantile(0.5);
  }

  /** {@return the time by which it has started with a probability of nine tenths} */
  public Optional<Instant> p90() {
    return quantile(0.9);
  }

  /** {@return the share of the samples in which it does not start within the horizon, 0 to 1} */
  public double neverShare() {
    return 1 - starts().count() / (double) samples();
  }

  /** {@return the share of the samples in which it starts by a time, 0 to 1} */
  public double shareBy(Instant time) {
    return starts().countBy(time) / (double) samples();
  }

  /** {@return the number of samples; less than asked for if the estimation was ended early} */
  public int samples() {
    return starts().total();
  }

  /**
   * {@return the workloads at whose end it starts, the most frequent first}: those that block it
   * now, and until when. Empty if it starts without the end of another one, or never.
   */
  public abstract List<Blocker> blockers();

  /**
   * {@return the preemptions and evictions that repeat in loops of any sample, of all workloads
   * that were simulated, in a fixed order; empty if there was no loop}
   *
   * @see SimulationResult#repeatedStops()
   */
  public abstract List<RepeatedStop> repeatedStops();

  /**
   * {@return the number of waiting workloads that the samples did not simulate, because they are
   * far behind the workloads that the estimate is about; 0 if all that may matter were simulated}
   *
   * @see StartEstimator#behind(int)
   */
  public abstract int leftOut();

  /**
   * {@return why it waits now, and what would let it start: {@link Explanation#remedies()} are the
   * changes that would bring its start forward}
   */
  public abstract Explanation explanation();

  @Override
  public String toString() {
    return "StartEstimate [" + workload() + " " + state() + ", p10 " + text(p10()) + ", p50 "
        + text(p50()) + ", p90 " + text(p90()) + ", never " + neverShare() + "]";
  }

  private static String text(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("never");
  }
}
