package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link Simulation}s. From {@link Simulation#builder()}; reusable, not thread-safe.
 *
 * @since 0.1.0
 */
public final class SimulationBuilder {
  private ImmutableList<ConfigObject> configuration = ImmutableList.of();
  private @Nullable Settings settings;
  private @Nullable EngineView base;
  private ImmutableList<SimulationJob> trace = ImmutableList.of();
  private ImmutableList<SimulationEvent> events = ImmutableList.of();
  private ClusterBehavior behavior = ClusterBehavior.IMMEDIATE;
  private @Nullable Instant start;
  private @Nullable Instant end;
  private Duration cycleInterval = Duration.ZERO;

  SimulationBuilder() {}

  /** Sets the configuration objects in force at the start: flavors, queues, nodes and so on. */
  @CanIgnoreReturnValue
  public SimulationBuilder configuration(Iterable<? extends ConfigObject> objects) {
    this.configuration = ImmutableList.copyOf(objects);
    return this;
  }

  /** Sets the configuration objects in force at the start. */
  @CanIgnoreReturnValue
  public SimulationBuilder configuration(ConfigObject... objects) {
    return configuration(Arrays.asList(objects));
  }

  /** Sets the settings of the engine, by default Kueue's. Not together with {@link #from}. */
  @CanIgnoreReturnValue
  public SimulationBuilder settings(Settings settings) {
    this.settings = settings;
    return this;
  }

  /**
   * Starts from the state of an engine, with its settings; the configuration of this builder is
   * applied to it at the start.
   *
   * <p>A job of the trace whose workload the engine knows is not submitted but continues: if it
   * runs, it ends when its duration has passed since its admission, or at the start of the
   * simulation if that is later; if it waits, it waits since its submit time. Other workloads of
   * the engine keep the quota that they hold, and once they are admitted they never end.
   *
   * @param view the state; later changes to its engine do not matter
   * @param start the time at which the simulation starts, usually the time of the view
   */
  @CanIgnoreReturnValue
  public SimulationBuilder from(EngineView view, Instant start) {
    this.base = view;
    return start(start);
  }

  /** Sets the jobs, in any order. */
  @CanIgnoreReturnValue
  public SimulationBuilder trace(Iterable<? extends SimulationJob> jobs) {
    this.trace = ImmutableList.copyOf(jobs);
    return this;
  }

  /** Sets what happens beside the jobs, in any order. */
  @CanIgnoreReturnValue
  public SimulationBuilder events(Iterable<? extends SimulationEvent> events) {
    this.events = ImmutableList.copyOf(events);
    return this;
  }

  /** Sets what happens beside the jobs. */
  @CanIgnoreReturnValue
  public SimulationBuilder events(SimulationEvent... events) {
    return events(Arrays.asList(events));
  }

  /** Sets how the cluster reacts to decisions, by default immediately. */
  @CanIgnoreReturnValue
  public SimulationBuilder behavior(ClusterBehavior behavior) {
    this.behavior = behavior;
    return this;
  }

  /** Sets when the simulation starts, by default with the first submission or event. */
  @CanIgnoreReturnValue
  public SimulationBuilder start(Instant time) {
    this.start = time;
    return this;
  }

  /** Sets when the simulation ends at the latest, by default when all jobs have ended. */
  @CanIgnoreReturnValue
  public SimulationBuilder end(Instant time) {
    this.end = time;
    return this;
  }

  /**
   * Lets the scheduler poll instead of reacting at once: the engine learns of events at multiples
   * of the interval since the start only, and runs one cycle then. By default cycles run whenever
   * something has changed, until nothing changes any more.
   *
   * @throws IllegalArgumentException if {@code interval} is less than a millisecond
   */
  @CanIgnoreReturnValue
  public SimulationBuilder cycleInterval(Duration interval) {
    checkArgument(
        interval.compareTo(Duration.ofMillis(1)) >= 0,
        "the interval of cycles is %s; expected at least 1 ms",
        interval);
    this.cycleInterval = interval;
    return this;
  }

  /**
   * {@return the simulation}
   *
   * @throws InvalidConfigurationException if the configuration is invalid
   * @throws IllegalStateException if there are settings although the simulation starts
   *     {@linkplain #from from the state} of an engine, which has settings of its own
   * @throws IllegalArgumentException if the end is before the start, two jobs have the same id, a
   *     job names a LocalQueue that neither the configuration nor an event creates, jobs follow
   *     unknown ones or each other in a circle, an event is about an unknown job or before the
   *     start, a time in milliseconds does not fit into 64 bits, or the settings sample usage more
   *     than once a second
   */
  public Simulation build() {
    checkState(
        base == null || settings == null,
        "the simulation starts from an engine with settings of its own; expected no settings");
    Trace jobs = new Trace(trace);
    ImmutableList<SimulationEvent> inOrder =
        ImmutableList.sortedCopyOf(Comparator.comparing(SimulationEvent::time), events);
    long first = jobs.firstSubmission(Long.MAX_VALUE);
    for (SimulationEvent event : inOrder) {
      first = Math.min(first, Trace.millis(event.time(), event));
    }
    long startMillis =
        start != null ? Trace.millis(start, "the start") : first == Long.MAX_VALUE ? 0 : first;
    long endMillis = end == null ? Long.MAX_VALUE : Trace.millis(end, "the end");
    checkArgument(
        startMillis <= endMillis, "the end %s is before the start; expected a later one", end);
    checkArgument(
        base != null || first >= startMillis,
        "the start is %s, after the first submission or event; expected it before",
        start);
    return Simulation.checked(new Plan(
        jobs,
        configuration,
        settings == null ? Settings.defaults() : settings,
        Optional.ofNullable(base),
        inOrder,
        behavior,
        startMillis,
        endMillis,
        Trace.millis(cycleInterval, "the interval of cycles")));
  }
}
