package io.kueue4j.core;

import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.compiled.WorkloadCompiler;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.FlavorTable;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.quota.Forest;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that an engine knows, and the elementary changes to it. Not safe for several threads.
 *
 * <p>Rules: U-1, U-16, U-17a, U-19, U-21, Q-20, M-15, M-23.
 */
final class EngineState {
  private final Settings settings;
  private final Catalog catalog = new Catalog();
  private final Forest forest = new Forest(catalog);
  private final Configuration configuration;
  private final WorkloadCompiler compiler;
  private final TreeMap<String, QueueState> queues = new TreeMap<>();
  private final Map<QueueQuota, QueueState> states = new HashMap<>();
  private final Map<WorkloadId, WorkloadRecord> records = new HashMap<>();
  private final Map<String, Set<WorkloadRecord>> recordsOfLocalQueue = new HashMap<>();
  private final Map<String, Set<WorkloadRecord>> reserving = new HashMap<>();

  /** One queue of each tree with a requeue event that has not been acted on. */
  private final List<QueueQuota> events = new ArrayList<>();

  private final Set<QuotaTree> treesWithEvents = new HashSet<>();

  EngineState(Settings settings) {
    this.settings = settings;
    this.configuration =
        new Configuration(new FlavorTable(catalog), settings.isEnabled(FeatureGate.PRIORITY_BOOST));
    this.compiler = new WorkloadCompiler(catalog, settings.isEnabled(FeatureGate.RECLAIMABLE_PODS));
  }

  Settings settings() {
    return settings;
  }

  Catalog catalog() {
    return catalog;
  }

  Forest forest() {
    return forest;
  }

  Configuration configuration() {
    return configuration;
  }

  Collection<QueueState> queues() {
    return queues.values();
  }

  Optional<QueueState> queue(String name) {
    return Optional.ofNullable(queues.get(name));
  }

  QueueState addQueue(QueueQuota quota) {
    return queues.computeIfAbsent(quota.name(), name -> {
      reserving.put(name, new LinkedHashSet<>());
      QueueState queue = new QueueState(
          quota, new PendingQueue(settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)));
      states.put(quota, queue);
      return queue;
    });
  }

  void removeQueue(QueueState queue) {
    queues.remove(queue.name());
    states.remove(queue.quota());
    reserving.remove(queue.name());
    forest.remove(queue.quota());
  }

  // ----- workloads

  @Nullable
  WorkloadRecord record(WorkloadId id) {
    return records.get(id);
  }

  int workloadCount() {
    return records.size();
  }

  /** {@return a record of {@code workload} that is not known to the state yet} */
  WorkloadRecord newRecord(Workload workload, Instant now) {
    return new WorkloadRecord(workload, compile(workload), now);
  }

  void add(WorkloadRecord record) {
    records.put(record.workload().id(), record);
    recordsOfLocalQueue
        .computeIfAbsent(record.localQueueKey(), unused -> new LinkedHashSet<>())
        .add(record);
  }

  void remove(WorkloadRecord record) {
    records.remove(record.workload().id());
    forgetLocalQueue(record);
    unqueue(record);
    record.reservation = null;
  }

  private void forgetLocalQueue(WorkloadRecord record) {
    recordsOfLocalQueue.computeIfPresent(record.localQueueKey(), (key, members) -> {
      members.remove(record);
      return members.isEmpty() ? null : members;
    });
  }

  Set<WorkloadRecord> recordsOfLocalQueue(String key) {
    return recordsOfLocalQueue.getOrDefault(key, Set.of());
  }

  List<WorkloadRecord> recordsOfPriorityClass(String name) {
    return records.values().stream()
        .filter(record -> record.workload().priorityClass().equals(Optional.of(name)))
        .sorted((a, b) -> a.workload().id().compareTo(b.workload().id()))
        .toList();
  }

  /**
   * Replaces the content of a workload; a pending one is looked at again, what another holds is
   * charged anew.
   */
  void change(WorkloadRecord record, Workload workload, Instant now) {
    forgetLocalQueue(record);
    record.change(workload, compile(workload));
    add(record);
    Reservation reservation = record.reservation;
    if (reservation != null) {
      renew(record, reservation);
      return;
    }
    Candidate old = record.candidate;
    boolean stays = old != null && target(record).equals(Optional.of(old.queue()));
    if (old != null && stays && isQueueable(record)) {
      Candidate changed = candidate(record, old.queue());
      old.queue().pending().replace(old, changed, now);
      record.candidate = changed;
      if (keepsProgress(old, changed)) {
        changed.setProgress(old.progress());
      }
    } else {
      unqueue(record);
      enqueue(record, now);
    }
  }

  private boolean keepsProgress(Candidate old, Candidate changed) {
    return settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        && (!settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
            || old.compiled().shape().equals(changed.compiled().shape()));
  }

  private CompiledWorkload compile(Workload workload) {
    return compiler.compile(workload, configuration.effectivePriority(workload));
  }

  // ----- queues

  /** {@return the workloads pending in {@code queue}} */
  List<WorkloadRecord> workloadsQueuedIn(QueueState queue) {
    return records.values().stream()
        .filter(record -> record.candidate != null && record.candidate.queue().equals(queue))
        .toList();
  }

  /** {@return the queue that a workload belongs to, if its LocalQueue is open and both exist} */
  Optional<QueueState> target(WorkloadRecord record) {
    return configuration
        .openLocalQueue(record.localQueueKey())
        .map(LocalQueue::clusterQueue)
        .flatMap(this::queue);
  }

  boolean isQueueable(WorkloadRecord record) {
    return record.reservation == null && record.workload().active() && !isGated(record.workload());
  }

  boolean isGated(Workload workload) {
    return settings.isEnabled(FeatureGate.ADMISSION_GATED_BY)
        && !workload.admissionGates().isEmpty();
  }

  /** Puts a workload into its queue, if it may be queued and is not. */
  void enqueue(WorkloadRecord record, Instant now) {
    if (record.candidate != null || !isQueueable(record)) {
      return;
    }
    target(record).ifPresent(queue -> {
      Candidate candidate = candidate(record, queue);
      record.candidate = candidate;
      queue.pending().push(candidate, now);
    });
  }

  Candidate candidate(WorkloadRecord record, QueueState queue) {
    return new Candidate(record.compiled(), queueTimeMillis(record), queue);
  }

  /** {@return the time that a workload is ordered by among pending ones} */
  long queueTimeMillis(WorkloadRecord record) {
    return record.queueTimeMillis(!settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT));
  }

  void unqueue(WorkloadRecord record) {
    Candidate candidate = record.candidate;
    if (candidate != null) {
      candidate.queue().pending().leave(candidate);
      record.candidate = null;
    }
  }

  // ----- quota

  /** Gives {@code record} what {@code admission} says, whether there is room or not. */
  void reserve(WorkloadRecord record, QueueState queue, Admission admission) {
    unqueue(record);
    record.clearPreempted();
    hold(record, queue, admission);
  }

  /** Gives {@code record} what was just decided for it. */
  void reserve(
      WorkloadRecord record, QueueState queue, Admission admission, Assignment assignment) {
    boolean reclaims = settings.isEnabled(FeatureGate.RECLAIMABLE_PODS)
        && !record.workload().reclaimablePods().isEmpty();
    if (reclaims) {
      // Fewer pods may need quota than were admitted.
      reserve(record, queue, admission);
      return;
    }
    unqueue(record);
    record.clearPreempted();
    hold(record, Reservation.of(queue, admission, record, queueTimeMillis(record), assignment));
  }

  /** Charges what {@code record} holds anew, as the workload is now; told to stop stays told. */
  private void renew(WorkloadRecord record, Reservation old) {
    old.queue().quota().remove(old.holder());
    Reservation renewed = hold(record, old.queue(), old.admission());
    if (old.holder().isEvicted()) {
      renewed.holder().evict(queueTimeMillis(record));
    }
  }

  private Reservation hold(WorkloadRecord record, QueueState queue, Admission admission) {
    Reservation reservation = Reservation.of(
        queue,
        admission,
        record,
        queueTimeMillis(record),
        settings.isEnabled(FeatureGate.RECLAIMABLE_PODS),
        catalog);
    forest.ensureColumns(queue.quota(), reservation.holder().pairs());
    return hold(record, reservation);
  }

  private Reservation hold(WorkloadRecord record, Reservation reservation) {
    QueueState queue = reservation.queue();
    queue.quota().add(reservation.holder());
    record.reservation = reservation;
    reserving.getOrDefault(queue.name(), Set.of()).add(record);
    return reservation;
  }

  /** Takes back what {@code record} holds. */
  void release(WorkloadRecord record) {
    Reservation reservation = record.reservation;
    if (reservation != null) {
      reservation.queue().quota().remove(reservation.holder());
      reserving.getOrDefault(reservation.queue().name(), Set.of()).remove(record);
      record.reservation = null;
    }
  }

  /** {@return what holds quota of the queue, oldest first} */
  Set<WorkloadRecord> reserving(QueueState queue) {
    return reserving.getOrDefault(queue.name(), Set.of());
  }

  // ----- events

  /**
   * {@return the queue that something changes for when a workload does: the one whose quota it
   * holds, else the one that it is to wait in; none if its LocalQueue is stopped (U-17a)}
   */
  Optional<QueueQuota> eventQueue(WorkloadRecord record) {
    Reservation reservation = record.reservation;
    return reservation == null
        ? target(record).map(QueueState::quota)
        : configuration
            .openLocalQueue(record.localQueueKey())
            .map(unused -> reservation.queue().quota());
  }

  /** Notes that something changes for the queue of a workload. */
  void eventOf(WorkloadRecord record) {
    eventQueue(record).ifPresent(this::event);
  }

  /** Notes that something changed for a queue and all of its tree. */
  void event(QueueQuota queue) {
    if (treesWithEvents.add(queue.tree())) {
      events.add(queue);
    }
  }

  /**
   * Acts on the events noted so far. They may be noted and acted on apart, because nobody looks at
   * a queue in between, and several events of one tree are worth one.
   */
  void deliverEvents(Instant now) {
    for (QueueQuota source : events) {
      source.layout().forEachQueue(member -> {
        QueueState queue = states.get(member);
        if (queue == null) {
          return;
        }
        queue.pending().noteEvent();
        if (queue.pending().awaitsEvent()) {
          queue
              .pending()
              .requeueParked(
                  namespace -> configuration.mayUse(member.compiled().source(), namespace), now);
        }
      });
    }
    events.clear();
    treesWithEvents.clear();
  }
}
