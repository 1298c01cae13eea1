package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.QueueObserver;
import io.kueue4j.core.internal.queue.ReversibleChange;
import io.kueue4j.core.internal.quota.CohortTree;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterQueues and cohorts of a state, and the nodes and TPU pools that their workloads use.
 *
 * <p>In a fork, look-ups load the parts that they find. Not thread-safe.
 *
 * <p>Rules: M-15.
 */
public final class QueueStore {
  private final StateContext context;
  private final Configuration configuration;
  private final Forest forest;
  /** In the order of names. */
  private final TreeMap<String, QueueState> queues = new TreeMap<>();

  private final Map<String, QueueState> byName = new HashMap<>();
  private final Map<QueueQuota, QueueState> byQuota = new HashMap<>();
  private final QueuesWithWork withWork;

  /** The next end of a backoff in each ClusterQueue. */
  private final Timers<String> backoffs;

  /** Observes the pending workloads of a ClusterQueue. */
  private record PendingObserver(QueueObserver tracker, String queue, Timers<String> backoffs)
      implements QueueObserver {
    @Override
    public void beforeChange() {
      tracker.beforeChange();
    }

    @Override
    public void beforeReversibleChange(ReversibleChange change) {
      tracker.beforeReversibleChange(change);
    }

    @Override
    public void nextReleaseChanged(@Nullable Instant next) {
      backoffs.set(queue, next);
    }
  }

  /**
   * Creates an empty store.
   *
   * @param firstRelease a time before which no backoff ends that is not loaded yet, null for none
   */
  QueueStore(StateContext context, Configuration configuration, @Nullable Instant firstRelease) {
    this.context = context;
    this.configuration = configuration;
    this.forest = new Forest(
        context.catalog(),
        new NodesAndFleets(configuration.inventories(), configuration.fleets()),
        context.settings().includes(KueueFix.EXACT_LARGE_AMOUNTS),
        context.journal());
    this.withWork = new QueuesWithWork(context.journal());
    this.backoffs =
        new Timers<>(context.journal(), firstRelease, () -> context.loader().takeBackingOff());
  }

  /** {@return the trees of cohorts, for changes} */
  Forest forest() {
    return forest;
  }

  /** {@return all ClusterQueues, by name} */
  Collection<QueueState> all() {
    context.loader().takeTrees();
    return queues.values();
  }

  /** {@return the ClusterQueues that are loaded, by name} */
  public Collection<QueueState> loaded() {
    return Collections.unmodifiableCollection(queues.values());
  }

  /** {@return the ClusterQueues that have work for a cycle; callers add those that get work} */
  QueuesWithWork withWork() {
    return withWork;
  }

  /** {@return the next end of a backoff in each ClusterQueue, by name} */
  public Timers<String> backoffs() {
    return backoffs;
  }

  /** {@return the names of the ClusterQueues with workloads whose backoff will end} */
  public Set<String> backingOff() {
    return backoffs.owners();
  }

  Optional<QueueState> get(String name) {
    QueueState known = byName.get(name);
    if (known == null) {
      context.loader().takeTreeOfQueue(name);
      known = byName.get(name);
    }
    return Optional.ofNullable(known);
  }

  /** {@return the ClusterQueue of a quota, absent if it is not applied} */
  Optional<QueueState> of(QueueQuota quota) {
    return Optional.ofNullable(byQuota.get(quota));
  }

  /** {@return the Cohort applied under that name, if any} */
  public Optional<Cohort> cohort(String name) {
    return treeNameOfCohort(name).flatMap(unused -> forest.cohort(name));
  }

  /** {@return the tree of the cohort, whether it was applied or is only referred to by name} */
  public Optional<String> treeNameOfCohort(String name) {
    Optional<String> known = forest.treeNameOfCohort(name);
    if (known.isEmpty()) {
      context.loader().takeTreeOfCohort(name);
      known = forest.treeNameOfCohort(name);
    }
    return known;
  }

  /**
   * {@return the ClusterQueue of a quota, which is added if it is new}
   *
   * @param usage the past usage that orders its LocalQueues, null if they are not ordered by usage
   */
  QueueState add(QueueQuota quota, @Nullable LocalQueueUsage usage) {
    boolean isStrictFifo = quota.compiled().isStrictFifo();
    QueueState known = byName.get(quota.name());
    if (known != null) {
      known.pending().setStrictFifo(isStrictFifo);
      return known;
    }
    QueueState queue = new QueueState(
        quota,
        new PendingQueue(
            new EngineRules(context.settings()).queue(),
            usage,
            context.journal(),
            observer(quota.name())));
    put(queue);
    context.changes().inverse(() -> forget(queue));
    queue.pending().setStrictFifo(isStrictFifo);
    return queue;
  }

  /** {@return the observer of the pending workloads of a ClusterQueue} */
  public QueueObserver observer(String queue) {
    return new PendingObserver(context.changes().tracker().pendingObserver(queue), queue, backoffs);
  }

  public void remove(QueueState queue) {
    forget(queue);
    context.changes().inverse(() -> {
      put(queue);
      withWork.add(queue);
    });
  }

  private void put(QueueState queue) {
    queues.put(queue.name(), queue);
    byName.put(queue.name(), queue);
    byQuota.put(queue.quota(), queue);
  }

  private void forget(QueueState queue) {
    queues.remove(queue.name());
    byName.remove(queue.name());
    byQuota.remove(queue.quota());
    withWork.remove(queue);
    forest.remove(queue.quota());
  }

  /** Adds a loaded tree with its ClusterQueues, which a rollback does not take back. */
  public void install(CohortTree tree, Iterable<QueueState> queuesOfTree) {
    forest.add(tree);
    for (QueueState queue : queuesOfTree) {
      put(queue);
      withWork.add(queue);
    }
  }

  // ----- changes of the configuration

  /**
   * Begins a change of the configuration: snapshots copy everything, and if the call fails, the
   * rollback ends by rebuilding the trees.
   */
  public void beginChange() {
    context.changes().tracker().beforeConfigurationChange();
    context.changes().inverse(() -> {
      forest.rebuildAsBefore();
      rebuildPlaces();
    });
  }

  /** Applies the changes since {@link #beginChange}. */
  public void rebuild() {
    forest.rebuild();
    rebuildPlaces();
  }

  private void rebuildPlaces() {
    rebuildInventories();
    rebuildFleets();
  }

  public void put(Cohort cohort) {
    forest.put(cohort);
  }

  /** {@return whether a Cohort of that name existed and was removed} */
  @CanIgnoreReturnValue
  public boolean removeCohort(String name) {
    Optional<Cohort> known = cohort(name);
    known.ifPresent(cohort -> forest.removeCohort(name));
    return known.isPresent();
  }

  /** {@return the quota of a ClusterQueue that is added or replaced} */
  public QueueQuota put(ClusterQueue spec) {
    Optional<QueueState> unused = get(spec.name());
    return forest.put(spec);
  }

  /** Sets whether a ClusterQueue is active. */
  public void setActive(QueueState queue, boolean active) {
    forest.setActive(queue.quota(), active);
  }

  /** {@return one queue of each tree that contains a cohort of those names} */
  public List<QueueQuota> queueOfEachTree(Set<String> cohorts) {
    return List.copyOf(forest.queueOfEachTree(cohorts));
  }

  // ----- nodes and TPU pools

  /** {@return the current TPU pools, with all TPU slices in use} */
  ImmutableList<PoolSetState> poolSets() {
    if (configuration.fleets().isUsed()) {
      context.loader().takeTrees();
    }
    return configuration.fleets().states();
  }

  /** Applies changes of TPU pools, and charges the TPU slices in use to their hosts. */
  public void rebuildFleets() {
    if (configuration.fleets().isChanged()) {
      configuration
          .fleets()
          .rebuild(queues.values().stream()
              .flatMap(queue -> queue.quota().holders().stream())
              .map(QuotaHolder::footprint)
              .toList());
    }
  }

  /**
   * Applies changes of nodes and topologies, and charges running workloads to the current nodes.
   */
  public void rebuildInventories() {
    if (configuration.inventories().isChanged()) {
      configuration.inventories().rebuild();
      for (QueueState queue : queues.values()) {
        queue
            .quota()
            .holders()
            .forEach(holder ->
                configuration.inventories().commit(NodesAndFleets.pods(holder.footprint())));
      }
    }
  }

  /** Clears caches that a failed call may have left inconsistent. */
  void forgetRemembered() {
    configuration.inventories().forgetCounts();
    configuration.fleets().forgetSearches();
    queues.values().forEach(queue -> queue.quota().tree().borrowers().forgetObservers());
  }
}
