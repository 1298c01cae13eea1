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
  JobSummary() {}

  /** {@return a new builder, with the statistics of no jobs} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the number of jobs} */
  @Value.Default
  public int jobs() {
    return 0;
  }

  /** {@return how many of them started} */
  @Value.Default
  public int started() {
    return 0;
  }

  /** {@return how many of them ran to their end} */
  @Value.Default
  public int finished() {
    return 0;
  }

  /** {@return how often they were preempted} */
  @Value.Default
  public long preemptions() {
    return 0;
  }

  /** {@return how often they were evicted for other reasons} */
  @Value.Default
  public long evictions() {
    return 0;
  }

  /** {@return how long they ran in vain, in total} */
  @Value.Default
  public Duration lostWork() {
    return Duration.ZERO;
  }

  /** {@return the mean wait of those that started} */
  @Value.Default
  public Duration meanWait() {
    return Duration.ZERO;
  }

  /** {@return the median wait: the 50th percentile} */
  @Value.Default
  public Duration p50Wait() {
    return Duration.ZERO;
  }

  /** {@return the 90th percentile of waits} */
  @Value.Default
  public Duration p90Wait() {
    return Duration.ZERO;
  }

  /** {@return the 95th percentile of waits} */
  @Value.Default
  public Duration p95Wait() {
    return Duration.ZERO;
  }

  /** {@return the 99th percentile of waits} */
  @Value.Default
  public Duration p99Wait() {
    return Duration.ZERO;
  }

  /** {@return the longest wait} */
  @Value.Default
  public Duration maxWait() {
    return Duration.ZERO;
  }

  /**
   * {@return the mean {@linkplain JobResult#slowdown() slowdown} of those that finished and have a
   * duration, NaN if there are none}
   */
  @Value.Default
  public double meanSlowdown() {
    return Double.NaN;
  }

  /**
   * {@return the mean {@linkplain JobResult#boundedSlowdown() bounded slowdown} of those that
   * finished, NaN if there are none}
   */
  @Value.Default
  public double meanBoundedSlowdown() {
    return Double.NaN;
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
