package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
 * runs again: from the beginning, or from its last {@linkplain Checkpoints checkpoint}. Deadlines,
 * backoffs and limits of the engine take effect when they are due.
 *
 * <p>The engine makes all decisions, with Kueue's rules. By default cycles run after each event
 * until nothing changes; {@link SimulationBuilder#cycleInterval} makes the scheduler poll.
 *
 * @since 0.1.0
 */
public final class Simulation {
  private final Plan plan;

  private Simulation(Plan plan) {
    this.plan = plan;
  }

  /** {@return a new builder; nothing is required} */
  public static SimulationBuilder builder() {
    return new SimulationBuilder();
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
    return run(SimulationProgress.NONE);
  }

  /**
   * {@return the result of the simulation}
   *
   * @param progress follows the simulation, and may end it early
   * @throws InvalidConfigurationException if an event applies an invalid configuration
   * @throws IllegalStateException if an event removes a configuration object that is in use
   */
  public SimulationResult run(SimulationProgress progress) {
    return new SimulationRun(plan, progress).play();
  }

  Plan plan() {
    return plan;
  }

  @Override
  public String toString() {
    return "Simulation [jobs " + plan.trace().size() + ", configuration "
        + plan.configuration().size() + ", events " + plan.events().size() + "]";
  }
}
