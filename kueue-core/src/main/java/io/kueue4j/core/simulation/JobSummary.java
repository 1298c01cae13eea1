package io.kueue4j.core.simulation;

import java.time.Duration;
import org.immutables.value.Value;

/**
 * Statistics of a group of jobs in a simulation. Immutable.
 *
 * <p>Percentiles are by the nearest-rank method, over the jobs that have started.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class JobSummary {
  /**
   * How promises were kept. Immutable.
   *
   * @param made the number of jobs that were promised a start
   * @param kept how many of them started at the first promised time or before
   * @param late how many of them started later; the others did not start
   * @param moved how often a promised start moved to a later time
   * @param withdrawn how often a promise was withdrawn, because other jobs came before
   * @param maxDelay the longest time between the first promised start and the actual one
   * @see JobResult#promiseDelay
   * @since 0.1.0
   */
  public record PromiseCounts(
      int made, int kept, int late, long moved, long withdrawn, Duration maxDelay) {
    /** The counts without promises. */
    public static final PromiseCounts NONE = new PromiseCounts(0, 0, 0, 0, 0, Duration.ZERO);
  }

  JobSummary() {}

  /** {@return a new builder; all statistics are required, except how promises were kept} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the statistics of no jobs} */
  public static JobSummary none() {
    return new JobGroup().summary();
  }

  /** {@return the number of jobs} */
  public abstract int jobs();

  /** {@return how many of them started} */
  public abstract int started();

  /** {@return how many of them ran to their end} */
  public abstract int finished();

  /** {@return how often they were preempted} */
  public abstract long preemptions();

  /** {@return how often they were evicted for other reasons} */
  public abstract long evictions();

  /** {@return how long they ran in vain, in total} */
  public abstract Duration lostWork();

  /** {@return the mean wait of those that started} */
  public abstract Duration meanWait();

  /** {@return the median wait: the 50th percentile} */
  public abstract Duration p50Wait();

  /** {@return the 90th percentile of waits} */
  public abstract Duration p90Wait();

  /** {@return the 95th percentile of waits} */
  public abstract Duration p95Wait();

  /** {@return the 99th percentile of waits} */
  public abstract Duration p99Wait();

  /** {@return the longest wait} */
  public abstract Duration maxWait();

  /**
   * {@return the mean {@linkplain JobResult#slowdown() slowdown} of those that finished and have a
   * duration, NaN if there are none}
   */
  public abstract double meanSlowdown();

  /**
   * {@return the mean {@linkplain JobResult#boundedSlowdown() bounded slowdown} of those that
   * finished, NaN if there are none}
   */
  public abstract double meanBoundedSlowdown();

  /**
   * {@return how promises were kept; all zero without
   * {@link io.kueue4j.core.decision.Settings#backfill}}
   */
  @Value.Default
  public PromiseCounts promises() {
    return PromiseCounts.NONE;
  }

  /**
   * Builds {@link JobSummary} values, such as those that were stored; reusable, not thread-safe.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableJobSummary.Builder {
    Builder() {}
  }
}
