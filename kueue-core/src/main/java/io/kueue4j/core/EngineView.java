package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.TpuPoolSetView;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.ConfigObject;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The state of an engine at one moment: its queues, cohorts and configuration, and the starting
 * point of what-if studies. Immutable and thread-safe.
 *
 * <p>A study is a private engine that starts from the state of the view. It supports every call,
 * and changes to it do not affect the viewed engine:
 *
 * <pre>{@code
 * AdmissionEngine study = engine.view().whatIf();
 * study.apply(largerQueue);
 * Decisions result = study.runCycle();
 * }</pre>
 *
 * <p>Taking a view and starting a study take constant time regardless of the size of the engine.
 * Time and memory are spent on the parts that the study or the engine changes afterwards: trees of
 * cohorts, and the pending workloads of single ClusterQueues. Views and studies cost the engine
 * nothing once they have been garbage collected.
 *
 * @since 0.1.0
 */
public final class EngineView {
  private final StateView state;
  private final InstantSource clock;

  private final AssertionMode assertions;

  EngineView(StateView state, InstantSource clock, AssertionMode assertions) {
    this.state = state;
    this.clock = clock;
    this.assertions = assertions;
  }

  /**
   * {@return an engine that starts from the state of the viewed one, with the same settings and
   * clock; changes to either are not visible in the other}
   */
  public AdmissionEngine whatIf() {
    return whatIf(clock);
  }

  /**
   * {@return an engine like {@link #whatIf()} with another clock, so that its time can be advanced}
   *
   * @param clock the clock of the new engine
   */
  public AdmissionEngine whatIf(InstantSource clock) {
    requireNonNull(clock, "whatIf: clock is null");
    return new AdmissionEngine(clock, state.fork(), assertions);
  }

  /** {@return all ClusterQueues by name} */
  public List<ClusterQueueView> clusterQueues() {
    return state.clusterQueues().values().asList();
  }

  /** {@return the ClusterQueue with that name, if there was one} */
  public Optional<ClusterQueueView> clusterQueue(String name) {
    requireNonNull(name, "clusterQueue: name is null");
    return state.clusterQueue(name);
  }

  /** {@return all LocalQueues by namespace and name} */
  public List<LocalQueueView> localQueues() {
    return state.localQueues().values().asList();
  }

  /** {@return the LocalQueue with that name in that namespace, if there was one} */
  public Optional<LocalQueueView> localQueue(String namespace, String name) {
    requireNonNull(namespace, "localQueue: namespace is null");
    requireNonNull(name, "localQueue: name is null");
    return Optional.ofNullable(
        state.localQueues().get(Configuration.localQueueKey(namespace, name)));
  }

  /** {@return the cohorts with a ClusterQueue below them, by name} */
  public List<CohortView> cohorts() {
    return state.cohorts().values().asList();
  }

  /** {@return the cohort with that name, if it had a ClusterQueue below it} */
  public Optional<CohortView> cohort(String name) {
    requireNonNull(name, "cohort: name is null");
    return Optional.ofNullable(state.cohorts().get(name));
  }

  /** {@return the TPU pools with the TPU slices in use, by the names of the pool sets} */
  public List<TpuPoolSetView> tpuPoolSets() {
    return state.poolSets().stream()
        .map(state -> new TpuPoolSetView(state.source().name(), state.fleet(), state.unusable()))
        .collect(toImmutableList());
  }

  /**
   * {@return all configuration objects in force, kind by kind, each kind by name}
   *
   * <p>Applied to another engine with the same settings they make the same configuration. The list
   * includes namespaces that were never applied and exist because they contain a LocalQueue.
   */
  public List<ConfigObject> configuration() {
    return Arrays.stream(ConfigKind.values())
        .flatMap(kind -> state.configuration(kind).values().stream())
        .collect(toImmutableList());
  }

  /**
   * Lists the configuration objects of one kind that are in force:
   *
   * <pre>{@code
   * ImmutableList<ResourceFlavor> flavors = view.configuration(ResourceFlavor.class);
   * }</pre>
   *
   * @param kind the kind, for example {@code Node.class}
   * @return the objects as they were applied, by name
   * @throws IllegalArgumentException if {@code kind} is not a kind of configuration object
   */
  public <T extends ConfigObject> List<T> configuration(Class<T> kind) {
    requireNonNull(kind, "configuration: kind is null");
    return state.configuration(ConfigKind.of(kind)).values().stream()
        .map(kind::cast)
        .collect(toImmutableList());
  }

  /**
   * {@return the configuration object of a kind with a name, empty if there was none}
   *
   * @param kind the kind, for example {@code ClusterQueue.class}
   * @param name the name as in {@link ConfigObject#qualifiedName()}: {@code namespace/name} of a
   *     LocalQueue
   * @throws IllegalArgumentException if {@code kind} is not a kind of configuration object
   */
  public <T extends ConfigObject> Optional<T> configuration(Class<T> kind, String name) {
    requireNonNull(kind, "configuration: kind is null");
    requireNonNull(name, "configuration: name is null");
    return Optional.ofNullable(state.configuration(ConfigKind.of(kind)).get(name))
        .map(kind::cast);
  }

  @Override
  public String toString() {
    return clusterQueues().toString();
  }
}
