package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.operation.ConfigurationChange;
import io.kueue4j.core.internal.operation.CycleLoop;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.internal.remedy.Explanations;
import io.kueue4j.core.internal.remedy.RemedyCalls;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides which workloads may start and on which resource flavors, exactly as Kubernetes' Kueue
 * does. The entry point of this library.
 *
 * <p>An engine holds the configuration (flavors, queues, cohorts, nodes), the known workloads, and
 * the quota that they hold. The caller reports events, such as a new or a finished workload, and
 * gets decisions: which workloads start, which have to stop, and why the others wait. The caller
 * starts and stops the pods.
 *
 * <pre>{@code
 * AdmissionEngine engine = AdmissionEngine.create();
 * engine.apply(
 *     ResourceFlavor.of("a100"),
 *     ClusterQueue.builder().name("research").namespaceSelector(LabelSelector.everything())
 *         .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of("nvidia.com/gpu", "8"))))
 *         .build(),
 *     LocalQueue.of("team-a", "queue", "research"));
 * AdmissionResult result = engine.tryAdmit(workload).result();
 * }</pre>
 *
 * <p>There are two ways to use it, which can be combined: {@link #tryAdmit} decides on one workload
 * at once; {@link #submit} queues workloads, and {@link #runCycle} or {@link #runUntilStable(int)}
 * decides on them in the order of the queues. An admitted workload holds its quota until
 * {@link #finish}, {@link #release} or {@link #delete}, an evicted one until {@link #podsStopped}.
 *
 * <p>An engine is deterministic and thread-safe, and a call that throws leaves it unchanged; the
 * documentation of the package says exactly what that means.
 *
 * @since 0.1.0
 */
public final class AdmissionEngine {
  private final LockedEngine core;

  private final AssertionMode assertions;

  AdmissionEngine(InstantSource clock, EngineState state, AssertionMode assertions) {
    this.assertions = assertions;
    this.core = new EngineCore(clock, state).exclusive(assertions == AssertionMode.FULL);
  }

  /**
   * {@return an engine without configuration, with Kueue's default settings and the system clock}
   */
  public static AdmissionEngine create() {
    return builder().build();
  }

  /** {@return a new builder} */
  public static AdmissionEngineBuilder builder() {
    return new AdmissionEngineBuilder();
  }

  /**
   * Adds or replaces configuration objects, all or none of them; the same as
   * {@link #apply(Iterable)}.
   *
   * @param objects the objects, in any order, each kind and name at most once
   * @return the decisions that follow
   * @throws InvalidConfigurationException if an object is invalid, or contradicts another one or
   *     the configuration in force
   */
  @CanIgnoreReturnValue
  public Decisions apply(ConfigObject... objects) {
    requireNonNull(objects, "apply: objects is null");
    return apply(Arrays.asList(objects));
  }

  /**
   * Adds or replaces configuration objects, all or none of them. An object replaces the one of the
   * same kind and name. It may refer to objects that do not exist yet: a ClusterQueue takes no part
   * in scheduling until its flavors, checks and topologies exist.
   *
   * <p>Waiting workloads are reconsidered where the change may help them. Running workloads keep
   * their quota, even if it exceeds the new quota; workloads of a queue that is applied with
   * {@link StopPolicy#HOLD_AND_DRAIN} are evicted.
   *
   * @param objects the objects, in any order, each kind and name at most once
   * @return the decisions that follow
   * @throws InvalidConfigurationException if an object is invalid, or contradicts another one or
   *     the configuration in force
   */
  @CanIgnoreReturnValue
  public Decisions apply(Iterable<? extends ConfigObject> objects) {
    requireNonNull(objects, "apply: objects is null");
    ImmutableList<ConfigObject> batch = ConfigurationChange.copyOf(objects);
    return core.call(held -> held.configurationChange(held.now()).apply(batch));
  }

  /**
   * Makes the change of a remedy: applies its objects, updates its workload, and finishes the
   * workloads that have to stop.
   *
   * <p>Several calls are made; if one of them fails, those before it have taken effect.
   *
   * @param remedy found by {@link Explanation#remedy()} of this engine, which has not changed since
   * @return the decisions that follow
   * @throws IllegalArgumentException if the workload is unknown or the objects are invalid, because
   *     the engine has changed since
   */
  @CanIgnoreReturnValue
  public Decisions apply(Remedy remedy) {
    requireNonNull(remedy, "apply: remedy is null");
    return RemedyCalls.apply(core, remedy);
  }

  /**
   * Removes configuration objects, all or none of them. Only their kinds and names matter, so that
   * {@code remove(object)} reverts {@code apply(object)}; the same as {@link #remove(Iterable)}.
   *
   * @param objects the objects, in any order
   * @return the decisions that follow
   * @throws IllegalStateException if a remaining object or workload depends on one of them
   */
  @CanIgnoreReturnValue
  public Decisions remove(ConfigObject... objects) {
    requireNonNull(objects, "remove: objects is null");
    return remove(Arrays.asList(objects));
  }

  /**
   * Removes configuration objects, all or none of them. Only their kinds and names matter. Objects
   * that depend on each other can be removed in one call, in any order.
   *
   * <p>An object that does not exist is skipped. {@link ConfigObject} says for each kind what
   * remains without it.
   *
   * @param objects the objects, in any order
   * @return the decisions that follow
   * @throws IllegalStateException if workloads hold quota of one of the ClusterQueues, a
   *     CapacityWindow that stays keeps quota of one, or a ClusterQueue that stays names one of the
   *     ResourceFlavors; nothing has been removed then. Finish or release the workloads, or change
   *     the window or the queue, first
   */
  @CanIgnoreReturnValue
  public Decisions remove(Iterable<? extends ConfigObject> objects) {
    requireNonNull(objects, "remove: objects is null");
    return removeAll(
        ConfigurationChange.copyOf(objects).stream().map(ConfigKind.Key::of).toList());
  }

  /**
   * Removes the configuration object of a kind with a name, with the effects of
   * {@link #remove(Iterable)}. Does nothing if there is none;
   * {@link EngineView#configuration(Class, String)} says whether there is one.
   *
   * @param kind the kind
   * @param name the name as in {@link ConfigObject#qualifiedName()}: {@code namespace/name} of a
   *     LocalQueue
   * @return the decisions that follow
   * @throws IllegalArgumentException if {@code kind} is not a kind of configuration object, or
   *     {@code name} is not {@code namespace/name} for a LocalQueue
   * @throws IllegalStateException if workloads hold quota of the ClusterQueue, a CapacityWindow
   *     keeps quota of it, or a ClusterQueue names the ResourceFlavor
   */
  @CanIgnoreReturnValue
  public Decisions remove(Class<? extends ConfigObject> kind, String name) {
    requireNonNull(kind, "remove: kind is null");
    requireNonNull(name, "remove: name is null");
    return removeAll(ImmutableList.of(ConfigKind.Key.of(kind, name)));
  }

  private Decisions removeAll(List<ConfigKind.Key> keys) {
    return core.call(held -> held.configurationChange(held.now()).remove(keys));
  }

  /**
   * Takes a ClusterQueue out of service, or puts it back. Meanwhile it admits nothing, whatever its
   * specification says, for example because it is being deleted. Workloads that hold its quota keep
   * it. An outage lasts until it is ended, or the ClusterQueue is removed.
   *
   * @param clusterQueue the name of the ClusterQueue
   * @param outage why it is out of service, empty if it is in service
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no such ClusterQueue
   */
  @CanIgnoreReturnValue
  public Decisions setOutage(String clusterQueue, Optional<Inactivity> outage) {
    requireNonNull(clusterQueue, "setOutage: clusterQueue is null");
    requireNonNull(outage, "setOutage: outage is null");
    return core.call(held -> held.configurationChange(held.now()).setOutage(clusterQueue, outage));
  }

  /**
   * Decides on one workload now, as a cycle would with this workload as its only head: admits it as
   * a whole, or returns the exact reasons why not. Victims that it would have to preempt are
   * reported, not evicted.
   *
   * <p>A workload that is unknown stays unknown unless it is admitted. One that is pending in a
   * queue stays there unless it is admitted. An admitted one gets the same result again. A backoff
   * is ignored: the caller decides when to try. An elastic slice is rejected, as by
   * {@link #submit}, if another slice of its job would continue instead.
   *
   * <pre>{@code
   * AdmissionResult result = engine.tryAdmit(workload).result();
   * if (result.isAdmitted()) {
   *   start(workload, engine.admission(workload.id()).orElseThrow());
   * }
   * }</pre>
   *
   * @param workload the workload
   * @return the decisions that follow, with the result: admitted, reserved, preempting with the
   *     workloads that would have to stop, pending with reasons, or rejected
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  public Decisions tryAdmit(Workload workload) {
    return tryAdmit(workload, TryAdmitOptions.defaults());
  }

  /**
   * Decides on one workload now, like {@link #tryAdmit(Workload)}, with options that say whether
   * its victims are evicted.
   *
   * @param workload the workload
   * @param options whether victims are evicted
   * @return the decisions that follow, such as the evicted victims, with the result: admitted,
   *     reserved, preempting with the victims, pending with reasons, or rejected
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  public Decisions tryAdmit(Workload workload, TryAdmitOptions options) {
    requireNonNull(workload, "tryAdmit: workload is null");
    requireNonNull(options, "tryAdmit: options is null");
    return core.call(held -> held.workloads().tryAdmit(workload, options, held.now()));
  }

  /**
   * Queues a workload in the LocalQueue that it names, for cycles to decide on. A workload that
   * cannot be queued yet, for example because its queues do not exist, waits until it can.
   *
   * @param workload the workload
   * @return the decisions that follow, with the result: pending with reasons, rejected if it breaks
   *     rules, or its admission if it has one
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  @CanIgnoreReturnValue
  public Decisions submit(Workload workload) {
    requireNonNull(workload, "submit: workload is null");
    return core.call(held -> held.workloads().submit(workload, held.now()));
  }

  /**
   * Replaces a workload by another version. A pending workload is reconsidered. The pod sets and
   * the queue of an admitted one must not change, but an elastic workload may have fewer pods,
   * which releases quota. A workload that is no longer active is evicted (rule L-12).
   *
   * @param workload the new version, known by its id
   * @return the decisions that follow, with the result: the current one of the workload, or
   *     rejected with the rules that the change breaks
   * @throws IllegalArgumentException if there is no workload of that id; {@link #submit} it instead
   */
  @CanIgnoreReturnValue
  public Decisions update(Workload workload) {
    requireNonNull(workload, "update: workload is null");
    return core.call(held -> held.workloads().update(workload, held.now()));
  }

  /**
   * Reports that a workload has finished, successfully or not: it leaves the engine, and its quota
   * is free.
   *
   * @return the decisions that follow: the workload is {@linkplain Decisions#removed removed} if it
   *     was known; if not, nothing has changed
   */
  @CanIgnoreReturnValue
  public Decisions finish(WorkloadId workload) {
    requireNonNull(workload, "finish: workload is null");
    return core.call(
        held -> held.workloads().remove(workload, WorkloadRemoved.Reason.FINISHED, held.now()));
  }

  /**
   * Releases the quota of a workload that will not run after all: it leaves the engine.
   *
   * @return the decisions that follow: the workload is {@linkplain Decisions#removed removed} if it
   *     held quota; if not, nothing has changed
   */
  @CanIgnoreReturnValue
  public Decisions release(WorkloadId workload) {
    requireNonNull(workload, "release: workload is null");
    return core.call(held -> held.workloads().release(workload, held.now()));
  }

  /**
   * Reports that the pods of an evicted workload have stopped: its quota is free, and it is queued
   * again, or continues on other resources if it migrates. Does nothing unless {@link #isStopping}
   * is true for it.
   *
   * @return the decisions that follow, such as the admission of a workload that migrates
   */
  @CanIgnoreReturnValue
  public Decisions podsStopped(WorkloadId workload) {
    requireNonNull(workload, "podsStopped: workload is null");
    return core.call(held -> held.workloads().podsStopped(workload, held.now()));
  }

  /**
   * Reports that a workload was deleted: it leaves the engine, and its quota is free.
   *
   * @return the decisions that follow: the workload is {@linkplain Decisions#removed removed} if it
   *     was known; if not, nothing has changed
   */
  @CanIgnoreReturnValue
  public Decisions delete(WorkloadId workload) {
    requireNonNull(workload, "delete: workload is null");
    return core.call(
        held -> held.workloads().remove(workload, WorkloadRemoved.Reason.DELETED, held.now()));
  }

  /**
   * Sets the usage of a LocalQueue from before this engine existed. Restore the workloads that hold
   * quota first: they count as in use from {@link ConsumedUsage#lastUpdate()} on.
   *
   * @param namespace the namespace of the LocalQueue
   * @param localQueue its name
   * @param usage its usage, from the earlier engine or Kueue's status
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no such LocalQueue
   * @throws IllegalStateException if {@link Settings#admissionFairSharing()} is not set, or the
   *     feature gate of that name is off
   */
  @CanIgnoreReturnValue
  public Decisions restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    requireNonNull(namespace, "restoreConsumedUsage: namespace is null");
    requireNonNull(localQueue, "restoreConsumedUsage: localQueue is null");
    requireNonNull(usage, "restoreConsumedUsage: usage is null");
    return core.call(held -> held.restorations().restoreUsage(namespace, localQueue, usage));
  }

  /**
   * Acts on everything that is due by the clock: ends backoffs, samples usage, and evicts workloads
   * whose pods are not ready in time or that have reached their maximum execution time. Each cycle
   * starts with the same.
   *
   * @return the evictions that follow
   */
  @CanIgnoreReturnValue
  public Decisions tick() {
    return core.call(held -> held.workloads().tick(held.now()));
  }

  /**
   * {@return the starts that waiting workloads are promised, the earliest first; empty unless
   * {@link Settings#backfill} is set}
   *
   * <p>A promise is made at the end of the cycle that has tried the workload, and renewed at the
   * beginning of the first cycle after a change.
   */
  public List<Promise> promises() {
    return core.call(held -> held.state().promises().all().stream()
        .map(PromisedStart::toPromise)
        .collect(toImmutableList()));
  }

  /**
   * {@return the next time at which the clock alone changes something, so that {@link #tick} or a
   * cycle has an effect; empty if there is none}
   */
  public Optional<Instant> nextTick() {
    return core.call(held -> held.workloads().nextTick(held.now()));
  }

  /**
   * Runs one scheduling cycle: tries the first workload of each active ClusterQueue, all against
   * the same state. {@link Decisions} has an example.
   *
   * @return the decisions of the cycle; empty if there was nothing to try
   */
  @CanIgnoreReturnValue
  public Decisions runCycle() {
    return core.call(held -> held.workloads().runCycle(held.now()));
  }

  /**
   * Runs cycles until a further one would decide the same, with the effects of
   * {@link #runUntilStable(int, Supplier)} with {@link #runCycle}: evicted workloads hold their
   * quota until {@link #podsStopped}, so their preemptors wait, and the run is stable.
   *
   * @param limit the largest number of cycles, at least 1
   * @return the decisions of all cycles, and why the run ended
   * @throws IllegalArgumentException if {@code limit} is not positive
   */
  @CanIgnoreReturnValue
  public StableRun runUntilStable(int limit) {
    return runUntilStable(limit, this::runCycle);
  }

  /**
   * Runs cycles until a further one would decide the same: there is nothing to try, or no waiting
   * workload makes progress on any flavor. Ends earlier if the limit is reached or if workloads
   * preempt each other in an endless loop.
   *
   * <p>The caller runs the cycles, so that it can act on each of them: a caller with nothing
   * running, such as a simulation, reports at once that evicted workloads have stopped.
   * {@link StableRun} has an example.
   *
   * <p>Other threads may call the engine between two cycles. If {@code cycle} throws, the cycles
   * before it have taken effect.
   *
   * @param limit the largest number of cycles, at least 1
   * @param cycle calls {@link #runCycle} once, and may call the engine after it; returns the
   *     decisions of all these calls
   * @return the decisions of all cycles, and why the run ended
   * @throws IllegalArgumentException if {@code limit} is not positive
   */
  @CanIgnoreReturnValue
  public StableRun runUntilStable(int limit, Supplier<Decisions> cycle) {
    requireNonNull(cycle, "runUntilStable: cycle is null");
    checkArgument(limit > 0, "the limit is %s cycles; expected at least 1", limit);
    return new CycleLoop(core).run(limit, cycle);
  }

  /** {@return the settings by which the engine decides} */
  public Settings settings() {
    return core.call(held -> held.state().settings());
  }

  /**
   * {@return the calls that report events of workloads between admission and finish: admission
   * checks, readiness of pods, failed nodes, eviction, requeueing, and restoring}
   */
  public WorkloadLifecycle lifecycle() {
    return new WorkloadLifecycle(core);
  }

  /**
   * {@return a workload in its present version: as it was submitted, updated or restored last, with
   * what other calls have changed since; empty if it is unknown}
   */
  public Optional<Workload> workload(WorkloadId workload) {
    requireNonNull(workload, "workload: workload is null");
    return core.call(held -> held.workloads().workload(workload));
  }

  /** {@return the admission of a workload, empty if it holds no quota} */
  public Optional<Admission> admission(WorkloadId workload) {
    requireNonNull(workload, "admission: workload is null");
    return core.call(held -> held.workloads().admission(workload));
  }

  /**
   * {@return whether a workload was evicted, and {@link #podsStopped} has not been called since;
   * false if the workload is unknown}
   */
  public boolean isStopping(WorkloadId workload) {
    requireNonNull(workload, "isStopping: workload is null");
    return core.call(held -> held.workloads().isStopping(workload));
  }

  /**
   * Explains the state of a workload, the reasons for it, and which changes would admit it.
   *
   * @param workload the workload; a variant, by its name in
   *     {@link io.kueue4j.core.decision.ClusterQueueView#pending}, is explained as its workload
   * @throws IllegalArgumentException if there is no workload of that id
   */
  public Explanation explain(WorkloadId workload) {
    requireNonNull(workload, "explain: workload is null");
    return core.call(held -> new Explanations(held, false).explain(workload));
  }

  /**
   * Explains many workloads in one call, each as {@link #explain} does, but faster: for n workloads
   * of a queue in O(n log n) time, compared to O(n²) for n calls of {@code explain}.
   *
   * @param workloads the ids of the workloads
   * @param extract extracts the needed data from each explanation, so that not all explanations are
   *     kept in memory. Called while the engine's lock is held: must not block, and must not call
   *     the engine
   * @return what {@code extract} returned, in the order of {@code workloads}
   * @throws IllegalArgumentException if there is no workload of one of the ids
   */
  public <R> List<R> explainAll(
      Iterable<WorkloadId> workloads, Function<? super Explanation, ? extends R> extract) {
    requireNonNull(workloads, "explainAll: workloads is null");
    requireNonNull(extract, "explainAll: extract is null");
    ImmutableList<WorkloadId> all = ImmutableList.copyOf(workloads);
    return core.call(held -> {
      Explanations explanations = new Explanations(held, true);
      return all.stream().map(explanations::explain).<R>map(extract).collect(toImmutableList());
    });
  }

  /** {@return the result of {@code step}, run while no other thread can run one} */
  @VisibleForTesting
  @CanIgnoreReturnValue
  <R> R inside(Function<EngineCore, R> step) {
    return core.call(step);
  }

  /** {@return the result of {@code question}, which must not change the state} */
  <R> R inspect(Function<EngineState, R> question) {
    return core.call(held -> question.apply(held.state()));
  }

  /**
   * {@return a view of the current state; later calls do not change it}
   *
   * <p>Takes constant time: the content is read on demand, and the engine copies what it shares
   * with views before it changes it.
   */
  public EngineView view() {
    return core.call(held -> {
      held.state().deliverEvents(held.now());
      return new EngineView(held.view(), held.clock(), assertions);
    });
  }

  @Override
  public String toString() {
    return core.call(
        held -> "AdmissionEngine [clusterQueues " + held.state().queues().size() + ", workloads "
            + held.state().workloads().submittedCount() + "]");
  }
}
