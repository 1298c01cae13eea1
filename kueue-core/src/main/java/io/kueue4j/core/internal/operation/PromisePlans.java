package io.kueue4j.core.internal.operation;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.Nominator;
import io.kueue4j.core.internal.cycle.PromiseGuard.Query;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.promise.PromiseTimeline;
import io.kueue4j.core.internal.promise.PromisedStart;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans when waiting workloads may start, by what is known to end and what others are promised.
 *
 * <p>Rules: PS-3, PS-4, PS-11, PS-12.
 */
final class PromisePlans {
  private final EngineState state;
  private final Nominator nominator;
  private final AdmissionFactory factory;
  private final QueueingPreconditions obstacles;
  private final WindowPlans windows;
  private final long horizonMillis;

  /**
   * Creates the plans.
   *
   * @param horizon how far ahead a start may be planned
   */
  PromisePlans(
      EngineState state,
      Nominator nominator,
      AdmissionFactory factory,
      QueueingPreconditions obstacles,
      WindowPlans windows,
      Duration horizon) {
    this.state = state;
    this.nominator = nominator;
    this.factory = factory;
    this.obstacles = obstacles;
    this.windows = windows;
    this.horizonMillis = TimeMath.saturatedMillis(horizon);
  }

  /**
   * {@return when a head may start without delaying other promises, null if no start is in sight}
   *
   * @param ignored whose promises it may delay
   * @param kept how it has to fit, null if that does not matter
   * @param timeline all that is known to end and is promised in the tree of its queue
   */
  @Nullable
  PromisedStart plan(
      Head queued,
      Set<WorkloadId> ignored,
      @Nullable Assignment kept,
      PromiseTimeline timeline,
      Instant now) {
    WorkloadRecord record = WorkloadRecord.of(queued);
    if (obstacles.toNomination(queued) != null) {
      return null;
    }
    Head head = state.pending().newHead(record, queued.queue());
    QueueQuota queue = head.queue().quota();
    Set<WorkloadId> without = new HashSet<>(ignored);
    without.add(head.id());
    PromiseTimeline.Fit fit = timeline.earliest(
        without,
        window -> !WindowPlans.isFor(window, head.compiled(), queue.name()),
        head.compiled().expectedMillis(),
        LongMath.saturatedAdd(TimeMath.saturatedMillis(now), horizonMillis),
        start -> kept == null
            ? fitWithoutKeptNodes(head, start)
            : stillFits(head, queue, kept) ? kept : null,
        assignment -> stillFits(head, queue, assignment));
    return fit == null ? null : promised(record, head, fit);
  }

  private @Nullable Assignment fitWithoutKeptNodes(Head head, long startMillis) {
    return windows.withoutKeptNodes(
        head.compiled(),
        head.queue().quota(),
        startMillis,
        endMillis(head, startMillis),
        () -> nominator.fit(head));
  }

  /**
   * {@return how a head fits now beside all windows that it would meet, as if they had begun; null
   * if it does not, or meets none}
   */
  @Nullable
  Assignment besideWindows(Head head, Instant now) {
    QueueQuota queue = head.queue().quota();
    long start = TimeMath.saturatedMillis(now);
    List<CapacityWindow> met =
        windows.inTheWay(head.compiled(), queue, start, endMillis(head, start));
    if (met.isEmpty() || !head.compiled().source().replaces().isEmpty()) {
      return null;
    }
    QuotaTree tree = queue.tree();
    int checkpoint = tree.checkpoint();
    try {
      met.forEach(window -> windows.keptIn(tree, window, List.of()).open());
      return nominator.fit(head);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  /** {@return the promise that a head starts now, in that way} */
  PromisedStart claim(WorkloadRecord record, Head head, Assignment assignment, Instant now) {
    return promised(
            record, head, new PromiseTimeline.Fit(TimeMath.saturatedMillis(now), assignment, false))
        .asClaim();
  }

  private PromisedStart promised(WorkloadRecord record, Head head, PromiseTimeline.Fit fit) {
    Assignment assignment = fit.assignment();
    Admission admission = factory.admission(
        head, Attempt.admitted(assignment), Instant.ofEpochMilli(fit.startMillis()));
    QuotaHolder holder = state.reservations().expected(record, admission, assignment);
    return new PromisedStart(
        head.compiled(),
        admission,
        assignment,
        holder,
        fit.startMillis(),
        assignment.borrowLevel() > 0,
        fit.isBounded(),
        false,
        null);
  }

  static long endMillis(Head head, long startMillis) {
    return LongMath.saturatedAdd(startMillis, head.compiled().expectedMillis());
  }

  /** {@return whether a head fits in that way as things are} */
  boolean stillFits(Head head, QueueQuota queue, Assignment assignment) {
    for (int i = 0; i < assignment.usage().size(); i++) {
      if (assignment.usage().amount(i) > queue.available(assignment.usage().pair(i))) {
        return false;
      }
    }
    return assignment.places() == null
        || nominator.placer().firstMisplaced(head.compiled(), assignment.places()) < 0;
  }

  /**
   * {@return when a head would no longer fit beside the promised workloads and the windows,
   * although it still runs; negative if it always fits}
   *
   * @param query the head, with what it would hold from now on
   * @param promises the promises, the earliest first
   * @param met the windows that it would meet
   * @param end when it is expected to end
   */
  long firstMisfit(
      Query query, List<PromisedStart> promises, List<CapacityWindow> met, long end, Instant now) {
    Head head = query.head();
    QueueQuota queue = head.queue().quota();
    boolean meetsPromise = !promises.isEmpty() && promises.get(0).startMillis() < end;
    if (!meetsPromise && met.isEmpty()) {
      return -1;
    }
    return timeline(queue, query.assignment(), query.leaving(), promises, met, now)
        .firstMisfit(end, query.assignment(), found -> stillFits(head, queue, found));
  }

  /** {@return whether a promise may need what an assignment of a queue takes} */
  boolean mayMeet(PromisedStart promise, QueueQuota queue, Assignment assignment) {
    return isInTree(promise.clusterQueue(), queue.tree())
        || (assignment.places() != null && !promise.holder().footprint().isEmpty());
  }

  /**
   * {@return what is known to end, the promised starts and the windows}
   *
   * @param assignment what is asked about, null if nothing is known
   */
  private PromiseTimeline timeline(
      QueueQuota queue,
      @Nullable Assignment assignment,
      List<QuotaHolder> leaving,
      List<PromisedStart> promises,
      List<CapacityWindow> met,
      Instant now) {
    QuotaTree tree = queue.tree();
    PromiseTimeline timeline = new PromiseTimeline(tree, TimeMath.saturatedMillis(now));
    tree.layout().forEachQueue(member -> addEnds(timeline, member, member, leaving, now));
    boolean usesPlaces = assignment == null || assignment.places() != null;
    if (usesPlaces && state.usesPlaces()) {
      for (QueueState other : state.queues()) {
        if (other.quota().tree() != tree) {
          addEnds(timeline, other.quota(), null, leaving, now);
        }
      }
    }
    for (PromisedStart promise : promises) {
      timeline.addPromise(queueIn(promise, tree), promise);
    }
    for (CapacityWindow window : met) {
      timeline.addWindow(
          windows.keptIn(tree, window, leaving),
          TimeMath.saturatedMillis(window.start()),
          TimeMath.saturatedMillis(window.end()));
    }
    return timeline;
  }

  /** Adds the ends of the workloads of a queue, with their amounts if it is in the tree. */
  private void addEnds(
      PromiseTimeline timeline,
      QueueQuota queue,
      @Nullable QueueQuota inTree,
      List<QuotaHolder> leaving,
      Instant now) {
    for (QuotaHolder holder : queue.holders()) {
      boolean isRelevant = inTree != null || !holder.footprint().isEmpty();
      if (isRelevant && !queue.isSetAside(holder) && !leaving.contains(holder)) {
        long end = holder.isEvicted() ? TimeMath.saturatedMillis(now) : expectedEnd(holder, now);
        timeline.addEnd(inTree, holder, end, !holder.workload().isExpectedAtMost());
      }
    }
  }

  /**
   * {@return when a workload is expected to end} One that runs longer than expected is expected to
   * run twice as long, and so on.
   */
  long expectedEnd(QuotaHolder holder, Instant now) {
    long expected = holder.workload().expectedMillis();
    if (expected == Long.MAX_VALUE) {
      return expected;
    }
    long start = startMillis(holder);
    long ran = LongMath.saturatedSubtract(TimeMath.saturatedMillis(now), start);
    while (expected < ran) {
      expected = LongMath.saturatedMultiply(expected, 2);
    }
    return LongMath.saturatedAdd(start, expected);
  }

  private long startMillis(QuotaHolder holder) {
    return state
        .require(holder.id())
        .admission()
        .map(admission -> TimeMath.saturatedMillis(admission.quotaReservedTime()))
        .orElse(holder.reservedMillis());
  }

  /** Makes the quota of a queue ready for trials. */
  void own(QueueState queue) {
    QueueQuota unused = state.queueStore().ownQuota(queue);
  }

  /** {@return what is known to end and is promised in the tree of a queue, for trials} */
  PromiseTimeline timeline(QueueState queue, Instant now) {
    own(queue);
    List<CapacityWindow> upcoming =
        windows.in(queue.quota().tree(), TimeMath.saturatedMillis(now), Long.MAX_VALUE);
    return timeline(queue.quota(), null, List.of(), state.promises().all(), upcoming, now);
  }

  /** Changes what a workload is promised, null for nothing, in a timeline of a tree. */
  void change(
      PromiseTimeline timeline, QuotaTree tree, WorkloadId id, @Nullable PromisedStart promise) {
    timeline.removePromise(id);
    if (promise != null) {
      timeline.addPromise(queueIn(promise, tree), promise);
    }
  }

  private @Nullable QueueQuota queueIn(PromisedStart promise, QuotaTree tree) {
    return isInTree(promise.clusterQueue(), tree) ? tree.layout().queueOf(promise.holder()) : null;
  }

  /**
   * {@return the workloads in the tree of a queue that run longer than expected or have not stopped
   * after an eviction, by id}
   */
  List<WorkloadId> late(QueueQuota queue, Instant now) {
    List<WorkloadId> late = new ArrayList<>();
    queue
        .tree()
        .layout()
        .forEachQueue(member -> member.holders().stream()
            .filter(holder -> isLate(holder, now))
            .map(QuotaHolder::id)
            .forEach(late::add));
    Collections.sort(late);
    return late;
  }

  private boolean isLate(QuotaHolder holder, Instant now) {
    return holder.isEvicted()
        || expectedEnd(holder, now)
            > LongMath.saturatedAdd(startMillis(holder), holder.workload().expectedMillis());
  }

  private boolean isInTree(String clusterQueue, QuotaTree tree) {
    return state
        .queue(clusterQueue)
        .filter(queue -> queue.quota().tree() == tree)
        .isPresent();
  }
}
