package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of an engine, indexed by id and by the objects that they refer to.
 *
 * <p>In a fork, look-ups by id load the parts that they find. Not thread-safe.
 *
 * <p>Rules: E-8, M-23.
 */
public final class WorkloadStore {
  public static final Comparator<WorkloadRecord> BY_ID =
      Comparator.comparing(record -> record.workload().id());

  private final Map<WorkloadId, WorkloadRecord> records = new HashMap<>();

  /**
   * By the LocalQueue that they name; null until there are workloads to find, since most forks, and
   * engines whose configuration does not change, never need it.
   */
  private @Nullable Map<String, Set<WorkloadRecord>> ofLocalQueue;

  /** Elastic slices, by all names that identify their job. */
  private final Map<WorkloadId, Set<WorkloadRecord>> slices = new HashMap<>();

  /** The workloads with a failed node that has not been replaced yet. */
  private final VersionedSet<WorkloadId> failed;

  private final StateContext context;
  private final Configuration configuration;
  private final WorkloadCompiler compiler;

  /**
   * Creates an empty store.
   *
   * @param failed the workloads that are marked as failed when they are loaded
   */
  WorkloadStore(StateContext context, Configuration configuration, Collection<WorkloadId> failed) {
    this.context = context;
    this.configuration = configuration;
    this.failed = new VersionedSet<>(context.journal(), failed);
    Settings settings = context.settings();
    this.compiler = new WorkloadCompiler(
        context.catalog(),
        settings.isEnabled(FeatureGate.RECLAIMABLE_PODS),
        settings.isEnabled(FeatureGate.CONCURRENT_ADMISSION),
        settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING),
        settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME));
  }

  // ----- by id

  /** {@return the workload of that id, null if it is unknown or not loaded} */
  @Nullable
  public WorkloadRecord loaded(WorkloadId id) {
    return records.get(id);
  }

  /** {@return the workload of that id, null if it is unknown} */
  @Nullable
  public WorkloadRecord get(WorkloadId id) {
    WorkloadRecord known = records.get(id);
    if (known == null) {
      context.loader().takePartOf(id);
      known = records.get(id);
    }
    return known;
  }

  /** {@return the submitted workload of that id, null if there is none; variants are excluded} */
  @Nullable
  WorkloadRecord submitted(WorkloadId id) {
    return VariantNames.isVariant(id) ? null : get(id);
  }

  /**
   * {@return the workload of that id}
   *
   * @throws IllegalArgumentException if there is none
   */
  WorkloadRecord require(WorkloadId id) {
    return require(get(id), id);
  }

  /**
   * {@return the submitted workload of that id; variants are excluded}
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

  /** {@return the number of submitted workloads that have not left} */
  public int submittedCount() {
    context.loader().takeAll();
    return (int) records.values().stream().filter(record -> !record.isVariant()).count();
  }

  /** {@return all loaded workloads, in no particular order} */
  public Collection<WorkloadRecord> all() {
    return Collections.unmodifiableCollection(records.values());
  }

  /** Adds a workload that already has its place: holding quota, pending, or neither. */
  void add(WorkloadRecord record) {
    context.changes().tracker().beforeAdding(record);
    context.changes().inverse(WorkloadStore::forget, this, record);
    put(record);
  }

  /** Adds a workload that was loaded, which does not count as a change. */
  void install(WorkloadRecord record) {
    put(record);
  }

  private void put(WorkloadRecord record) {
    records.put(record.workload().id(), record);
    if (ofLocalQueue != null) {
      index(record, ofLocalQueue);
    }
    for (WorkloadId name : jobNames(record.workload())) {
      slices.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(record);
    }
  }

  private static void index(WorkloadRecord record, Map<String, Set<WorkloadRecord>> index) {
    index
        .computeIfAbsent(record.localQueueKey(), unused -> new LinkedHashSet<>())
        .add(record);
  }

  /** Removes a workload, whose content must be that with which it was added. */
  void remove(WorkloadRecord record) {
    context.changes().before(record);
    context.changes().inverse(WorkloadStore::put, this, record);
    forget(record);
  }

  private void forget(WorkloadRecord record) {
    records.remove(record.workload().id());
    if (ofLocalQueue != null) {
      removeFrom(ofLocalQueue, record.localQueueKey(), record);
    }
    for (WorkloadId name : jobNames(record.workload())) {
      removeFrom(slices, name, record);
    }
  }

  private static <K> void removeFrom(
      Map<K, Set<WorkloadRecord>> index, K key, WorkloadRecord record) {
    Set<WorkloadRecord> members = index.get(key);
    if (members != null && members.remove(record) && members.isEmpty()) {
      index.remove(key);
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
        for (WorkloadRecord slice : slices.getOrDefault(name, Set.of())) {
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
    Map<String, Set<WorkloadRecord>> index = ofLocalQueue;
    if (index == null) {
      if (records.isEmpty()) {
        return List.of();
      }
      index = new HashMap<>();
      for (WorkloadRecord record : records.values()) {
        index(record, index);
      }
      ofLocalQueue = index;
    }
    return sorted(index.getOrDefault(key, Set.of()).stream());
  }

  /** {@return the workloads that name a WorkloadPriorityClass, by id} */
  public List<WorkloadRecord> ofPriorityClass(String name) {
    return sorted(records.values().stream()
        .filter(record -> record.workload().priorityClass().equals(Optional.of(name))));
  }

  private static List<WorkloadRecord> sorted(Stream<WorkloadRecord> found) {
    return found.sorted(BY_ID).toList();
  }

  // ----- content

  /** {@return a record of {@code workload}, which is not added} */
  WorkloadRecord newRecord(Workload workload, Instant now) {
    return new WorkloadRecord(compile(workload), now, context.changes());
  }

  /** {@return the compiled workload, which need not be in the store} */
  public CompiledWorkload compile(Workload workload) {
    return compiler.compile(workload, configuration.effectivePriority(workload));
  }

  /** Replaces the content of a workload. */
  void change(WorkloadRecord record, Workload workload) {
    remove(record);
    record.change(compile(workload));
    add(record);
  }

  /**
   * {@return the ClusterQueue whose quota a workload holds, otherwise the one of its LocalQueue,
   * which need not exist}
   */
  public Optional<String> clusterQueueOf(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    return reservation != null
        ? Optional.of(reservation.queue().name())
        : configuration.localQueue(record.localQueueKey()).map(LocalQueue::clusterQueue);
  }

  /** {@return the workloads that hold quota of a ClusterQueue, in no particular order} */
  List<WorkloadRecord> reserving(QueueState queue) {
    List<QuotaHolder> holders = queue.quota().holders();
    List<WorkloadRecord> found = new ArrayList<>(holders.size());
    for (QuotaHolder holder : holders) {
      WorkloadRecord record = records.get(holder.workload().source().id());
      if (record != null) {
        found.add(record);
      }
    }
    return found;
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
    return ImmutableSortedSet.copyOfSorted(failed.all());
  }
}
