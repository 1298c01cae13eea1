package io.kueue4j.core.simulation;

import io.kueue4j.core.internal.support.TimeMath;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What happened to one job in a simulation. Immutable.
 *
 * @param job the job
 * @param outcome what became of it
 * @param submitted when it was submitted, absent if it was not
 * @param started when it was first admitted, absent if it never was
 * @param ended when it finished or ended otherwise, absent if it has not
 * @param waited the time from its submission to its first start; if it has not started, to its end
 *     or to that of the simulation
 * @param starts how often it was admitted
 * @param preemptions how often it was preempted
 * @param evictions how often it was evicted for other reasons
 * @param lostWork how long it ran in vain, because it was stopped after its last checkpoint, or
 *     spent on restarting
 * @param clusterQueue the ClusterQueue that admitted it last, otherwise the one of its LocalQueue;
 *     absent if there is none
 * @param flavor the flavors that it was admitted on last, joined by {@code +}; absent if it has not
 *     started
 * @param rejection why the engine rejected its workload; absent if it did not
 * @since 0.1.0
 */
public record JobResult(
    SimulationJob job,
    JobOutcome outcome,
    Optional<Instant> submitted,
    Optional<Instant> started,
    Optional<Instant> ended,
    Duration waited,
    int starts,
    int preemptions,
    int evictions,
    Duration lostWork,
    Optional<String> clusterQueue,
    Optional<String> flavor,
    Optional<String> rejection) {
  /**
   * The run time below which {@link #boundedSlowdown()} does not magnify waits: 10 seconds, as in
   * Feitelson and Rudolph, "Metrics and Benchmarking for Parallel Job Scheduling" (JSSPP 1998).
   */
  public static final Duration SLOWDOWN_BOUND = Duration.ofSeconds(10);

  static final long SLOWDOWN_BOUND_MILLIS = 10_000;

  /** {@return the time from submission to the end; absent unless the job finished} */
  public Optional<Duration> response() {
    return outcome == JobOutcome.FINISHED
        ? Optional.of(Duration.between(submitted.orElseThrow(), ended.orElseThrow()))
        : Optional.empty();
  }

  /**
   * {@return the response time divided by the job's duration; infinite for a duration of 0 unless
   * the response is 0 as well; NaN unless the job finished}
   */
  public double slowdown() {
    return slowdown(response(), job.duration());
  }

  /**
   * {@return the response time divided by the job's duration or {@link #SLOWDOWN_BOUND}, whichever
   * is longer, at least 1; NaN unless the job finished}
   */
  public double boundedSlowdown() {
    Duration run = job.duration().compareTo(SLOWDOWN_BOUND) < 0 ? SLOWDOWN_BOUND : job.duration();
    return Math.max(1, slowdown(response(), run));
  }

  private static double slowdown(Optional<Duration> response, Duration run) {
    if (response.isEmpty()) {
      return Double.NaN;
    }
    double millis = TimeMath.saturatedMillis(response.get());
    double ran = TimeMath.saturatedMillis(run);
    return millis == ran ? 1 : millis / ran;
  }
}
