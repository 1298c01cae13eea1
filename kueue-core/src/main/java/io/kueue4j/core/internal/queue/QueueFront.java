package io.kueue4j.core.internal.queue;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.internal.versioned.Cell;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.WorkloadId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * All workloads of a ClusterQueue by priority, then time, of which the first are promised a start.
 * Empty unless starts are promised.
 *
 * <p>Rules: PS-1, PS-2.
 */
public final class QueueFront implements Iterable<PendingWorkload> {
  private final boolean isUsed;
  private final boolean fillsShortestFirst;
  private final VersionedSet<PendingWorkload> workloads;
  private final Cell<Integer> depth;

  QueueFront(Optional<Settings.Backfill> backfill, Journal journal) {
    this.isUsed = backfill.isPresent();
    this.fillsShortestFirst = isUsed && backfill.get().fillerOrder() == FillerOrder.SHORTEST_FIRST;
    this.workloads = new VersionedSet<>(journal, PendingWorkload::compareService);
    this.depth = new Cell<>(journal, 0);
  }

  /** {@return whether the others are tried by their durations} */
  boolean fillsShortestFirst() {
    return fillsShortestFirst;
  }

  /** Takes the workloads of another queue. */
  void share(QueueFront other) {
    workloads.share(other.workloads);
    depth.share(other.depth);
  }

  void add(PendingWorkload workload) {
    if (isUsed) {
      workloads.add(workload);
    }
  }

  void remove(PendingWorkload workload) {
    if (isUsed) {
      workloads.remove(workload);
    }
  }

  /** Sets how many of the first workloads are promised a start, in a queue that is not shared. */
  public void setDepth(int first) {
    depth.set(first);
  }

  /** {@return how many of the first workloads are promised a start} */
  public int depth() {
    return depth.get();
  }

  @Override
  public Iterator<PendingWorkload> iterator() {
    return workloads.iterator();
  }

  /** {@return whether the others are tried by their durations, and a workload is one of them} */
  boolean isFillerByDuration(PendingWorkload workload) {
    if (!fillsShortestFirst) {
      return false;
    }
    int before = 0;
    for (PendingWorkload earlier : workloads) {
      if (before++ == depth.get()) {
        return true;
      }
      if (earlier.equals(workload)) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return an order by which fillers follow the first workloads, by their durations}
   *
   * @param isStrict whether the head blocks all others, so that nothing fills
   */
  Comparator<PendingWorkload> fillerOrder(boolean isStrict) {
    boolean isByDuration = fillsShortestFirst && !isStrict;
    Set<WorkloadId> first = isByDuration ? first() : Set.of();
    return Comparator.comparingLong(workload ->
        !isByDuration || first.contains(workload.id()) ? 0 : workload.compiled().expectedMillis());
  }

  private Set<WorkloadId> first() {
    Set<WorkloadId> first = new HashSet<>();
    for (PendingWorkload workload : workloads) {
      if (first.size() == depth.get()) {
        break;
      }
      first.add(workload.id());
    }
    return first;
  }
}
