package io.kueue4j.core.internal.state;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Cohort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ClusterQueues and cohorts of a state, and the nodes and TPU pools that their workloads use.
 *
 * <p>Trees of cohorts and pending workloads are shared with forks until the first change of either
 * side. Those who change them call {@link #ownQuota} or {@link #ownPending} first. Not thread-safe.
 *
 * <p>Rules: M-15.
 */
public final class QueueStore {
  private final StateContext context;
  private final Configuration configuration;
  private final UsageLedger usage;
  private final PreemptionHistory preemptions;
  private final Forest forest;

  /** The pending workloads of each ClusterQueue. */
  private final VersionedMap<String, PendingQueue> pending;

  private final VersionedSet<String> names;

  /** The ClusterQueues that have work for the next cycle, and some that no longer have any. */
  private final VersionedSet<String> withWork;

  /** The next end of a backoff in each ClusterQueue. */
  private final Timers<String> backoffs;

  /**
   * The ClusterQueues that were looked up since the state was forked or a call was rolled back,
   * which drops copies of their parts.
   */
  private final Map<String, QueueState> known = new HashMap<>();

  /** Creates an empty store. */
  QueueStore(
      StateContext context,
      Configuration configuration,
      UsageLedger usage,
      PreemptionHistory preemptions) {
    this.context = context;
    this.configuration = configuration;
    this.usage = usage;
    this.preemptions = preemptions;
    this.forest = new Forest(
        context.catalog(),
        new NodesAndFleets(configuration.inventories(), configuration.fleets()),
        context.settings().includes(KueueFix.EXACT_LARGE_AMOUNTS),
        context.journal(),
        this::copied);
    this.pending = new VersionedMap<>(context.journal());
    this.names = VersionedSet.inNaturalOrder(context.journal());
    this.withWork = VersionedSet.inNaturalOrder(context.journal());
    this.backoffs = new Timers<>(context.journal());
  }

  /** Takes the queues of another state. */
  void share(QueueStore origin) {
    forest.share(origin.forest);
    pending.share(origin.pending);
    names.share(origin.names);
    withWork.share(origin.withWork);
    backoffs.share(origin.backoffs);
  }

  private void copied(QueueQuota copy) {
    QueueState queue = known.get(copy.name());
    if (queue != null) {
      queue.setQuota(copy);
    }
  }

  /** {@return the trees of cohorts, for changes} */
  Forest forest() {
    return forest;
  }

  // ----- look-ups

  /** {@return all ClusterQueues, by name} */
  Collection<QueueState> all() {
    return names.toList().stream().map(this::require).toList();
  }

  /** {@return the next end of a backoff in each ClusterQueue, by name} */
  public Timers<String> backoffs() {
    return backoffs;
  }

  Optional<QueueState> get(String name) {
    QueueState queue = known.get(name);
    if (queue == null) {
      PendingQueue ofQueue = pending.get(name);
      if (ofQueue != null) {
        queue = new QueueState(forest.queue(name).orElseThrow(), ofQueue);
        known.put(name, queue);
      }
    }
    return Optional.ofNullable(queue);
  }

  /** {@return the ClusterQueue of that name, which must exist} */
  QueueState require(String name) {
    QueueState queue = known.get(name);
    return queue != null ? queue : get(name).orElseThrow();
  }

  /** {@return the ClusterQueues that have work for a cycle, by name; idle ones cost it nothing} */
  public List<QueueState> withWork() {
    List<QueueState> found = new ArrayList<>(withWork.size());
    for (String name : withWork.toList()) {
      QueueState queue = require(name);
      if (queue.hasWork()) {
        found.add(queue);
      } else {
        withWork.remove(name);
        queue.setListed(false);
      }
    }
    return found;
  }

  // ----- changes

  /** {@return the quota of a ClusterQueue, for changes of it or of its tree, also in trials} */
  public QueueQuota ownQuota(QueueState queue) {
    if (queue.quota().isShared()) {
      forest.own(queue.quota());
    }
    return queue.quota();
  }

  /** {@return the pending workloads of a ClusterQueue, for changes} */
  PendingQueue ownPending(QueueState queue) {
    if (queue.pending().isShared()) {
      PendingQueue copy = queue.pending().copy(usage, context.journal());
      pending.set(queue.name(), copy);
      queue.setPending(copy);
    }
    return queue.pending();
  }

  /** Records that the pending workloads of a ClusterQueue have changed. */
  void changed(QueueState queue) {
    backoffs.set(queue.name(), queue.pending().nextRelease());
    if (!queue.isListed() && queue.hasWork()) {
      withWork.add(queue.name());
      queue.setListed(true);
    }
  }

  /** {@return the ClusterQueue of a quota, which is added if it is new} */
  private QueueState add(QueueQuota quota) {
    boolean isUsageBased = UsageLedger.isUsed(context.settings())
        && quota.spec().admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
    QueueState queue = new QueueState(
        quota,
        new PendingQueue(context.settings(), isUsageBased ? usage : null, context.journal()));
    pending.set(queue.name(), queue.pending());
    names.add(queue.name());
    known.put(queue.name(), queue);
    return queue;
  }

  public void remove(QueueState queue) {
    known.remove(queue.name());
    pending.set(queue.name(), null);
    names.remove(queue.name());
    withWork.remove(queue.name());
    preemptions.remove(queue.name());
    forest.remove(queue.quota());
  }

  // ----- changes of the configuration

  /**
   * Begins a change of the configuration: if the call fails, the rollback ends by rebuilding the
   * inventories and fleets.
   */
  public void beginChange() {
    context.journal().add(() -> {
      forest.forgetChanges();
      rebuildPlaces();
    });
  }

  /** Applies the changes since {@link #beginChange}. */
  public void rebuild() {
    forest.rebuild();
    rebuildPlaces();
  }

  /** Applies changes of nodes and TPU pools, and charges running workloads to the present ones. */
  private void rebuildPlaces() {
    Inventories inventories = configuration.inventories();
    Fleets fleets = configuration.fleets();
    if (!inventories.isChanged() && !fleets.isChanged()) {
      return;
    }
    List<Footprint> held = all().stream()
        .flatMap(queue -> queue.quota().holders().stream())
        .map(QuotaHolder::footprint)
        .toList();
    if (inventories.isChanged()) {
      inventories.rebuild();
      held.forEach(inventories::commit);
    }
    if (fleets.isChanged()) {
      fleets.rebuild(held);
    }
  }

  public void put(Cohort cohort) {
    forest.put(cohort);
  }

  /** {@return whether a Cohort of that name existed and was removed} */
  @CanIgnoreReturnValue
  public boolean removeCohort(String name) {
    boolean isKnown = forest.cohort(name).isPresent();
    if (isKnown) {
      forest.removeCohort(name);
    }
    return isKnown;
  }

  /** {@return the ClusterQueue, which is added or replaced} */
  public QueueState put(ClusterQueue spec) {
    QueueQuota quota = forest.put(spec);
    QueueState queue = get(quota.name()).orElseGet(() -> add(quota));
    ownPending(queue).setStrictFifo(quota.compiled().isStrictFifo());
    context
        .settings()
        .backfill()
        .ifPresent(backfill ->
            ownPending(queue).front().setDepth(spec.backfillDepth().orElse(backfill.depth())));
    preemptions.setLimits(quota.name(), spec.preemptionLimits().orElse(null));
    return queue;
  }

  /** Sets whether a ClusterQueue is active. */
  public void setActive(QueueState queue, boolean active) {
    if (queue.quota().isActive() != active) {
      forest.setActive(ownQuota(queue), active);
    }
  }

  /** {@return one queue of each tree that contains a cohort of those names} */
  public List<QueueState> queueOfEachTree(Set<String> cohorts) {
    return forest.queueOfEachTree(cohorts).stream()
        .map(quota -> require(quota.name()))
        .toList();
  }

  /** Clears caches that a failed call may have left inconsistent. */
  void forgetRemembered() {
    configuration.inventories().forgetCounts();
    known.values().stream()
        .filter(queue -> !queue.quota().isShared())
        .forEach(queue -> queue.quota().tree().borrowers().forgetObservers());
    known.clear();
  }
}
