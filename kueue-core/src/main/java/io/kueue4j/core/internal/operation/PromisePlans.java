package io.kueue4j.core.internal.operation;

import com.google.common.math.LongMath;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.cycle.Nominator;
import io.kueue4j.core.internal.cycle.PromiseGuard.Query;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.flavor.FlavorNeeds;
import io.kueue4j.core.internal.promise.PromiseTimeline;
import io.kueue4j.core.internal.promise.Stay;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** {@return whether something other than room keeps a head from a start} */
  boolean isHeldBack(Head head) {
    return obstacles.toNomination(head) != null;
  }

  /**
   * {@return when a head may start without delaying other promises, null if no start is in sight}
   *
   * @param ignored whose promises it may delay
   * @param kept how it has to fit, null if that does not matter
   * @param timeline what is known to end and is promised to others in the tree of its queue
   */
  @Nullable
  PromisedStart plan(
      Head queued,
      Set<WorkloadId> ignored,
      @Nullable Assignment kept,
      PromiseTimeline timeline,
      Instant now) {
    WorkloadRecord record = queued.record();
    Head head = state.pending().newHead(record, queued.queue());
    QueueQuota queue = head.queue().quota();
    PromiseTimeline.Fit fit = timeline.earliest(
        new PromiseTimeline.Question(
            queue,
            ignored,
            List.of(),
            window -> !WindowPlans.isFor(window, head.compiled(), queue.name())),
        kept == null ? FlavorNeeds.of(head.compiled(), queue) : FlavorNeeds.of(kept),
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
    return tree.inTrial(() -> {
      met.forEach(window -> windows.keptIn(tree, window).open());
      return nominator.fit(head);
    });
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

  /** {@return what a workload was promised before a restart, until it is planned anew} */
  PromisedStart restored(WorkloadRecord record, Admission admission, Promise promise) {
    return new PromisedStart(
        record.compiled(),
        admission,
        null,
        state.reservations().expected(record, record.requireQueue(), admission),
        TimeMath.saturatedMillis(promise.start()),
        promise.borrows(),
        promise.restsOnLimits(),
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
   * although it still runs; {@link AmountOverTime#NEVER} if it always fits}
   *
   * @param query the head, with what it would hold from now on
   * @param mayDelay the workloads whose promises do not count
   * @param met the windows that it would meet
   * @param end when it is expected to end
   */
  long firstMisfit(
      Query query,
      Set<WorkloadId> mayDelay,
      List<CapacityWindow> met,
      long end,
      PromiseTimeline timeline) {
    Head head = query.head();
    QueueQuota queue = head.queue().quota();
    // Earlier victims of the cycle have left as well.
    List<QuotaHolder> leaving = new ArrayList<>(query.leaving());
    state.queues().forEach(each -> leaving.addAll(each.quota().aside()));
    return timeline.firstMisfit(
        new PromiseTimeline.Question(queue, mayDelay, leaving, met::contains),
        end,
        query.assignment(),
        found -> stillFits(head, queue, found));
  }

  /** {@return whether a promise may need what an assignment of a queue takes} */
  boolean mayMeet(PromisedStart promise, QueueQuota queue, Assignment assignment) {
    return isInTree(promise.clusterQueue(), queue.tree())
        || (assignment.places() != null && !promise.holder().footprint().isEmpty());
  }

  /** {@return what is known to end in a tree, and what windows keep; without promises} */
  private PromiseTimeline timeline(QuotaTree tree, Instant now) {
    long nowMillis = TimeMath.saturatedMillis(now);
    List<Stay> running = new ArrayList<>();
    tree.layout().forEachQueue(member -> addStays(running, member, member, nowMillis));
    if (state.usesPlaces()) {
      for (QueueState other : state.queues()) {
        if (other.quota().tree() != tree) {
          addStays(running, other.quota(), null, nowMillis);
        }
      }
    }
    PromiseTimeline timeline = new PromiseTimeline(tree, running, nowMillis);
    for (CapacityWindow window : windows.in(tree, nowMillis, Long.MAX_VALUE)) {
      timeline.addWindow(
          windows.keptIn(tree, window),
          TimeMath.saturatedMillis(window.start()),
          TimeMath.saturatedMillis(window.end()));
    }
    return timeline;
  }

  /** Adds the running workloads of a queue, with their amounts if it is in the tree. */
  private void addStays(
      List<Stay> running, QueueQuota queue, @Nullable QueueQuota inTree, long nowMillis) {
    for (QuotaHolder holder : queue.holders()) {
      boolean isRelevant = inTree != null || !holder.footprint().isEmpty();
      if (isRelevant) {
        long end = holder.isEvicted() ? nowMillis : expectedEnd(holder, nowMillis);
        running.add(new Stay(inTree, holder, true, Long.MIN_VALUE, Math.max(end, nowMillis)));
      }
    }
  }

  /**
   * {@return when a workload is expected to end} One that runs longer than expected is expected to
   * run twice as long, and so on.
   */
  static long expectedEnd(QuotaHolder holder, long nowMillis) {
    long expected = holder.workload().expectedMillis();
    if (expected == Long.MAX_VALUE) {
      return expected;
    }
    long start = holder.startMillis();
    long ran = LongMath.saturatedSubtract(nowMillis, start);
    while (expected < ran) {
      expected = LongMath.saturatedMultiply(expected, 2);
    }
    return LongMath.saturatedAdd(start, expected);
  }

  /** Makes the quota of a queue ready for trials. */
  void own(QueueState queue) {
    QueueQuota unused = state.queueStore().ownQuota(queue);
  }

  /**
   * {@return the timelines of all trees, each created when it is asked for}
   *
   * @param without the workloads whose promises do not count, until they are set
   */
  Timelines timelines(Set<WorkloadId> without, Instant now) {
    return new Timelines(without, now);
  }

  /** What is known to end and is promised in each tree, as long as nothing but promises changes. */
  final class Timelines {
    private final Set<WorkloadId> without;
    private final Instant now;
    private final Map<QuotaTree, PromiseTimeline> timelines = new LinkedHashMap<>();

    private Timelines(Set<WorkloadId> without, Instant now) {
      this.without = new HashSet<>(without);
      this.now = now;
    }

    /** {@return the timeline of the tree of a queue} */
    PromiseTimeline of(QueueState queue) {
      own(queue);
      QuotaTree tree = queue.quota().tree();
      PromiseTimeline timeline = timelines.get(tree);
      if (timeline == null) {
        timeline = timeline(tree, now);
        for (PromisedStart promise : state.promises().all()) {
          if (!without.contains(promise.id())) {
            timeline.set(stay(promise, tree));
          }
        }
        timelines.put(tree, timeline);
      }
      return timeline;
    }

    /** Records that what a workload is promised has changed, null for nothing. */
    void set(WorkloadId id, @Nullable PromisedStart promise) {
      without.remove(id);
      timelines.forEach((tree, timeline) -> {
        if (promise == null) {
          timeline.remove(id);
        } else {
          timeline.set(stay(promise, tree));
        }
      });
    }

    private Stay stay(PromisedStart promise, QuotaTree tree) {
      QueueQuota queue =
          isInTree(promise.clusterQueue(), tree) ? tree.layout().queueOf(promise.holder()) : null;
      return Stay.promised(queue, promise, TimeMath.saturatedMillis(now));
    }
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
        || expectedEnd(holder, TimeMath.saturatedMillis(now))
            > LongMath.saturatedAdd(holder.startMillis(), holder.workload().expectedMillis());
  }

  private boolean isInTree(String clusterQueue, QuotaTree tree) {
    return state
        .queue(clusterQueue)
        .filter(queue -> queue.quota().tree() == tree)
        .isPresent();
  }
}
