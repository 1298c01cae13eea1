package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.IdsInUse;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.QuotaHolder;
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
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that an engine knows, by id and by what they name.
 *
 * <p>In a fork, look-ups by id load what they find. Not safe for several threads.
 *
 * <p>Rules: E-8, M-23.
 */
public final class WorkloadStore {
  public static final Comparator<WorkloadRecord> BY_ID =
      Comparator.comparing(record -> record.workload().id());

  private final Map<WorkloadId, WorkloadRecord> records = new HashMap<>();

  /**
   * By the LocalQueue that they name; null until somebody asks, which in most forks nobody does.
   */
  private @Nullable Map<String, Set<WorkloadRecord>> ofLocalQueue;

  /** Slices of elastic jobs, by all names that tell which job it is. */
  private final Map<WorkloadId, Set<WorkloadRecord>> slices = new HashMap<>();

  /** The workloads of which a node has failed that is not replaced yet. */
  private final NavigableSet<WorkloadId> failed = new TreeSet<>();

  private final StateContext context;
  private final Configuration configuration;
  private final WorkloadCompiler compiler;

  /**
   * Creates a store that knows no workload.
   *
   * @param failed the workloads that are marked as failed when they are loaded
   */
  WorkloadStore(StateContext context, Configuration configuration, Collection<WorkloadId> failed) {
    this.context = context;
    this.configuration = configuration;
    this.failed.addAll(failed);
    Settings settings = context.settings();
    this.compiler = new WorkloadCompiler(
        context.catalog(),
        settings.isEnabled(FeatureGate.RECLAIMABLE_PODS),
        settings.isEnabled(FeatureGate.CONCURRENT_ADMISSION),
        settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING));
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

  /** {@return the workload of that id that a caller may know of, which variants are not} */
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

  /** {@return how many workloads were submitted and have not left} */
  public int submittedCount() {
    context.loader().takeAll();
    return (int) records.values().stream().filter(record -> !record.isVariant()).count();
  }

  /** {@return all that are loaded, in no order that matters} */
  public Collection<WorkloadRecord> all() {
    return Collections.unmodifiableCollection(records.values());
  }

  /** Adds a workload that is where it belongs already: holding quota, pending, or neither. */
  void add(WorkloadRecord record) {
    context.changes().tracker().beforeAdding(record);
    context.changes().inverse(() -> forget(record));
    put(record);
  }

  /** Adds a workload that was loaded, which is no change. */
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

  /** Forgets a workload, whose content is still that with which it was added. */
  void remove(WorkloadRecord record) {
    context.changes().before(record);
    context.changes().inverse(() -> put(record));
    forget(record);
  }

  private void forget(WorkloadRecord record) {
    records.remove(record.workload().id());
    if (ofLocalQueue != null) {
      ofLocalQueue.computeIfPresent(record.localQueueKey(), (key, members) -> {
        members.remove(record);
        return members.isEmpty() ? null : members;
      });
    }
    for (WorkloadId name : jobNames(record.workload())) {
      slices.computeIfPresent(name, (key, members) -> {
        members.remove(record);
        return members.isEmpty() ? null : members;
      });
    }
  }

  /** {@return the slices of the elastic job of {@code workload}, by id} */
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

  /** {@return its name, that which all slices share, and that of what it replaces} */
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

  /** {@return the workload compiled, which need not be known} */
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
   * {@return the ClusterQueue whose quota a workload holds, else the one that its LocalQueue leads
   * to, which need not exist}
   */
  public Optional<String> clusterQueueOf(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    return reservation != null
        ? Optional.of(reservation.queue().name())
        : configuration.localQueue(record.localQueueKey()).map(LocalQueue::clusterQueue);
  }

  /** {@return the workloads that hold quota of a ClusterQueue, in no order that matters} */
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

  /** Notes that a node of a workload has failed, or with null that none has any more. */
  public void markFailed(WorkloadRecord record, @Nullable FailedNode node) {
    if (!Objects.equals(node, record.failure())) {
      record.setFailure(node);
      WorkloadId id = record.workload().id();
      if (node == null ? failed.remove(id) : failed.add(id)) {
        context.changes().inverse(node == null ? () -> failed.add(id) : () -> failed.remove(id));
      }
    }
  }

  /** {@return the workloads of which a node has failed that is not replaced yet} */
  public ImmutableSortedSet<WorkloadId> failed() {
    return ImmutableSortedSet.copyOfSorted(failed);
  }

  // ----- ids

  /** Adds the ids that it refers to, and forgets what it has only remembered to save time. */
  void addIds(IdsInUse inUse) {
    compiler.addIds(
        Iterables.transform(records.values(), record -> {
          Head candidate = record.candidate();
          if (candidate != null) {
            candidate.addIds(inUse);
          }
          return record.compiled();
        }),
        inUse);
  }
}
