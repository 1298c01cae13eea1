package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A trace of jobs to be played on an engine in virtual time. Immutable: each call of {@link #run}
 * plays it anew, with the same result.
 *
 * <pre>{@code
 * Simulation simulation = Simulation.builder()
 *     .configuration(
 *         ResourceFlavor.of("a100"),
 *         ClusterQueue.builder().name("research").namespaceSelector(LabelSelector.everything())
 *             .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of("nvidia.com/gpu", "8"))))
 *             .build(),
 *         LocalQueue.of("team-a", "queue", "research"))
 *     .trace(jobs)
 *     .build();
 * SimulationResult result = simulation.run();
 * Duration typical = result.total().p50Wait();
 * }</pre>
 *
 * <p>Time passes from event to event. A job is submitted at its time; when the engine admits it, it
 * runs for its duration and finishes. A job that is preempted or evicted stops after the
 * {@linkplain ClusterBehavior#terminationDelay termination delay}, waits as the engine decides, and
 * runs again: from the beginning, or from its last {@linkplain SimulationJob.Checkpoints
 * checkpoint}. Deadlines, backoffs and limits of the engine take effect when they are due.
 *
 * <p>The engine makes all decisions, with Kueue's rules. By default cycles run after each event
 * until nothing changes; {@link Builder#cycleInterval} makes the scheduler poll.
 *
 * @since 0.1.0
 */
public final class Simulation {
  /**
   * Follows a simulation while it runs, and may end it.
   *
   * <pre>{@code
   * SimulationResult result = simulation.run(status -> {
   *   bar.show(status.endedJobs(), status.jobs());
   *   return !interrupted.get();
   * });
   * }</pre>
   *
   * @since 0.1.0
   */
  @FunctionalInterface
  public interface Observer {
    /** Reports nothing and never ends a simulation. */
    Observer NONE = status -> true;

    /**
     * Receives the status of a simulation, about every thousand events and at the end.
     *
     * @param status the status
     * @return whether to go on; if false, the simulation ends with the results so far
     */
    boolean proceed(Status status);

    /**
     * Receives the kind of calls of the engine that follow, until the next call of this method, so
     * that a caller can measure them; does nothing unless overridden.
     */
    default void enter(Phase phase) {}

    /**
     * A kind of calls of the engine.
     *
     * @since 0.1.0
     */
    enum Phase {
      /** Workloads are submitted. */
      SUBMISSIONS,
      /** Cycles run. */
      CYCLES,
      /** Everything else is reported to the engine: ends and stops of jobs, answers, changes. */
      REPORTS,
      /** The engine is not called any more. */
      DONE
    }

    /**
     * How far a simulation is.
     *
     * @param time the virtual time
     * @param events the number of events so far
     * @param endedJobs the number of jobs that have ended
     * @param jobs the number of jobs of the trace
     * @since 0.1.0
     */
    record Status(Instant time, long events, int endedJobs, int jobs) {}
  }

  private final Plan plan;

  private Simulation(Plan plan) {
    this.plan = plan;
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** Checks what needs an engine or the configuration. */
  static Simulation checked(Plan plan) {
    Set<String> queues = new HashSet<>();
    EngineView view = new SimulationEngine(plan).engine().view();
    view.configuration(LocalQueue.class).forEach(queue -> queues.add(queue.qualifiedName()));
    for (SimulationEvent event : plan.events()) {
      if (event instanceof SimulationEvent.Apply apply) {
        for (ConfigObject object : apply.objects()) {
          if (object instanceof LocalQueue) {
            queues.add(object.qualifiedName());
          }
        }
      } else if (event instanceof SimulationEvent.Cancel cancel) {
        checkArgument(
            plan.trace().number(cancel.job()) != null,
            "job %s is to be cancelled and is not in the trace",
            cancel.job());
      } else if (event instanceof SimulationEvent.Delete delete) {
        checkArgument(
            plan.trace().number(delete.job()) != null,
            "job %s is to be deleted and is not in the trace",
            delete.job());
      }
    }
    for (SimulationJob job : plan.trace().jobs()) {
      String queue = Trace.localQueue(job.workload());
      checkArgument(
          queues.contains(queue),
          "job %s names the LocalQueue %s, which does not exist; add it to the configuration",
          job.id(),
          queue);
    }
    return new Simulation(plan);
  }

  /** {@return the jobs, in the order in which they were given} */
  public List<SimulationJob> trace() {
    return plan.trace().jobs();
  }

  /** {@return the configuration objects that are applied at the start} */
  public List<ConfigObject> configuration() {
    return plan.configuration();
  }

  /**
   * {@return this simulation with some configuration objects added or replaced}
   *
   * @param objects the objects, each of which replaces the one of its kind and name
   * @throws InvalidConfigurationException if the configuration is invalid with them
   */
  public Simulation with(ConfigObject... objects) {
    return with(Arrays.asList(objects));
  }

  /**
   * {@return this simulation with some configuration objects added or replaced}
   *
   * @param objects the objects, each of which replaces the one of its kind and name
   * @throws InvalidConfigurationException if the configuration is invalid with them
   */
  public Simulation with(Iterable<? extends ConfigObject> objects) {
    Map<String, ConfigObject> byKey = new LinkedHashMap<>();
    plan.configuration().forEach(object -> byKey.put(object.key(), object));
    objects.forEach(object -> byKey.put(object.key(), object));
    return checked(new PlanBuilder()
        .from(plan)
        .configuration(ImmutableList.copyOf(byKey.values()))
        .build());
  }

  /**
   * {@return this simulation with other settings of the engine}
   *
   * @throws IllegalStateException if the simulation starts from the state of an engine, which has
   *     settings of its own
   */
  public Simulation with(Settings settings) {
    checkState(
        plan.base().isEmpty(),
        "the simulation starts from an engine with settings of its own; expected one without");
    return checked(new PlanBuilder().from(plan).settings(settings).build());
  }

  /**
   * {@return the result of the simulation, run to its end}
   *
   * @throws InvalidConfigurationException if an event applies an invalid configuration
   * @throws IllegalStateException if an event removes a configuration object that is in use
   */
  public SimulationResult run() {
    return run(Observer.NONE);
  }

  /**
   * {@return the result of the simulation}
   *
   * @param observer follows the simulation, and may end it early
   * @throws InvalidConfigurationException if an event applies an invalid configuration
   * @throws IllegalStateException if an event removes a configuration object that is in use
   */
  public SimulationResult run(Observer observer) {
    return new SimulationRun(plan, observer).play();
  }

  Plan plan() {
    return plan;
  }

  @Override
  public String toString() {
    return "Simulation [jobs " + plan.trace().size() + ", configuration "
        + plan.configuration().size() + ", events " + plan.events().size() + "]";
  }

  /**
   * Builds {@link Simulation}s. From {@link Simulation#builder()}; reusable, not thread-safe.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private ImmutableList<ConfigObject> configuration = ImmutableList.of();
    private @Nullable Settings settings;
    private @Nullable EngineView base;
    private ImmutableList<SimulationJob> trace = ImmutableList.of();
    private ImmutableList<SimulationEvent> events = ImmutableList.of();
    private ClusterBehavior behavior = ClusterBehavior.IMMEDIATE;
    private @Nullable Instant start;
    private @Nullable Instant end;
    private Duration cycleInterval = Duration.ZERO;

    Builder() {}

    /** Sets the configuration objects in force at the start: flavors, queues, nodes and so on. */
    @CanIgnoreReturnValue
    public Builder configuration(Iterable<? extends ConfigObject> objects) {
      this.configuration = ImmutableList.copyOf(objects);
      return this;
    }

    /** Sets the configuration objects in force at the start. */
    @CanIgnoreReturnValue
    public Builder configuration(ConfigObject... objects) {
      return configuration(Arrays.asList(objects));
    }

    /** Sets the settings of the engine, by default Kueue's. Not together with {@link #from}. */
    @CanIgnoreReturnValue
    public Builder settings(Settings settings) {
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
    public Builder from(EngineView view, Instant start) {
      this.base = view;
      return start(start);
    }

    /** Sets the jobs, in any order. */
    @CanIgnoreReturnValue
    public Builder trace(Iterable<? extends SimulationJob> jobs) {
      this.trace = ImmutableList.copyOf(jobs);
      return this;
    }

    /** Sets what happens beside the jobs, in any order. */
    @CanIgnoreReturnValue
    public Builder events(Iterable<? extends SimulationEvent> events) {
      this.events = ImmutableList.copyOf(events);
      return this;
    }

    /** Sets what happens beside the jobs. */
    @CanIgnoreReturnValue
    public Builder events(SimulationEvent... events) {
      return events(Arrays.asList(events));
    }

    /** Sets how the cluster reacts to decisions, by default immediately. */
    @CanIgnoreReturnValue
    public Builder behavior(ClusterBehavior behavior) {
      this.behavior = behavior;
      return this;
    }

    /** Sets when the simulation starts, by default with the first submission or event. */
    @CanIgnoreReturnValue
    public Builder start(Instant time) {
      this.start = time;
      return this;
    }

    /** Sets when the simulation ends at the latest, by default when all jobs have ended. */
    @CanIgnoreReturnValue
    public Builder end(Instant time) {
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
    public Builder cycleInterval(Duration interval) {
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
     *     start, a time in milliseconds does not fit into 64 bits, or the settings sample usage
     *     more than once a second
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
}
