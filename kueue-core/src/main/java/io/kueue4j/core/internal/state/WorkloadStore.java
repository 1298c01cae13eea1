package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.state.WorkloadRecord.FailedNode;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedMultimap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of an engine, indexed by id and by the objects that they refer to.
 *
 * <p>Forks share the rows of workloads; each state has records of its own, created when they are
 * looked up. Not thread-safe.
 *
 * <p>Rules: E-8, M-23.
 */
public final class WorkloadStore {
  public static final Comparator<WorkloadRecord> BY_ID =
      Comparator.comparing(record -> record.workload().id());

  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadCompiler compiler;

  /** What is known of each workload, except of those in {@link #changed}. */
  private final VersionedMap<WorkloadId, WorkloadRecord.Row> rows;

  /**
   * The records that are new or whose rows have changed since the last fork, which stores the rows:
   * once, and not with each change.
   */
  private final List<WorkloadRecord> changed = new ArrayList<>();

  /** The records of the workloads that were looked up since the state was forked. */
  private final Map<WorkloadId, WorkloadRecord> records = new HashMap<>();

  /**
   * By the LocalQueue that they name; null until there are workloads to find, since most forks, and
   * engines whose configuration does not change, never need it.
   */
  private @Nullable Map<String, Set<WorkloadId>> ofLocalQueue;

  /** Elastic slices, by all names that identify their job. */
  private final VersionedMultimap<WorkloadId, WorkloadId> slices;

  /** The workloads with a failed node that has not been replaced yet. */
  private final VersionedSet<WorkloadId> failed;

  /** Creates an empty store. */
  WorkloadStore(StateContext context, Configuration configuration, QueueStore queues) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.rows = new VersionedMap<>(context.journal());
    this.slices = new VersionedMultimap<>(context.journal());
    this.failed = VersionedSet.inNaturalOrder(context.journal());
    this.compiler = new WorkloadCompiler(context.catalog(), context.settings());
  }

  /** Takes the workloads of another state. */
  void share(WorkloadStore origin) {
    origin.storeRows();
    rows.share(origin.rows);
    slices.share(origin.slices);
    failed.share(origin.failed);
  }

  Journal journal() {
    return context.journal();
  }

  /** Notes that the row of a record has changed. */
  void noteChanged(WorkloadRecord record) {
    changed.add(record);
    record.setChangedAt(changed.size() - 1);
  }

  /** Forgets a record that is removed. */
  void forgetChanged(WorkloadRecord record) {
    WorkloadRecord last = changed.remove(changed.size() - 1);
    if (last != record) {
      changed.set(record.changedAt(), last);
      last.setChangedAt(record.changedAt());
    }
    record.setChangedAt(-1);
  }

  private void storeRows() {
    while (!changed.isEmpty()) {
      WorkloadRecord record = changed.get(changed.size() - 1);
      rows.setUnrecorded(record.workload().id(), record.row());
      forgetChanged(record);
    }
  }

  QueueState queue(String name) {
    return queues.require(name);
  }

  // ----- by id

  /** {@return the workload of that id, null if it is unknown} */
  @Nullable
  public WorkloadRecord get(WorkloadId id) {
    WorkloadRecord known = records.get(id);
    if (known == null) {
      WorkloadRecord.Row row = rows.get(id);
      if (row != null) {
        known = new WorkloadRecord(this, row, true);
        records.put(id, known);
      }
    }
    return known;
  }

  /**
   * {@return the workload of that id}
   *
   * @throws IllegalArgumentException if there is none
   */
  WorkloadRecord require(WorkloadId id) {
    return require(get(id), id);
  }

  /** {@return the record of a pending workload; without a search, unless a fork has queued it} */
  WorkloadRecord recordOf(PendingWorkload pending) {
    WorkloadRecord known = (WorkloadRecord) pending.record();
    return known.isOf(this) ? known : require(pending.id());
  }

  static WorkloadRecord require(@Nullable WorkloadRecord record, WorkloadId id) {
    checkArgument(record != null, "workload %s is not known; submit it first", id);
    return record;
  }

  /** {@return the number of submitted workloads that have not left} */
  public int submittedCount() {
    return (int) ids().filter(id -> !VariantNames.isVariant(id)).count();
  }

  /** {@return all workloads, in no particular order} */
  public List<WorkloadRecord> all() {
    return ids().map(this::require).toList();
  }

  private Stream<WorkloadId> ids() {
    storeRows();
    return rows.keys().stream();
  }

  /** Adds a workload that already has its place: holding quota, pending, or neither. */
  void add(WorkloadRecord record) {
    journal().add(WorkloadStore::forget, this, record);
    put(record);
    setSlice(record, true);
  }

  /** Removes a workload, whose content must be that with which it was added. */
  void remove(WorkloadRecord record) {
    journal().add(WorkloadStore::put, this, record);
    forget(record);
    setSlice(record, false);
  }

  private void put(WorkloadRecord record) {
    record.setAdded(true);
    records.put(record.workload().id(), record);
    if (ofLocalQueue != null) {
      index(record.localQueueKey(), record.workload().id(), ofLocalQueue);
    }
  }

  private void forget(WorkloadRecord record) {
    WorkloadId id = record.workload().id();
    record.setAdded(false);
    rows.setUnrecorded(id, null);
    records.remove(id);
    if (ofLocalQueue != null) {
      Set<WorkloadId> members = ofLocalQueue.get(record.localQueueKey());
      if (members != null && members.remove(id) && members.isEmpty()) {
        ofLocalQueue.remove(record.localQueueKey());
      }
    }
  }

  private static void index(String key, WorkloadId id, Map<String, Set<WorkloadId>> index) {
    index.computeIfAbsent(key, unused -> new HashSet<>()).add(id);
  }

  private void setSlice(WorkloadRecord record, boolean present) {
    for (WorkloadId name : jobNames(record.workload())) {
      slices.set(name, record.workload().id(), present);
    }
  }

  /** {@return the elastic slices of the job of {@code workload}, by id} */
  public List<WorkloadRecord> slicesOfJob(Workload workload) {
    Set<WorkloadId> names = new HashSet<>();
    Set<WorkloadRecord> found = new LinkedHashSet<>();
    Deque<WorkloadId> next = new ArrayDeque<>(jobNames(workload));
    while (!next.isEmpty()) {
      WorkloadId name = next.remove();
      if (names.add(name)) {
        for (WorkloadId id : slices.get(name)) {
          WorkloadRecord slice = require(id);
          if (found.add(slice)) {
            next.addAll(jobNames(slice.workload()));
          }
        }
      }
    }
    return sorted(found.stream());
  }

  /**
   * {@return its id, the slice name that all slices of the job share, and the id of the slice that
   * it replaces}
   */
  private static List<WorkloadId> jobNames(Workload workload) {
    Optional<WorkloadId> replaced = workload.replaces();
    if (!workload.elastic() && replaced.isEmpty()) {
      return List.of();
    }
    List<WorkloadId> names = new ArrayList<>();
    names.add(workload.id());
    workload.sliceName().ifPresent(name -> names.add(WorkloadId.of(workload.namespace(), name)));
    replaced.filter(slice -> slice.namespace().equals(workload.namespace())).ifPresent(names::add);
    return names;
  }

  /** {@return the workloads that name a LocalQueue, by id} */
  public List<WorkloadRecord> ofLocalQueue(String key) {
    Map<String, Set<WorkloadId>> index = ofLocalQueue;
    if (index == null) {
      List<WorkloadRecord> all = all();
      if (all.isEmpty()) {
        return List.of();
      }
      index = new HashMap<>();
      for (WorkloadRecord record : all) {
        index(record.localQueueKey(), record.workload().id(), index);
      }
      ofLocalQueue = index;
    }
    return sorted(index.getOrDefault(key, Set.of()).stream().map(this::require));
  }

  /** {@return the workloads that name a WorkloadPriorityClass, by id} */
  public List<WorkloadRecord> ofPriorityClass(String name) {
    return sorted(all().stream()
        .filter(record -> record.workload().priorityClass().equals(Optional.of(name))));
  }

  private static List<WorkloadRecord> sorted(Stream<WorkloadRecord> found) {
    return found.sorted(BY_ID).toList();
  }

  // ----- content

  /** {@return a record of {@code workload}, which is not added} */
  public WorkloadRecord newRecord(
      Workload workload, SortedMap<String, Integer> reclaimable, Instant now) {
    CompiledWorkload compiled = compile(workload, reclaimable);
    return new WorkloadRecord(
        this, new WorkloadRecord.Row(compiled, now, journal().moment()), false);
  }

  /** {@return the compiled workload, which need not be in the store} */
  public CompiledWorkload compile(Workload workload, SortedMap<String, Integer> reclaimable) {
    return compiler.compile(workload, reclaimable, configuration.effectivePriority(workload));
  }

  /** {@return a workload compiled with the reclaimable pods of {@code record}} */
  public CompiledWorkload compile(Workload workload, WorkloadRecord record) {
    return compile(workload, record.compiled().reclaimablePods());
  }

  /** Replaces the content of a workload. */
  void change(WorkloadRecord record, CompiledWorkload changed) {
    remove(record);
    record.change(changed);
    add(record);
  }

  /**
   * {@return the ClusterQueue whose quota a workload holds, otherwise the one of its LocalQueue,
   * which need not exist}
   */
  public Optional<String> clusterQueueOf(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    return reservation != null
        ? Optional.of(reservation.clusterQueue())
        : configuration.localQueue(record.localQueueKey()).map(LocalQueue::clusterQueue);
  }

  /** {@return the workloads that hold quota of a ClusterQueue, in no particular order} */
  public List<WorkloadRecord> reserving(QueueState queue) {
    return queue.quota().holders().stream()
        .map(holder -> get(holder.id()))
        .filter(Objects::nonNull)
        .toList();
  }

  // ----- failed nodes

  /** Records the failed node of a workload, or null to clear it. */
  public void markFailed(WorkloadRecord record, @Nullable FailedNode node) {
    if (!Objects.equals(node, record.failure())) {
      record.setFailure(node);
      failed.set(record.workload().id(), node != null);
    }
  }

  /** {@return whether {@link #failed} has any} */
  public boolean hasFailed() {
    return !failed.isEmpty();
  }

  /** {@return the workloads with a failed node that has not been replaced yet} */
  public ImmutableSortedSet<WorkloadId> failed() {
    return ImmutableSortedSet.copyOf(failed);
  }
}
