package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.decision.WorkloadRemoved;
import io.kueue4j.core.internal.explain.ExplainedQueues;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.fork.ForkableState;
import io.kueue4j.core.internal.fork.Snapshot;
import io.kueue4j.core.internal.operation.ConfigurationChecker;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.remedy.RemedySearch;
import io.kueue4j.core.internal.remedy.Study;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.EventQueue;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.Locked;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides which workloads may start, and on what, as Kubernetes' Kueue does.
 *
 * <p>An engine is told about flavors, queues and workloads, and about what happens to workloads; it
 * answers with admissions, or with the reasons why there is none. It starts no thread, does no I/O
 * and reads no clock but the one that it is given: the same settings, calls and clock readings give
 * the same answers.
 *
 * <pre>{@code
 * AdmissionEngine engine = AdmissionEngine.create();
 * engine.apply(
 *     ResourceFlavor.of("a100"),
 *     ClusterQueue.builder().name("research").namespaceSelector(LabelSelector.everything())
 *         .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of("nvidia.com/gpu", "8"))))
 *         .build(),
 *     LocalQueue.of("team-a", "queue", "research"));
 * AdmissionResult result = engine.tryAdmit(workload);
 * }</pre>
 *
 * <p>Two ways of use go together: {@link #tryAdmit} decides on one workload at once;
 * {@link #submit} queues workloads and {@link #runCycle} decides in queue order. What is admitted
 * holds its quota until {@link #finish} or {@link #release}.
 *
 * <p>Safe for several threads; calls take their turn.
 *
 * <p>Every call either happens or does not: one that throws leaves the engine as it was before,
 * whatever it throws. Only what a listener throws comes after the call; see
 * {@link Builder#listener}.
 */
public final class AdmissionEngine {
  private final Locked<EngineCore> core;

  private AdmissionEngine(InstantSource clock, ForkableState state) {
    this.core = new EngineCore(clock, state).exclusive();
  }

  /** {@return an engine that goes on from {@code snapshot}} */
  static AdmissionEngine fork(Snapshot snapshot, InstantSource clock) {
    return new AdmissionEngine(clock, ForkableState.of(snapshot));
  }

  /** {@return an engine without configuration, with Kueue's settings and the system's clock} */
  public static AdmissionEngine create() {
    return builder().build();
  }

  /** {@return a new builder} */
  public static Builder builder() {
    return new Builder();
  }

  /** Does what {@link #apply(Iterable)} does. */
  public void apply(ConfigObject... objects) {
    apply(Arrays.asList(objects));
  }

  /**
   * Adds or replaces configuration objects, all or none of them.
   *
   * @throws IllegalArgumentException if they are invalid, or contradict each other or what is there
   */
  public void apply(Iterable<? extends ConfigObject> objects) {
    ImmutableList<ConfigObject> batch = batch(objects);
    core.call(held -> {
      held.state().loader().takeFor(batch);
      new ConfigurationChecker(held.state()).check(batch);
      held.change().apply(batch);
      return batch;
    });
  }

  /**
   * Makes the change that a remedy asks for: applies its objects, updates its workload, and
   * finishes the workloads that have to stop.
   *
   * <p>Several calls are made; if one of them fails, those before it have taken effect.
   *
   * @param remedy found by {@link Explanation#remedy()} of this engine, which has not changed since
   * @throws IllegalArgumentException if the workload is unknown or the objects are invalid, because
   *     the engine has changed since
   */
  public void apply(Remedy remedy) {
    if (!remedy.objects().isEmpty()) {
      apply(remedy.objects());
    }
    remedy.workload().ifPresent(this::update);
    if (remedy.kind() == RemedyKind.END_BACKOFF) {
      remedy
          .workload()
          .ifPresent(
              ready -> lifecycle().requeue(ready.id(), "BackoffFinished", "The backoff was ended"));
    }
    remedy.stops().forEach(this::finish);
  }

  private static ImmutableList<ConfigObject> batch(Iterable<? extends ConfigObject> objects) {
    ImmutableList.Builder<ConfigObject> batch = ImmutableList.builder();
    int index = 0;
    for (ConfigObject object : objects) {
      batch.add(checkNotNull(
          object, "the object at index %s is null; expected a configuration object", index));
      index++;
    }
    return batch.build();
  }

  /**
   * Removes a ClusterQueue; its pending workloads wait until there is one of that name again.
   *
   * @return whether there was one
   * @throws IllegalStateException if workloads hold its quota; finish or release them first
   */
  @CanIgnoreReturnValue
  public boolean removeClusterQueue(String name) {
    return core.call(held -> held.change().removeQueue(name));
  }

  /**
   * {@return whether there was a Cohort of that name, which is removed; as long as something names
   * it, it goes on without quota, limits and parent}
   */
  @CanIgnoreReturnValue
  public boolean removeCohort(String name) {
    return core.call(held -> held.change().removeCohort(name));
  }

  /**
   * Removes a LocalQueue; its pending workloads wait until there is one of that name again. With
   * the last LocalQueue of a namespace that was never applied that namespace goes, too.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean removeLocalQueue(String namespace, String name) {
    String key = Configuration.localQueueKey(namespace, name);
    return core.call(held -> held.change().removeLocalQueue(key));
  }

  /**
   * Removes a ResourceFlavor.
   *
   * @return whether there was one
   * @throws IllegalStateException if a ClusterQueue names it; change that first
   */
  @CanIgnoreReturnValue
  public boolean removeResourceFlavor(String name) {
    return core.call(held -> held.change().removeFlavor(name));
  }

  /**
   * {@return whether there was an AdmissionCheck of that name, which is removed; ClusterQueues that
   * ask for it take no part until there is one again}
   */
  @CanIgnoreReturnValue
  public boolean removeAdmissionCheck(String name) {
    return core.call(held -> held.change().removeAdmissionCheck(name));
  }

  /**
   * {@return whether there was a Topology of that name, which is removed; ClusterQueues that have a
   * flavor with it take no part until there is one again}
   */
  @CanIgnoreReturnValue
  public boolean removeTopology(String name) {
    return core.call(held -> held.change().removeTopology(name));
  }

  /** {@return whether there was a TpuPoolSet to remove, as {@link #removeTopology} does} */
  @CanIgnoreReturnValue
  public boolean removeTpuPoolSet(String name) {
    return core.call(held -> held.change().removePoolSet(name));
  }

  /**
   * {@return whether there was a node of that name, which is removed; what runs on it holds its
   * quota as before}
   */
  @CanIgnoreReturnValue
  public boolean removeNode(String name) {
    return core.call(held -> held.change().removeNode(name));
  }

  /**
   * {@return whether there was a namespace of that name, which is removed; workloads in it are not
   * admitted any more}
   */
  @CanIgnoreReturnValue
  public boolean removeNamespace(String name) {
    return core.call(held -> held.change().removeNamespace(name));
  }

  /**
   * {@return whether there was a WorkloadPriorityClass of that name, which is removed; workloads
   * that name it have their own priority again}
   */
  @CanIgnoreReturnValue
  public boolean removeWorkloadPriorityClass(String name) {
    return core.call(held -> held.change().removePriorityClass(name));
  }

  /**
   * Decides on one workload now, as a cycle would whose only head it is: admits it as a whole, or
   * says exactly why not.
   *
   * <p>A workload that was unknown before is unknown again unless it is admitted. One that is
   * pending in a queue stays there unless it is admitted. One that is admitted already gets the
   * same answer again.
   *
   * <p>A backoff does not count: whoever calls decides when to try.
   *
   * @param workload the workload
   * @return admitted, preempting with the workloads that would have to stop, pending with reasons,
   *     or rejected
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  public AdmissionResult tryAdmit(Workload workload) {
    return tryAdmit(workload, TryAdmitOptions.defaults());
  }

  /**
   * Decides on one workload now, as {@link #tryAdmit(Workload)} does, with a say in what happens to
   * victims.
   *
   * <p>With {@link TryAdmitOptions#evictingVictims()} victims are told to stop, and a workload that
   * is pending in a queue goes on from there as after a cycle that had told them: it is back among
   * those to be tried, and its queue waits for it (rule U-10), so a BestEffortFIFO queue tries it
   * before all others until it is admitted or leaves. A workload that was unknown is unknown again,
   * and nothing holds the room for it: a cycle may give it to others first. Whoever does not want
   * that submits the workload before.
   *
   * @param workload the workload
   * @param options whether victims are told to stop
   * @return admitted, preempting with the victims, pending with reasons, or rejected
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  public AdmissionResult tryAdmit(Workload workload, TryAdmitOptions options) {
    return core.call(held -> held.admissions().tryAdmit(workload, options, held.now()));
  }

  /**
   * Puts a workload into the queue that it names. A workload that cannot be queued yet, because its
   * queues do not exist or something holds it back, waits until it can.
   *
   * @param workload the workload
   * @return pending with what it waits for, rejected if it breaks rules, or its admission if it has
   *     one already
   * @throws IllegalArgumentException if a workload of that id is known with other content;
   *     {@link #update} it instead
   */
  @CanIgnoreReturnValue
  public AdmissionResult submit(Workload workload) {
    return core.call(held -> held.admissions().submit(workload, held.now()));
  }

  /**
   * Replaces a workload by another version. A pending one is looked at again. Of an admitted one
   * pod sets and queue must stay, but an elastic one may have fewer pods, and reclaimable pods may
   * grow; both give quota back. One that is not active any more has to stop (rule L-12).
   *
   * @param workload the workload, known under its id
   * @return where it stands now, or rejected with the rules that the change breaks
   * @throws IllegalArgumentException if there is no workload of that id; {@link #submit} it instead
   */
  @CanIgnoreReturnValue
  public AdmissionResult update(Workload workload) {
    return core.call(held -> held.admissions().update(workload, held.now()));
  }

  /**
   * {@return whether a workload was known that is told to have finished, successfully or not: it
   * leaves the engine, and its quota is free}
   */
  @CanIgnoreReturnValue
  public boolean finish(WorkloadId workload) {
    return forget(workload, WorkloadRemoved.Reason.FINISHED);
  }

  /**
   * Gives the quota of a workload back that is not to run after all: it leaves the engine.
   *
   * @return whether it held quota; if not, nothing was changed
   */
  @CanIgnoreReturnValue
  public boolean release(WorkloadId workload) {
    return core.call(held -> held.admissions().admission(workload).isPresent()
        && forget(workload, WorkloadRemoved.Reason.RELEASED));
  }

  /**
   * Tells that the pods of a workload have stopped that was told to: its quota is free, and it is
   * queued again, or goes on elsewhere if it was to move.
   *
   * @return whether it had been told to stop
   */
  @CanIgnoreReturnValue
  public boolean podsStopped(WorkloadId workload) {
    return core.call(held -> held.admissions().podsStopped(workload, held.now()));
  }

  /**
   * Reports that a node on which pods of a running workload are placed cannot be used any more. The
   * next cycle places those pods elsewhere ({@link Decisions#replaced}), or evicts the workload if
   * there is no place. If another node fails before that, or if the node belongs to a TPU slice,
   * the workload is evicted at once. Nothing happens unless the workload was placed on hosts, this
   * one among them.
   *
   * <p>Rules: T-79. The caller decides when a node has failed.
   *
   * @param node the host name that the topology knows the node by
   * @return the eviction if the workload has to stop, and all other decisions that no call has
   *     returned yet
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions nodeFailed(WorkloadId workload, String node) {
    return core.call(held -> held.admissions().nodeFailed(workload, node, held.now()));
  }

  /**
   * {@return whether a node was reported as failed that is told to be usable again, and nothing had
   * been done about it}
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public boolean nodeRecovered(WorkloadId workload, String node) {
    return core.call(held -> held.admissions().nodeRecovered(workload, node));
  }

  /**
   * {@return whether a workload was known that is told to be deleted: it leaves the engine, and
   * what quota it held is free}
   */
  @CanIgnoreReturnValue
  public boolean delete(WorkloadId workload) {
    return forget(workload, WorkloadRemoved.Reason.DELETED);
  }

  private boolean forget(WorkloadId workload, WorkloadRemoved.Reason reason) {
    return core.call(held -> held.admissions().forget(workload, reason, held.now()));
  }

  /**
   * Tells that an admission has been stored, as Kueue's own status write does. Whoever wants
   * Kueue's decisions to the letter sends it after each admission; it lets waiting workloads of
   * that queue start their walk over flavors anew.
   *
   * @return whether the workload holds quota
   */
  @CanIgnoreReturnValue
  public boolean admissionRecorded(WorkloadId workload) {
    return core.call(held -> held.admissions().recorded(workload));
  }

  /**
   * Takes a workload in that was admitted before this engine existed. Quotas may be exceeded by it:
   * what runs, runs.
   *
   * @param workload the workload, not known yet
   * @param admission what it was admitted with; admission checks that it is asked for it has passed
   * @throws IllegalArgumentException if the workload is known or invalid, if the admission is of
   *     another workload, names a ClusterQueue that does not exist, or does not match the pod sets
   */
  public void restore(Workload workload, Admission admission) {
    core.call(held -> held.restorations().restore(workload, admission, held.now()));
  }

  /**
   * Takes a workload in that was told to stop before this engine existed, and has not been reported
   * as stopped yet. It holds its quota until {@link #podsStopped} and is the first to be counted on
   * when others need room, as in the engine that told it.
   *
   * @param workload the workload, not known yet
   * @param admission what it was admitted with
   * @param preempted for what it was told to stop; see {@link #preempted}
   * @throws IllegalArgumentException as for {@link #restore(Workload, Admission)}
   */
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    core.call(held -> held.restorations().restore(workload, admission, preempted, held.now()));
  }

  /**
   * Puts back what a LocalQueue had used before this engine existed, or in its place whatever it is
   * known to have used. Restore the workloads that hold quota first: they count as in use from
   * {@code lastUpdate} on. Kueue itself lets the time of its restart pass for nothing; who wants
   * its decisions gives the time of the restart as {@code lastUpdate}. Penalties are not restored.
   *
   * @param namespace the namespace of the LocalQueue
   * @param localQueue its name
   * @param usage what it had used, from {@link io.kueue4j.core.decision.LocalQueueView#consumed()}
   *     or Kueue's status
   * @throws IllegalArgumentException if there is no such LocalQueue
   * @throws IllegalStateException if usage is not remembered: see
   *     {@link Settings#admissionFairSharing()}
   */
  public void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    core.call(held -> {
      held.state().fairness().restore(namespace, localQueue, usage);
      return usage;
    });
  }

  /**
   * Does what is due by the clock alone: ends backoffs, samples usage, evicts workloads whose pods
   * are not ready in time or that have run for as long as they may. Cycles do the same first.
   *
   * @return the evictions that follow, and all other decisions that no call has returned yet
   */
  @CanIgnoreReturnValue
  public Decisions tick() {
    return core.call(held -> held.admissions().tick(held.now()));
  }

  /**
   * {@return when time alone will change something next, so that {@link #tick} or a cycle is worth
   * its while; empty if it never will}
   */
  public Optional<Instant> nextTick() {
    return core.call(held -> held.admissions().nextTick(held.now()));
  }

  /**
   * {@return the decisions that no call has returned yet, such as evictions that follow from
   * {@link #apply}}
   */
  @CanIgnoreReturnValue
  public Decisions takeDecisions() {
    return core.call(held -> held.state().decisions().takeAll());
  }

  /**
   * Runs one scheduling cycle: the first workload of each active ClusterQueue is tried, all against
   * the same state.
   *
   * @return what was decided, and all earlier decisions that no call has returned yet; nothing if
   *     there was nothing to try
   */
  @CanIgnoreReturnValue
  public Decisions runCycle() {
    return core.call(held -> held.admissions().runCycle(held.now()));
  }

  /** {@return the calls for what happens to workloads beside being admitted and finished} */
  public WorkloadLifecycle lifecycle() {
    return new WorkloadLifecycle(core);
  }

  /** {@return the admission of a workload, empty if it holds no quota} */
  public Optional<Admission> admission(WorkloadId workload) {
    return core.call(held -> held.admissions().admission(workload));
  }

  /**
   * {@return for what a workload was told to stop, empty unless it was and still holds its quota}
   *
   * <p>Together with {@link #admission} it is what {@link #restore(Workload, Admission,
   * PreemptedCondition)} needs after a restart.
   */
  public Optional<PreemptedCondition> preempted(WorkloadId workload) {
    return core.call(held -> held.admissions().preempted(workload));
  }

  /**
   * Says where a workload stands and why; of an attempt at one flavor, as
   * {@link io.kueue4j.core.decision.ClusterQueueView#pending} names it, where its workload stands.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  public Explanation explain(WorkloadId workload) {
    return core.call(held -> {
      Instant now = held.now();
      held.state().deliverEvents(now);
      return explain(held, workload, now, ExplainedQueues.forOne());
    });
  }

  /**
   * Explains many workloads in one call, each as {@link #explain} does. The order of a queue is
   * found once and not for each workload, so for n workloads of a queue this takes n log n steps,
   * and {@code explain} for each of them n² steps.
   *
   * @param workloads the ids of the workloads
   * @param extract takes what is needed from each explanation, so that not all of them have to be
   *     kept. Called while the engine's lock is held: must not block, and must not call the engine
   * @return what {@code extract} returned, in the order of {@code workloads}
   * @throws IllegalArgumentException if there is no workload of one of the ids
   */
  public <R> ImmutableList<R> explainAll(
      Iterable<WorkloadId> workloads, Function<? super Explanation, ? extends R> extract) {
    ImmutableList<WorkloadId> all = ImmutableList.copyOf(workloads);
    return core.call(held -> {
      Instant now = held.now();
      held.state().deliverEvents(now);
      ExplainedQueues queues = ExplainedQueues.forMany();
      ImmutableList.Builder<R> extracted = ImmutableList.builderWithExpectedSize(all.size());
      for (WorkloadId workload : all) {
        extracted.add(extract.apply(explain(held, workload, now, queues)));
      }
      return extracted.build();
    });
  }

  private Explanation explain(
      EngineCore held, WorkloadId workload, Instant now, ExplainedQueues queues) {
    EngineState state = held.state();
    Supplier<Supplier<? extends Study>> studies = () -> {
      Snapshot snapshot = held.snapshot(core);
      return () -> new EngineStudy(fork(snapshot, InstantSource.fixed(now)));
    };
    WorkloadId submitted = VariantNames.submitted(workload);
    WorkloadRecord record = state.submitted(submitted);
    boolean runs = record != null && state.variants().admission(record).isPresent();
    return new Explainer(state, queues)
        .explain(submitted, now, RemedySearch.of(runs ? null : record, studies));
  }

  /** {@return what {@code step} returns, taken while no other thread can} */
  @VisibleForTesting
  <R> R inside(Function<EngineCore, R> step) {
    return core.call(step);
  }

  /** {@return what {@code question} finds in the state, which it leaves as it is} */
  <R> R inspect(Function<EngineState, R> question) {
    return core.call(held -> question.apply(held.state()));
  }

  /**
   * {@return the state as it is now; later calls do not change it}
   *
   * <p>Takes the same short time whatever the engine knows: what the view shows is read when it is
   * asked for, and copied before the engine changes it.
   */
  public EngineView view() {
    return core.call(held -> {
      held.state().deliverEvents(held.now());
      return new EngineView(held.snapshot(core), held.clock());
    });
  }

  @Override
  public String toString() {
    return core.call(
        held -> "AdmissionEngine [clusterQueues " + held.state().queues().size() + ", workloads "
            + held.state().workloads().submittedCount() + "]");
  }

  /**
   * A fork of an engine on which remedies are tried.
   *
   * @param engine the fork
   */
  private record EngineStudy(AdmissionEngine engine) implements Study {
    @Override
    public void apply(Remedy remedy) {
      engine.apply(remedy);
    }

    @Override
    public AdmissionResult tryAdmit(Workload workload) {
      return engine.tryAdmit(workload);
    }

    @Override
    public Decisions runCycle() {
      return engine.runCycle();
    }

    @Override
    public Optional<Admission> admission(WorkloadId workload) {
      return engine.admission(workload);
    }

    @Override
    public <R> R inspect(Function<EngineState, R> question) {
      return engine.inspect(question);
    }
  }

  /** Builds {@link AdmissionEngine}s; reusable, not safe for several threads. */
  public static final class Builder {
    private InstantSource clock = InstantSource.system();
    private Settings settings = Settings.defaults();
    private Consumer<EventQueue> listening = announcements -> {};
    private Consumer<? super RuntimeException> onJitterFailure = failure -> {};

    private Builder() {}

    /** Sets where the engine reads the time, the system's clock unless set. */
    @CanIgnoreReturnValue
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /** Sets the settings, Kueue's defaults unless set. */
    @CanIgnoreReturnValue
    public Builder settings(Settings settings) {
      this.settings = settings;
      return this;
    }

    /**
     * Sets what receives workload events, nothing unless set.
     *
     * @param listener receives the events
     * @param onFailure receives everything that the listener throws, {@link Error}s included, but
     *     for {@link VirtualMachineError}s, which reach the caller of the engine; to log it for
     *     example. What it throws itself is dropped under the same rule
     */
    @CanIgnoreReturnValue
    public Builder listener(EngineListener listener, Consumer<? super Throwable> onFailure) {
      this.listening = announcements -> announcements.setListener(listener, onFailure);
      return this;
    }

    /**
     * Sets what receives failures of {@link PodsReadyPolicy#jitter}, nothing unless set. The
     * backoffs concerned have no jitter.
     *
     * @param onFailure receives an exception that names the workload, when the call that evicts it
     *     is done; what it throws is dropped
     */
    @CanIgnoreReturnValue
    public Builder onJitterFailure(Consumer<? super RuntimeException> onFailure) {
      this.onJitterFailure = onFailure;
      return this;
    }

    /** {@return an engine without configuration} */
    public AdmissionEngine build() {
      ForkableState state = ForkableState.of(settings);
      EventQueue announcements = state.state().announcements();
      listening.accept(announcements);
      announcements.setJitterFailureHandler(onJitterFailure);
      return new AdmissionEngine(clock, state);
    }
  }
}
