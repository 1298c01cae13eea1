package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
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
  SimulationJob() {}

  /** {@return a new builder; workload, submitTime and duration are required} */
  public static Builder builder() {
    return ImmutableSimulationJob.builder();
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
  public abstract ImmutableList<WorkloadId> after();

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
   * <p>With {@link SimulationEvent#cancel}, a job is cancelled at a given time instead.
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
   * @since 0.1.0
   */
  public abstract static class Builder {
    Builder() {}

    /** Sets the workload. */
    @CanIgnoreReturnValue
    public abstract Builder workload(Workload workload);

    /** Sets when it is submitted. */
    @CanIgnoreReturnValue
    public abstract Builder submitTime(Instant time);

    /** Sets how long it runs. */
    @CanIgnoreReturnValue
    public abstract Builder duration(Duration duration);

    /** Sets the duration that the user expected. */
    @CanIgnoreReturnValue
    public abstract Builder estimate(Duration estimate);

    /** Sets or clears the duration that the user expected. */
    @CanIgnoreReturnValue
    public abstract Builder estimate(Optional<? extends Duration> estimate);

    /** Sets how it saves its progress. */
    @CanIgnoreReturnValue
    public abstract Builder checkpoints(Checkpoints checkpoints);

    /** Sets or clears how it saves its progress. */
    @CanIgnoreReturnValue
    public abstract Builder checkpoints(Optional<? extends Checkpoints> checkpoints);

    /** Adds preceding jobs. */
    @CanIgnoreReturnValue
    public abstract Builder addAfter(WorkloadId... jobs);

    /** Adds preceding jobs. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAfter(Iterable<? extends WorkloadId> jobs);

    /** Sets the time between the end of the preceding jobs and the submission. */
    @CanIgnoreReturnValue
    public abstract Builder thinkTime(Duration thinkTime);

    /** Sets how long after its submission it is cancelled. */
    @CanIgnoreReturnValue
    public abstract Builder cancelAfter(Duration delay);

    /** Sets or clears how long after its submission it is cancelled. */
    @CanIgnoreReturnValue
    public abstract Builder cancelAfter(Optional<? extends Duration> delay);

    /** Sets the user. */
    @CanIgnoreReturnValue
    public abstract Builder user(String user);

    /** Sets or clears the user. */
    @CanIgnoreReturnValue
    public abstract Builder user(Optional<String> user);

    /** Sets the group. */
    @CanIgnoreReturnValue
    public abstract Builder group(String group);

    /** Sets or clears the group. */
    @CanIgnoreReturnValue
    public abstract Builder group(Optional<String> group);

    /** Copies every value that is set in {@code job}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(SimulationJob job);

    /**
     * {@return the job}
     *
     * @throws IllegalStateException if the workload, the submit time or the duration is missing
     * @throws IllegalArgumentException if a duration is negative
     */
    public abstract SimulationJob build();
  }
}
