package io.kueue4j.core;

import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.support.UndoLog;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that an engine knows, by id and by what they name.
 *
 * <p>Rules: E-8.
 */
final class WorkloadIndex {
  static final Comparator<WorkloadRecord> BY_ID =
      Comparator.comparing(record -> record.workload().id());

  private final Map<WorkloadId, WorkloadRecord> records = new HashMap<>();

  /**
   * By the LocalQueue that they name; null until somebody asks, which in most forks nobody does.
   */
  private @Nullable Map<String, Set<WorkloadRecord>> ofLocalQueue;

  /** Slices of elastic jobs, by all names that tell which job it is. */
  private final Map<WorkloadId, Set<WorkloadRecord>> slices = new HashMap<>();

  private final UndoLog undo;

  WorkloadIndex(UndoLog undo) {
    this.undo = undo;
  }

  @Nullable
  WorkloadRecord get(WorkloadId id) {
    return records.get(id);
  }

  /** {@return all of them, in no order that matters} */
  Collection<WorkloadRecord> all() {
    return Collections.unmodifiableCollection(records.values());
  }

  void add(WorkloadRecord record) {
    undo.add(() -> remove(record));
    records.put(record.workload().id(), record);
    if (ofLocalQueue != null) {
      put(record, ofLocalQueue);
    }
    for (WorkloadId name : jobNames(record.workload())) {
      slices.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(record);
    }
  }

  private static void put(WorkloadRecord record, Map<String, Set<WorkloadRecord>> index) {
    index
        .computeIfAbsent(record.localQueueKey(), unused -> new LinkedHashSet<>())
        .add(record);
  }

  /** Forgets a workload, whose content is still that with which it was added. */
  void remove(WorkloadRecord record) {
    undo.add(() -> add(record));
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
  List<WorkloadRecord> slicesOfJob(Workload workload) {
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
  List<WorkloadRecord> ofLocalQueue(String key) {
    Map<String, Set<WorkloadRecord>> index = ofLocalQueue;
    if (index == null) {
      index = new HashMap<>();
      for (WorkloadRecord record : records.values()) {
        put(record, index);
      }
      ofLocalQueue = index;
    }
    return sorted(index.getOrDefault(key, Set.of()).stream());
  }

  /** {@return the workloads that name a WorkloadPriorityClass, by id} */
  List<WorkloadRecord> ofPriorityClass(String name) {
    return sorted(records.values().stream()
        .filter(record -> record.workload().priorityClass().equals(Optional.of(name))));
  }

  private static List<WorkloadRecord> sorted(Stream<WorkloadRecord> found) {
    return found.sorted(BY_ID).toList();
  }
}
