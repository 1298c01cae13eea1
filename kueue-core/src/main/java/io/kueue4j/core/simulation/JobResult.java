package io.kueue4j.core.simulation;

import io.kueue4j.core.internal.support.TimeMath;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What happened to one job in a simulation, from {@link SimulationResult#jobs()}. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class JobResult {
  /**
   * The run time below which {@link #boundedSlowdown()} does not magnify waits: 10 seconds, as in
   * Feitelson and Rudolph, "Metrics and Benchmarking for Parallel Job Scheduling" (JSSPP 1998).
   */
  public static final Duration SLOWDOWN_BOUND = Duration.ofSeconds(10);

  /**
   * What became of a job of a simulation.
   *
   * @since 0.1.0
   */
  public enum Outcome {
    /** It was not submitted before the simulation ended. */
    NOT_SUBMITTED,
    /** It was waiting when the simulation ended. */
    WAITING,
    /** It was running when the simulation ended. */
    RUNNING,
    /** It ran to its end. */
    FINISHED,
    /** It was cancelled, by {@link SimulationEvent.Cancel} or {@link SimulationJob#cancelAfter}. */
    CANCELLED,
    /** It was deleted by {@link SimulationEvent.Delete}. */
    DELETED,
    /** The engine deactivated it, because it reached a limit or a check rejected it. */
    DEACTIVATED,
    /** Another elastic slice took its place. */
    REPLACED,
    /** The engine rejected its workload as invalid. */
    REJECTED;

    /** {@return whether the job has ended, by finishing or otherwise} */
    public boolean isEnded() {
      return compareTo(RUNNING) > 0;
    }
  }

  JobResult() {}

  /** {@return the job} */
  public abstract SimulationJob job();

  /** {@return what became of it} */
  public abstract Outcome outcome();

  /** {@return when it was submitted, absent if it was not} */
  public abstract Optional<Instant> submitted();

  /** {@return when it was first admitted, absent if it never was} */
  public abstract Optional<Instant> started();

  /** {@return when it finished or ended otherwise, absent if it has not} */
  public abstract Optional<Instant> ended();

  /**
   * {@return the time from its submission to its first start; if it has not started, to its end or
   * to the end of the simulation}
   */
  public abstract Duration waited();

  /** {@return how often it was admitted} */
  public abstract int starts();

  /** {@return how often it was preempted} */
  public abstract int preemptions();

  /** {@return how often it was evicted for other reasons} */
  public abstract int evictions();

  /**
   * {@return how long it ran in vain, because it was stopped after its last checkpoint, or spent on
   * restarting}
   */
  public abstract Duration lostWork();

  /**
   * {@return the ClusterQueue that admitted it last, otherwise the one of its LocalQueue; absent if
   * there is none}
   */
  public abstract Optional<String> clusterQueue();

  /**
   * {@return the flavors that it was admitted on last, joined by {@code +}; absent if it has not
   * started}
   */
  public abstract Optional<String> flavor();

  /** {@return why the engine rejected its workload; absent if it did not} */
  public abstract Optional<String> rejection();

  /**
   * {@return the first start that it was promised, absent if it never was} Only with
   * {@link io.kueue4j.core.decision.Settings#backfill}, as all that is said of promises.
   */
  @Value.Auxiliary
  public abstract Optional<Instant> promisedStart();

  /** {@return how often its promised start moved to a later time} */
  @Value.Auxiliary
  public abstract int promiseMoves();

  /** {@return how often its promise was withdrawn, because other jobs came before it} */
  @Value.Auxiliary
  public abstract int promiseWithdrawals();

  /**
   * {@return how much later it started than it was first promised, 0 if it did not start later;
   * absent if it was promised nothing or has not started}
   */
  public Optional<Duration> promiseDelay() {
    return promisedStart()
        .flatMap(promise -> started()
            .map(start ->
                start.isAfter(promise) ? Duration.between(promise, start) : Duration.ZERO));
  }

  /** {@return the user of the job, absent if it is unknown} */
  public Optional<String> user() {
    return job().user();
  }

  /** {@return the group of the user, absent if it is unknown} */
  public Optional<String> group() {
    return job().group();
  }

  /** {@return the time from submission to the end; absent unless the job finished} */
  public Optional<Duration> response() {
    return outcome() == Outcome.FINISHED
        ? Optional.of(Duration.between(submitted().orElseThrow(), ended().orElseThrow()))
        : Optional.empty();
  }

  /**
   * {@return how long it runs if nothing stops it: its duration; with
   * {@link io.kueue4j.core.decision.Settings#backfill} at most its estimate}
   */
  @Value.Auxiliary
  abstract Duration runTime();

  /**
   * {@return the response time divided by the job's duration; infinite for a duration of 0 unless
   * the response is 0 as well; NaN unless the job finished}
   */
  public double slowdown() {
    return slowdown(response(), runTime());
  }

  /**
   * {@return the response time divided by the job's duration or {@link #SLOWDOWN_BOUND}, whichever
   * is longer, at least 1; NaN unless the job finished}
   */
  public double boundedSlowdown() {
    Duration ran = runTime();
    Duration run = ran.compareTo(SLOWDOWN_BOUND) < 0 ? SLOWDOWN_BOUND : ran;
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
