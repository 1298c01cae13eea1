package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The promised starts, and in which trees of cohorts something has changed since they were planned.
 *
 * <p>Rules: PS-1, PS-6.
 */
public final class Promises {
  private static final Comparator<PromisedStart> ORDER =
      Comparator.comparingLong(PromisedStart::startMillis).thenComparing(PromisedStart::id);

  /** How long after the promised start a workload that has not started is planned anew. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final boolean isUsed;
  private final VersionedMap<WorkloadId, PromisedStart> byWorkload;
  private final VersionedSet<PromisedStart> inOrder;

  /** The promised starts; of those that are over, when the workload counts as late. */
  private final Timers<WorkloadId> deadlines;

  /** The names of the trees in which promises must be planned anew. */
  private final VersionedSet<String> changedTrees;

  /** The ClusterQueues in which further workloads may be promised a start. */
  private final VersionedSet<String> unsettled;

  Promises(StateContext context) {
    this.isUsed = context.settings().backfill().isPresent();
    this.byWorkload = new VersionedMap<>(context.journal());
    this.inOrder = new VersionedSet<>(context.journal(), ORDER);
    this.deadlines = new Timers<>(context.journal());
    this.changedTrees = VersionedSet.inNaturalOrder(context.journal());
    this.unsettled = VersionedSet.inNaturalOrder(context.journal());
  }

  /** Takes the promises of another state. */
  void share(Promises origin) {
    byWorkload.share(origin.byWorkload);
    inOrder.share(origin.inOrder);
    deadlines.share(origin.deadlines);
    changedTrees.share(origin.changedTrees);
    unsettled.share(origin.unsettled);
  }

  /** {@return whether the settings let starts be promised} */
  public boolean isUsed() {
    return isUsed;
  }

  /** {@return whether no start is promised} */
  public boolean isEmpty() {
    return byWorkload.isEmpty();
  }

  /** {@return the promise of a workload, null if there is none} */
  public @Nullable PromisedStart of(WorkloadId workload) {
    return byWorkload.isEmpty() ? null : byWorkload.get(workload);
  }

  /** {@return all promises by start, then by workload} */
  public List<PromisedStart> all() {
    return inOrder.isEmpty() ? List.of() : inOrder.toList();
  }

  /** Promises a start, or changes what was promised. */
  public void set(PromisedStart promise, Instant now) {
    PromisedStart before = byWorkload.set(promise.id(), promise);
    if (before != null) {
      inOrder.remove(before);
    }
    inOrder.add(promise);
    Instant start = Instant.ofEpochMilli(promise.startMillis());
    deadlines.set(promise.id(), start.isAfter(now) ? start : TimeMath.saturatedAdd(start, GRACE));
  }

  /** Forgets what a workload was promised; returns whether it was promised a start. */
  public boolean remove(WorkloadId workload) {
    PromisedStart promise = of(workload);
    if (promise == null) {
      return false;
    }
    byWorkload.set(workload, null);
    inOrder.remove(promise);
    unsettled.add(promise.clusterQueue());
    deadlines.set(workload, null);
    return true;
  }

  /** {@return the next time at which a promised workload starts or counts as late} */
  public Optional<Instant> nextDeadline() {
    return deadlines.next();
  }

  /**
   * {@return the promises whose workloads have not started in time} Those that start now count as
   * late after a moment.
   */
  public List<PromisedStart> late(Instant now) {
    List<PromisedStart> late = new ArrayList<>();
    for (WorkloadId id : deadlines.due(now)) {
      PromisedStart promise = Objects.requireNonNull(byWorkload.get(id));
      if (TimeMath.saturatedAdd(Instant.ofEpochMilli(promise.startMillis()), GRACE)
          .isAfter(now)) {
        // It starts now.
        set(promise, now);
      } else {
        late.add(promise);
      }
    }
    return late;
  }

  /** Records that something has changed in a tree of cohorts. */
  public void changed(String tree) {
    if (isUsed && !byWorkload.isEmpty()) {
      changedTrees.add(tree);
    }
  }

  /** Records that further workloads of a ClusterQueue may be promised a start. */
  public void setUnsettled(String queue) {
    if (isUsed) {
      unsettled.add(queue);
    }
  }

  /** {@return the ClusterQueues in which further workloads may be promised a start} */
  public List<String> unsettled() {
    return unsettled.isEmpty() ? List.of() : unsettled.toList();
  }

  /** Records that all workloads of a ClusterQueue have what they may be promised. */
  public void settled(String queue) {
    unsettled.remove(queue);
  }

  /** {@return the trees in which something has changed since the last call} */
  public List<String> takeChanged() {
    if (changedTrees.isEmpty()) {
      return List.of();
    }
    List<String> changed = changedTrees.toList();
    changed.forEach(changedTrees::remove);
    return changed;
  }
}
