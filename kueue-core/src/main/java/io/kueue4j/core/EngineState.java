package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.compiled.IdsInUse;
import io.kueue4j.core.compiled.WorkloadCompiler;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.flavor.FlavorTable;
import io.kueue4j.core.fleet.Fleets;
import io.kueue4j.core.fleet.NodesAndFleets;
import io.kueue4j.core.fleet.PoolSetState;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.quota.Forest;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.support.UndoLog;
import io.kueue4j.core.topology.Inventories;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All that an engine knows, and the elementary changes to it. Not safe for several threads.
 *
 * <p>Rules: U-17a, M-15, M-23.
 */
final class EngineState {
  private final UndoLog undo = new UndoLog();
  private final Settings settings;
  private final Catalog catalog;
  private final Inventories inventories;
  private final Fleets fleets;
  private final Forest forest;
  private final Configuration configuration;
  private final WorkloadCompiler compiler;
  private final TreeMap<String, QueueState> queues = new TreeMap<>();
  private final Map<QueueQuota, QueueState> states = new HashMap<>();
  private final PendingWorkloads pending = new PendingWorkloads(this);
  private final WorkloadIndex workloads = new WorkloadIndex(undo);
  private final AdmissionFairness fairness;
  private final Reservations reservations;

  private final RequeueEvents events = new RequeueEvents(this);

  /** What a fork has not taken over yet; look-ups do so as needed. */
  private final Inheritance inheritance;

  private final Units units = new Units(this);
  private final Variants variants;
  private final Announcements announcements;
  private final NameRecycling recycling = new NameRecycling(this);
  private final LifecycleBooks books;

  /** The workloads of which a node has failed that is not replaced yet. */
  private final NavigableSet<WorkloadId> failed = new TreeSet<>();

  private final DecisionLog decisions;

  private long cycles;

  /** Creates the state of an engine that knows nothing yet. */
  EngineState(Settings settings) {
    this(settings, new Catalog(), new Announcements(), null);
  }

  /**
   * Creates a state that goes on from {@code snapshot}.
   *
   * @param announcements what its listener is notified through
   */
  EngineState(Snapshot snapshot, Announcements announcements) {
    this(snapshot.settings(), snapshot.catalog().fork(), announcements, snapshot);
    cycles = snapshot.cycles();
    failed.addAll(snapshot.failed());
  }

  private EngineState(
      Settings settings,
      Catalog catalog,
      Announcements announcements,
      @Nullable Snapshot snapshot) {
    this.settings = settings;
    this.announcements = announcements;
    this.catalog = catalog;
    this.configuration = snapshot == null
        ? new Configuration(
            new FlavorTable(catalog),
            new Inventories(catalog, new EngineRules(settings).placement()),
            new Fleets(catalog),
            settings,
            undo)
        : snapshot.configuration().fork(catalog, undo);
    this.inventories = configuration.inventories();
    this.inheritance = new Inheritance(this, snapshot);
    this.fleets = configuration.fleets();
    this.forest = new Forest(catalog, new NodesAndFleets(inventories, fleets));
    this.compiler = new WorkloadCompiler(
        catalog,
        settings.isEnabled(FeatureGate.RECLAIMABLE_PODS),
        settings.isEnabled(FeatureGate.CONCURRENT_ADMISSION),
        settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING));
    this.fairness = snapshot == null
        ? new AdmissionFairness(settings, this)
        : new AdmissionFairness(snapshot, this);
    this.reservations = new Reservations(this, forest);
    this.variants = new Variants(this);
    this.books = new LifecycleBooks(
        this, snapshot == null ? LifecycleBooks.Summary.EMPTY : snapshot.lifecycles());
    this.decisions =
        new DecisionLog(this, snapshot == null ? ImmutableList.of() : snapshot.unreturned());
  }

  Settings settings() {
    return settings;
  }

  /** {@return what takes back the changes of the call at hand, should it fail} */
  UndoLog undo() {
    return undo;
  }

  /** {@return what happens to workloads whose pods are not ready, absent for nothing} */
  Optional<PodsReadyPolicy> podsReadyPolicy() {
    return settings.isEnabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? Optional.empty()
        : settings.podsReady();
  }

  /** Takes back what the call at hand has changed, which has failed. */
  void rollback() {
    undo.rollback();
    // What is only kept to save work may have been left half-way.
    inventories.forgetCounts();
    fleets.forgetSearches();
    queues.values().forEach(queue -> queue.quota().tree().borrowers().forgetObservers());
    // A view taken in the middle of the call shows what has not happened.
    units.beforeOtherChange();
  }

  Catalog catalog() {
    return catalog;
  }

  Inventories inventories() {
    return inventories;
  }

  /** {@return the TPU pools; in a fork, with slices taken over so far} */
  Fleets fleets() {
    return fleets;
  }

  /** {@return the TPU pools as they are now, with all slices in use} */
  ImmutableList<PoolSetState> poolSets() {
    if (fleets.isUsed()) {
      inheritance.takeTrees();
    }
    return fleets.states();
  }

  /** Puts changes of TPU pools into effect, and the slices in use onto their hosts. */
  void rebuildFleets() {
    if (fleets.isChanged()) {
      fleets.rebuild(queues.values().stream()
          .flatMap(queue -> queue.quota().holders().stream())
          .map(QuotaHolder::footprint)
          .toList());
    }
  }

  /** Puts changes of nodes and topologies into effect, and what runs onto the nodes as they are. */
  void rebuildInventories() {
    if (inventories.isChanged()) {
      inventories.rebuild();
      for (QueueState queue : queues.values()) {
        queue
            .quota()
            .holders()
            .forEach(holder -> inventories.commit(NodesAndFleets.pods(holder.footprint())));
      }
    }
  }

  Forest forest() {
    return forest;
  }

  Configuration configuration() {
    return configuration;
  }

  AdmissionFairness fairness() {
    return fairness;
  }

  /** {@return the number of cycles that had something to try} */
  long cycles() {
    return cycles;
  }

  long nextCycle() {
    undo.add(() -> cycles--);
    cycles++;
    return cycles;
  }

  Collection<QueueState> queues() {
    inheritance.takeTrees();
    return queues.values();
  }

  Optional<QueueState> queue(String name) {
    QueueState known = queues.get(name);
    if (known == null) {
      inheritance.takeTreeOfQueue(name);
      known = queues.get(name);
    }
    return Optional.ofNullable(known);
  }

  /** {@return the Cohort applied under that name, if any} */
  Optional<Cohort> cohort(String name) {
    return treeNameOfCohort(name).flatMap(unused -> forest.cohort(name));
  }

  /** {@return the tree that the cohort stands in, be it applied or only named} */
  Optional<String> treeNameOfCohort(String name) {
    Optional<String> known = forest.treeNameOfCohort(name);
    if (known.isEmpty()) {
      inheritance.takeTreeOfCohort(name);
      known = forest.treeNameOfCohort(name);
    }
    return known;
  }

  /** {@return the state of a queue that is applied} */
  Optional<QueueState> stateOf(QueueQuota queue) {
    return Optional.ofNullable(states.get(queue));
  }

  QueueState addQueue(QueueQuota quota) {
    return queues.computeIfAbsent(quota.name(), name -> {
      QueueState queue = new QueueState(
          quota,
          new PendingQueue(
              settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING),
              fairness.orderOf(quota.compiled().source()),
              undo,
              units.observer(name)));
      states.put(quota, queue);
      undo.add(() -> forgetQueue(queue));
      return queue;
    });
  }

  void removeQueue(QueueState queue) {
    forgetQueue(queue);
    undo.add(() -> {
      forest.putBack(queue.quota());
      queues.put(queue.name(), queue);
      states.put(queue.quota(), queue);
      pending.add(queue);
    });
  }

  private void forgetQueue(QueueState queue) {
    queues.remove(queue.name());
    states.remove(queue.quota());
    pending.remove(queue);
    forest.remove(queue.quota());
  }

  // ----- workloads

  @Nullable
  WorkloadRecord record(WorkloadId id) {
    WorkloadRecord known = workloads.get(id);
    if (known == null) {
      inheritance.takePartOf(id);
      known = workloads.get(id);
    }
    return known;
  }

  /** {@return the workload of that id that a caller may know of, which variants are not} */
  @Nullable
  WorkloadRecord submitted(WorkloadId id) {
    return VariantNames.isVariant(id) ? null : record(id);
  }

  /**
   * {@return the workload of that id}
   *
   * @throws IllegalArgumentException if there is none
   */
  WorkloadRecord require(WorkloadId id) {
    return require(record(id), id);
  }

  /**
   * {@return the workload of that id that was submitted, which variants were not}
   *
   * @throws IllegalArgumentException if there is none
   */
  WorkloadRecord requireSubmitted(WorkloadId id) {
    return require(submitted(id), id);
  }

  private static WorkloadRecord require(@Nullable WorkloadRecord record, WorkloadId id) {
    checkArgument(record != null, "workload %s is not known; submit it first", id);
    return record;
  }

  /**
   * {@return the ClusterQueue whose quota a workload holds, else the one that its LocalQueue leads
   * to, which need not exist}
   */
  Optional<String> clusterQueueOf(WorkloadRecord record) {
    Reservation reservation = record.reservation;
    return reservation != null
        ? Optional.of(reservation.queue().name())
        : configuration.localQueue(record.localQueueKey()).map(LocalQueue::clusterQueue);
  }

  int workloadCount() {
    inheritance.takeAll();
    return (int) workloads.all().stream().filter(record -> !record.isVariant()).count();
  }

  /** {@return a record of {@code workload} that is not known to the state yet} */
  WorkloadRecord newRecord(Workload workload, Instant now) {
    return new WorkloadRecord(compile(workload), now, undo);
  }

  /** Takes in a workload that has its place already: in a queue, or outside of them. */
  void add(WorkloadRecord record) {
    workloads.add(record);
    books.setTimer(record);
  }

  void remove(WorkloadRecord record) {
    markFailed(record, null);
    units.beforeChange(record);
    workloads.remove(record);
    pending.unqueue(record);
    fairness.left(record);
    books.forget(record);
    record.setReservation(null);
  }

  /** Lets a workload leave, and with it what it holds. */
  void forget(WorkloadRecord record, Departure.Reason reason, Instant now) {
    variants.of(record).forEach(variant -> forget(variant, reason, now));
    announcements.departed(this, record, reason, now);
    fairness.sampleUntil(now);
    eventOf(record);
    reservations.release(record);
    remove(record);
  }

  /** {@return the workloads; in a fork, those taken over so far} */
  WorkloadIndex workloads() {
    return workloads;
  }

  /**
   * Replaces the content of a workload; a pending one is looked at again, what another holds is
   * charged anew.
   */
  void change(WorkloadRecord record, Workload workload, Instant now) {
    units.beforeChange(record);
    CompiledWorkload before = record.compiled();
    workloads.remove(record);
    if (!record.workload().queueName().equals(workload.queueName())
        || (!workload.active() && record.reservation == null)) {
      fairness.left(record);
    }
    record.change(compile(workload));
    add(record);
    variants.note(record);
    Reservation reservation = record.reservation;
    if (reservation != null) {
      reservations.renew(record, reservation);
    } else {
      pending.renew(record, configuration.changesSpec(before, record.compiled()), now);
    }
  }

  /** {@return the workload compiled, which the state need not know} */
  CompiledWorkload compile(Workload workload) {
    return compiler.compile(workload, configuration.effectivePriority(workload));
  }

  /** Notes that a node of a workload has failed, or with null that none has any more. */
  void markFailed(WorkloadRecord record, NodeFailures.@Nullable Mark mark) {
    if (mark == null ? record.failure() != null : !mark.equals(record.failure())) {
      units.beforeChange(record);
      record.setFailure(mark);
      WorkloadId id = record.workload().id();
      if (mark == null ? failed.remove(id) : failed.add(id)) {
        undo.add(mark == null ? () -> failed.add(id) : () -> failed.remove(id));
      }
    }
  }

  /** {@return the workloads of which a node has failed that is not replaced yet} */
  ImmutableSortedSet<WorkloadId> failed() {
    return ImmutableSortedSet.copyOfSorted(failed);
  }

  /** {@return the decisions that no call has returned yet} */
  DecisionLog decisions() {
    return decisions;
  }

  /** {@return the workloads that wait, to be changed} */
  PendingWorkloads pending() {
    return pending;
  }

  /** {@return what is held of quotas, to be changed} */
  Reservations reservations() {
    return reservations;
  }

  /** {@return what holds quota of the queue, in no order that matters} */
  List<WorkloadRecord> reserving(QueueState queue) {
    List<QuotaHolder> holders = queue.quota().holders();
    List<WorkloadRecord> found = new ArrayList<>(holders.size());
    for (QuotaHolder holder : holders) {
      WorkloadRecord record = workloads.get(holder.workload().source().id());
      if (record != null) {
        found.add(record);
      }
    }
    return found;
  }

  // ----- events

  /**
   * {@return the queue that something changes for when a workload does: the one whose quota it
   * holds, else the one that it is to wait in; none if its LocalQueue is stopped (U-17a)}
   *
   * <p>A holder whose LocalQueue was removed counts: otherwise workloads that wait for its quota
   * would wait for an unrelated event.
   */
  Optional<QueueQuota> eventQueue(WorkloadRecord record) {
    Reservation reservation = record.reservation;
    if (reservation == null) {
      return pending.target(record).map(QueueState::quota);
    }
    boolean isStopped = configuration
        .localQueue(record.localQueueKey())
        .filter(queue -> queue.stopPolicy() != StopPolicy.NONE)
        .isPresent();
    return isStopped ? Optional.empty() : Optional.of(reservation.queue().quota());
  }

  /** Notes that something changes for the queue of a workload. */
  void eventOf(WorkloadRecord record) {
    eventQueue(record).ifPresent(this::event);
  }

  /** Notes that something changed for a queue and all of its tree. */
  void event(QueueQuota queue) {
    units.beforeChange(queue);
    events.note(queue);
  }

  /** Samples usage up to {@code now} and acts on the events noted so far. */
  void deliverEvents(Instant now) {
    fairness.sampleUntil(now);
    events.deliver(now);
  }

  /** {@return the variants of workloads that try all flavors at a time} */
  Variants variants() {
    return variants;
  }

  /** {@return what follows from the lives of all workloads together} */
  LifecycleBooks books() {
    return books;
  }

  // ----- forks

  /** {@return what a fork has not taken over yet} */
  Inheritance inheritance() {
    return inheritance;
  }

  /** Adds a tree that was copied for this state; no call that fails takes that back. */
  void install(CohortTreeState part) {
    undo.keep(() -> {
      forest.add(part.tree());
      part.queues().forEach((name, queue) -> {
        queues.put(name, queue);
        states.put(queue.quota(), queue);
        pending.add(queue);
      });
      part.reserving().values().forEach(records -> records.forEach(this::add));
    });
  }

  /** {@return what takes back the ids of names that are not used any more} */
  NameRecycling recycling() {
    return recycling;
  }

  /** Adds the ids that it refers to, and forgets what it has only remembered to save time. */
  void addIds(IdsInUse inUse) {
    configuration.addIds(inUse);
    forest.addIds(inUse);
    compiler.addIds(
        Iterables.transform(workloads.all(), record -> {
          if (record.candidate != null) {
            record.candidate.addIds(inUse);
          }
          return record.compiled();
        }),
        inUse);
    queues.values().forEach(queue -> queue.pending().addIdsOfRemembered(inUse));
  }

  /** {@return what the listener is to be told} */
  Announcements announcements() {
    return announcements;
  }

  /** {@return its division into parts} */
  Units units() {
    return units;
  }
}
