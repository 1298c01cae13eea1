package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A job of a trace: a workload, when it is submitted, and how long it runs. Immutable.
 *
 * <pre>{@code
 * SimulationJob job = SimulationJob.builder()
 *     .workload(workload)
 *     .submitTime(Instant.parse("2026-02-01T00:00:00Z"))
 *     .duration(Duration.ofHours(3))
 *     .user("ada")
 *     .build();
 * }</pre>
 *
 * <p>Its fields follow the Standard Workload Format, version 2.2, of the Parallel Workloads Archive
 * (Feitelson, Tsafrir, Krakov, 2014): submit time (field 2), run time (4), requested time (9), user
 * (12), group (13), preceding job (17) and think time (18).
 *
 * <p>A simulation counts time in whole milliseconds and drops finer parts.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class SimulationJob {
  /**
   * How a job saves its progress, which decides what it loses when it is preempted or evicted.
   * Immutable.
   *
   * <p>A checkpoint is written each time the job has made progress for the interval. When the job
   * stops, it loses its progress since the last checkpoint; when it starts again, it makes no
   * progress for the restart cost. Writing a checkpoint takes no time.
   *
   * @param interval the progress between two checkpoints, positive
   * @param restartCost how long each start after the first takes until the job makes progress
   * @since 0.1.0
   */
  public record Checkpoints(Duration interval, Duration restartCost) {
    /**
     * Creates the value.
     *
     * @throws IllegalArgumentException if {@code interval} is less than a millisecond, or
     *     {@code restartCost} is negative
     */
    public Checkpoints {
      checkArgument(
          interval.compareTo(Duration.ofMillis(1)) >= 0,
          "the interval of checkpoints is %s; expected at least 1 ms",
          interval);
      checkArgument(
          !restartCost.isNegative(), "the restart cost is %s; expected 0 or more", restartCost);
    }

    /** {@return checkpoints at that interval, from which a restart costs nothing} */
    public static Checkpoints every(Duration interval) {
      return new Checkpoints(interval, Duration.ZERO);
    }
  }

  SimulationJob() {}

  /** {@return a new builder; workload, submitTime and duration are required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a job with defaults for everything else} */
  public static SimulationJob of(Workload workload, Instant submitTime, Duration duration) {
    return builder()
        .workload(workload)
        .submitTime(submitTime)
        .duration(duration)
        .build();
  }

  /** {@return the workload, whose id identifies the job} */
  public abstract Workload workload();

  /** {@return the id of the workload} */
  public WorkloadId id() {
    return workload().id();
  }

  /** {@return when it is submitted; at the earliest, if it starts {@link #after} others} */
  public abstract Instant submitTime();

  /** {@return how long it runs if it is never stopped, without restart costs} */
  public abstract Duration duration();

  /**
   * {@return the duration that the user expected or requested, if known}
   *
   * <p>No decision depends on it, as none of Kueue's does.
   */
  public abstract Optional<Duration> estimate();

  /**
   * {@return how it saves its progress; absent if it does not, so that it starts from the beginning
   * each time it was stopped}
   */
  public abstract Optional<Checkpoints> checkpoints();

  /**
   * {@return the jobs that precede it: it is submitted when all of them have ended, in whichever
   * way, and the think time has passed}
   */
  public abstract List<WorkloadId> after();

  /**
   * {@return the time between the end of the last preceding job and the submission; 0 by default}
   */
  @Value.Default
  public Duration thinkTime() {
    return Duration.ZERO;
  }

  /**
   * {@return how long after its submission it is cancelled, whether it waits or runs then; absent
   * if it is not}
   *
   * <p>With {@link SimulationEvent.Cancel}, a job is cancelled at a given time instead.
   */
  public abstract Optional<Duration> cancelAfter();

  /** {@return the user, for summaries} */
  public abstract Optional<String> user();

  /** {@return the group of the user, for summaries} */
  public abstract Optional<String> group();

  /** Rejects negative durations. */
  @Value.Check
  void check() {
    checkNotNegative("duration", duration());
    checkNotNegative("thinkTime", thinkTime());
    checkNotNegative("estimate", estimate().orElse(Duration.ZERO));
    checkNotNegative("cancelAfter", cancelAfter().orElse(Duration.ZERO));
  }

  private void checkNotNegative(String what, Duration value) {
    checkArgument(!value.isNegative(), "%s of job %s is %s; expected 0 or more", what, id(), value);
  }

  /**
   * Builds {@link SimulationJob}s; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a duration is negative.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableSimulationJob.Builder {
    Builder() {}
  }
}
