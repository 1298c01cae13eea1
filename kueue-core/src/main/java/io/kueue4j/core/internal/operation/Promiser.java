package io.kueue4j.core.internal.operation;

import com.google.common.collect.Lists;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.cycle.Nominator;
import io.kueue4j.core.internal.cycle.PromiseGuard;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.operation.PromisePlans.Timelines;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Tried;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Promises the first workloads of each queue a start, keeps others from delaying it or from running
 * into capacity windows, and moves promises when something has changed.
 *
 * <p>Rules: PS-1, PS-5, PS-6, PS-7, PS-10, PS-12.
 */
final class Promiser implements PromiseGuard {
  /** As many workloads without a possible start are passed over in a queue at most. */
  private static final int MAX_PASSED_OVER = 16;

  /**
   * What a plan reads of a workload where there are no windows, which may be for one workload. Of
   * equal workloads without a possible start, one is planned: 59 s of processor time instead of 98
   * for the configuration {@code large} with unknown durations.
   */
  private record Wish(Shape shape, long expectedMillis) {
    static Wish of(PendingWorkload workload) {
      return new Wish(workload.compiled().shape(), workload.compiled().expectedMillis());
    }
  }

  private final EngineState state;
  private final PromisePlans plans;
  private final WindowPlans windows;
  private final @Nullable Backfill settings;

  /** What is known before a cycle, and again after it; replaced when that changes. */
  private Timelines timelines;

  Promiser(
      EngineState state,
      Nominator nominator,
      AdmissionFactory factory,
      QueueingPreconditions obstacles,
      WindowPlans windows) {
    this.state = state;
    this.settings = state.settings().backfill().orElse(null);
    this.windows = windows;
    this.plans = new PromisePlans(
        state,
        nominator,
        factory,
        obstacles,
        windows,
        settings == null ? Duration.ZERO : settings.horizon());
    this.timelines = plans.timelines(Set.of(), Instant.EPOCH);
  }

  // ----- before a cycle

  /** Plans the promises anew that something has changed for, and promises what is due. */
  void renew(Instant now) {
    if (settings == null) {
      return;
    }
    for (PromisedStart late : state.promises().late(now)) {
      state.promises().changed(tree(late.clusterQueue()));
    }
    timelines = plans.timelines(Set.of(), now);
    Set<String> changed = new HashSet<>(state.promises().takeChanged());
    if (!changed.isEmpty()) {
      renew(changed, now);
    }
    promiseDue(now);
  }

  /**
   * {@return the workloads that start now, one of each queue; they are tried whether or not others
   * of their shape fit}
   */
  List<Head> due(Instant now) {
    if (isEmpty()) {
      return List.of();
    }
    Map<String, Head> due = new TreeMap<>();
    for (PromisedStart promise : state.promises().all()) {
      if (promise.startMillis() > TimeMath.saturatedMillis(now)) {
        break;
      }
      Head head = Objects.requireNonNull(state.require(promise.id()).head());
      if (promised(head, now) != null && head.queue().quota().isActive()) {
        due.merge(promise.clusterQueue(), head, Promiser::first);
      }
    }
    return List.copyOf(due.values());
  }

  private static Head first(Head a, Head b) {
    return PendingWorkload.compareService(a.pending(), b.pending()) < 0 ? a : b;
  }

  private void renew(Set<String> trees, Instant now) {
    List<Head> heads = new ArrayList<>();
    for (PromisedStart promise : state.promises().all()) {
      if (trees.contains(tree(promise.clusterQueue()))) {
        heads.add(Objects.requireNonNull(state.require(promise.id()).head()));
      }
    }
    if (new PromiseRenewal(this, plans, state, timelines, heads, now).run()) {
      // Others may fit beside what is promised now.
      heads.forEach(head -> state.events().note(head.queue()));
      state.deliverEvents(now);
      List<String> unused = state.promises().takeChanged();
    }
  }

  /** Announces what a workload is promised. */
  void announce(@Nullable PromisedStart before, @Nullable PromisedStart after, String reason) {
    WorkloadId id = Objects.requireNonNull(before == null ? after : before).id();
    state
        .announcements()
        .decided(new PromiseChange(id, toPromise(after), toPromise(before), reason));
  }

  private static Optional<Promise> toPromise(@Nullable PromisedStart promise) {
    return Optional.ofNullable(promise).map(PromisedStart::toPromise);
  }

  // ----- within a cycle

  @Override
  public boolean isEmpty() {
    return state.promises().isEmpty() && windows.isEmpty();
  }

  @Override
  public @Nullable Assignment promised(Head head, Instant now) {
    PromisedStart promise = state.promises().of(head.id());
    if (promise == null || promise.startMillis() > TimeMath.saturatedMillis(now)) {
      return null;
    }
    Assignment assignment = promise.assignment();
    return assignment != null && plans.stillFits(head, head.queue().quota(), assignment)
        ? assignment
        : null;
  }

  @Override
  public @Nullable Reason delay(Query query, Instant now) {
    Head head = query.head();
    Assignment assignment = query.assignment();
    QueueQuota queue = head.queue().quota();
    List<PromisedStart> inTheWay = new ArrayList<>();
    Set<WorkloadId> others = new HashSet<>();
    for (PromisedStart promise : state.promises().all()) {
      if (!promise.id().equals(head.id())
          && !query.admitted().contains(promise.id())
          && plans.mayMeet(promise, queue, assignment)
          && !mayDelay(head, assignment, promise, now)) {
        inTheWay.add(promise);
      } else {
        others.add(promise.id());
      }
    }
    long start = TimeMath.saturatedMillis(now);
    long end = PromisePlans.endMillis(head, start);
    List<CapacityWindow> met = windows.inTheWay(query, start, end);
    boolean meetsPromise = !inTheWay.isEmpty() && inTheWay.get(0).startMillis() < end;
    if (!meetsPromise && met.isEmpty()) {
      return null;
    }
    long misfit = plans.firstMisfit(query, others, met, end, timelines.of(head.queue()));
    return misfit == AmountOverTime.NEVER ? null : reason(inTheWay, met, misfit, end, now);
  }

  /** {@return the reason of the last window or promise that begins up to the misfit} */
  private static Reason reason(
      List<PromisedStart> inTheWay,
      List<CapacityWindow> met,
      long misfitMillis,
      long endMillis,
      Instant now) {
    PromisedStart delayed = null;
    for (PromisedStart promise : inTheWay) {
      delayed = promise.startMillis() <= misfitMillis || delayed == null ? promise : delayed;
    }
    for (CapacityWindow window : Lists.reverse(met)) {
      long start = TimeMath.saturatedMillis(window.start());
      boolean isLast =
          delayed == null || delayed.startMillis() > misfitMillis || start >= delayed.startMillis();
      if (isLast && start <= misfitMillis) {
        return WindowPlans.reason(window, endMillis, now);
      }
    }
    if (delayed == null) {
      return WindowPlans.reason(met.get(0), endMillis, now);
    }
    return Reason.of(
        ReasonCode.DELAYS_PROMISED_START,
        "would delay " + delayed.id() + ", which starts at "
            + Instant.ofEpochMilli(delayed.startMillis()) + " at the latest");
  }

  @Override
  public @Nullable Assignment besideWindows(Head head, Instant now) {
    return windows.isEmpty() ? null : plans.besideWindows(head, now);
  }

  /** {@return places for pods of a workload with quota, on nodes that no window keeps from it} */
  <T> T withoutKeptNodes(WorkloadRecord record, Instant now, Supplier<T> placement) {
    if (windows.isEmpty()) {
      return placement.get();
    }
    QuotaHolder holder = Objects.requireNonNull(record.reservation()).holder();
    long nowMillis = TimeMath.saturatedMillis(now);
    return windows.withoutKeptNodes(
        record.compiled(),
        record.requireQueue().quota(),
        nowMillis,
        PromisePlans.expectedEnd(holder, nowMillis),
        placement);
  }

  /**
   * {@return whether a head may start although that delays a promised workload: it has a higher
   * priority in the same queue, or could preempt it if it ran}
   */
  private boolean mayDelay(Head head, Assignment assignment, PromisedStart promise, Instant now) {
    if (state.promises().of(head.id()) != null) {
      return false;
    }
    if (head.queue().name().equals(promise.clusterQueue())) {
      return isBehind(promise, head, now);
    }
    Preemption.Policy policy = head.queue().spec().preemption().reclaimWithinCohort();
    boolean mayReclaim = policy == Preemption.Policy.ANY
        || (policy == Preemption.Policy.LOWER_PRIORITY
            && head.compiled().priority() > promise.workload().priority());
    return mayReclaim && promise.borrows() && assignment.borrowLevel() == 0;
  }

  /** Notes whom the start of a workload may delay. */
  void starts(Head head, Assignment assignment, Instant now) {
    if (isEmpty()) {
      return;
    }
    for (PromisedStart promise : state.promises().all()) {
      if (!promise.id().equals(head.id())
          && plans.mayMeet(promise, head.queue().quota(), assignment)
          && mayDelay(head, assignment, promise, now)) {
        state.promises().set(promise.withCause(head.id() + " comes before it"), now);
        state.promises().changed(tree(promise.clusterQueue()));
      }
    }
  }

  // ----- after a cycle

  /** Promises starts to the first workloads of the queues whose heads did not fit. */
  void tried(List<Tried> tried, Instant now) {
    if (settings == null) {
      return;
    }
    for (Tried each : tried) {
      Head head = each.head();
      if (!each.attempt().victims().isEmpty()) {
        claim(head, each.attempt(), now);
      } else if (!each.attempt().isAdmitted() && state.promises().of(head.id()) == null) {
        state.promises().setUnsettled(head.queue().name());
      }
    }
    timelines = plans.timelines(Set.of(), now);
    promiseDue(now);
  }

  /**
   * Promises a preemptor that it starts as soon as its victims have stopped; otherwise others that
   * are promised a start would take what it has made free, and it would preempt again.
   */
  private void claim(Head head, Attempt attempt, Instant now) {
    boolean isUsed = !state.promises().isEmpty()
        || state.queues().stream().anyMatch(queue -> queue.pending().front().depth() > 0);
    WorkloadRecord record = head.record();
    PromisedStart before = state.promises().of(head.id());
    // While its victims stop, each cycle finds them again.
    boolean isClaimed = before != null && before.isClaim();
    if (isUsed && !isClaimed && isWhole(record)) {
      PromisedStart claim =
          plans.claim(record, head, Objects.requireNonNull(attempt.assignment()), now);
      state.promises().set(claim, now);
      announce(before, claim, "workloads are preempted for it");
      // Those that were promised what it takes have to move.
      state.promises().changed(tree(claim.clusterQueue()));
    }
  }

  private void promiseDue(Instant now) {
    for (String name : state.promises().unsettled()) {
      Optional<QueueState> queue = state.queue(name);
      if (queue.isEmpty() || promise(queue.get(), now)) {
        state.promises().settled(name);
      }
    }
  }

  /** {@return whether all workloads of a queue have what they may be promised} */
  private boolean promise(QueueState queue, Instant now) {
    PendingQueue pending = queue.pending();
    List<PromisedStart> kept = new ArrayList<>();
    Set<Wish> hopeless = new HashSet<>();
    boolean isInTurn = true;
    int passedOver = 0;
    for (PendingWorkload workload : pending.front()) {
      boolean isFirst = kept.size() < pending.front().depth();
      if (!isFirst && waitMillis() == Long.MAX_VALUE) {
        break;
      }
      if (!isFirst && !hasWaited(workload, now)) {
        continue;
      }
      PromisedStart promised = state.promises().of(workload.id());
      if (promised == null && !isTried(pending, workload)) {
        // Those behind it are promised a start when it was tried.
        isInTurn = false;
        break;
      }
      if (promised == null && !hopeless.contains(Wish.of(workload)) && mayStart(workload, now)) {
        promised = promise(queue, workload, !isFirst, now);
        if (promised == null && windows.isEmpty()) {
          hopeless.add(Wish.of(workload));
        }
      }
      if (promised != null) {
        kept.add(promised);
      } else if (++passedOver > MAX_PASSED_OVER) {
        break;
      }
    }
    withdraw(queue, kept);
    return isInTurn;
  }

  private long waitMillis() {
    return Objects.requireNonNull(settings)
        .promiseAfter()
        .map(TimeMath::saturatedMillis)
        .orElse(Long.MAX_VALUE);
  }

  private boolean hasWaited(PendingWorkload workload, Instant now) {
    long waited =
        LongMath.saturatedSubtract(TimeMath.saturatedMillis(now), workload.queueTimeMillis());
    return waited >= waitMillis();
  }

  private static boolean isTried(PendingQueue pending, PendingWorkload workload) {
    return pending.isStrictFifo() || !pending.isActive(workload);
  }

  private boolean mayStart(PendingWorkload workload, Instant now) {
    WorkloadRecord record = state.require(workload.id());
    return !workload.backoffEnd().isAfter(now)
        && isWhole(record)
        && !plans.isHeldBack(Objects.requireNonNull(record.head()));
  }

  /** {@return the start that a workload is promised from now on, null if none is in sight} */
  private @Nullable PromisedStart promise(
      QueueState queue, PendingWorkload workload, boolean isByWait, Instant now) {
    Head head = Objects.requireNonNull(state.require(workload.id()).head());
    Set<WorkloadId> behind = behind(head, now);
    PromisedStart planned = plans.plan(head, behind, null, timelines.of(queue), now);
    if (planned == null) {
      return null;
    }
    state.promises().set(planned, now);
    timelines.set(planned.id(), planned);
    for (WorkloadId id : behind) {
      PromisedStart delayed = Objects.requireNonNull(state.promises().of(id));
      state.promises().set(delayed.withCause(head.id() + " comes before it"), now);
      state.promises().changed(tree(queue.name()));
    }
    announce(
        null,
        planned,
        isByWait ? "it has waited long enough" : "it is among the first of " + queue.name());
    return planned;
  }

  /** {@return whether a workload is neither a variant nor the increase of another one} */
  private static boolean isWhole(WorkloadRecord record) {
    return !record.isVariant() && record.workload().replaces().isEmpty();
  }

  /** {@return the workloads of the same queue that a head may delay} */
  Set<WorkloadId> behind(Head head, Instant now) {
    Set<WorkloadId> behind = new HashSet<>();
    for (PromisedStart promise : state.promises().all()) {
      if (promise.clusterQueue().equals(head.queue().name()) && isBehind(promise, head, now)) {
        behind.add(promise.id());
      }
    }
    return behind;
  }

  /**
   * {@return whether a promised workload has a lower priority than a head, and has not waited long
   * enough}
   */
  private boolean isBehind(PromisedStart promise, Head head, Instant now) {
    Head promised = state.require(promise.id()).head();
    return promised != null
        && promise.workload().priority() < head.compiled().priority()
        && !hasWaited(promised.pending(), now);
  }

  /**
   * Withdraws the promises of a queue that workloads of higher priority have taken the places of.
   *
   * @param first the first workloads, which keep their promises
   */
  private void withdraw(QueueState queue, List<PromisedStart> first) {
    int depth = queue.pending().front().depth();
    if (first.size() < depth) {
      return;
    }
    for (PromisedStart promise : state.promises().all()) {
      if (promise.clusterQueue().equals(queue.name())
          && !promise.isClaim()
          && !first.contains(promise)) {
        long higher = first.stream()
            .filter(other -> other.workload().priority() > promise.workload().priority())
            .count();
        if (higher >= depth) {
          boolean unused = state.promises().remove(promise.id());
          timelines.set(promise.id(), null);
          announce(promise, null, "others come before it in " + queue.name());
        }
      }
    }
  }

  /** Promises what was promised before a restart; the next cycle plans it anew. */
  void restore(WorkloadRecord record, Admission admission, Promise promise, Instant now) {
    state.promises().set(plans.restored(record, admission, promise), now);
    state.promises().changed(tree(record.requireQueue().name()));
  }

  private String tree(String clusterQueue) {
    return state
        .queue(clusterQueue)
        .map(queue -> state.forest().treeName(queue.quota()))
        .orElse("");
  }
}
