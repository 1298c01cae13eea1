package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.operation.PromisePlans.Timelines;
import io.kueue4j.core.internal.promise.PromiseTimeline;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans promises anew after a change. For a single change.
 *
 * <p>Rules: PS-6.
 */
final class PromiseRenewal {
  private final EngineState state;
  private final PromisePlans plans;
  private final Promiser promiser;
  private final List<Head> heads;
  private final Instant now;

  private final Timelines timelines;

  /** What is known, without the promises still to be planned in this pass; null until needed. */
  private @Nullable Timelines beforeOthers;

  /** Why promises move to a later time, null until one has to. */
  private @Nullable String reason;

  /**
   * Creates a renewal.
   *
   * @param timelines what is known, with all promises
   * @param heads the workloads whose promises may have to move; their order changes
   */
  PromiseRenewal(
      Promiser promiser,
      PromisePlans plans,
      EngineState state,
      Timelines timelines,
      List<Head> heads,
      Instant now) {
    this.promiser = promiser;
    this.plans = plans;
    this.state = state;
    this.timelines = timelines;
    this.heads = heads;
    this.now = now;
    // Trials change trees that are not shared.
    heads.forEach(head -> plans.own(head.queue()));
    heads.sort(Comparator.comparing((Head head) -> !promise(head).isClaim())
        .thenComparing(Head::pending, PendingWorkload::compareService));
    for (Head head : heads) {
      reason = reason == null ? promise(head).cause() : reason;
    }
  }

  private PromisedStart promise(Head head) {
    return Objects.requireNonNull(state.promises().of(head.id()));
  }

  /** Plans all promises anew; returns whether one has moved. */
  boolean run() {
    boolean isMoved = false;
    // What moves makes room for others, also for those that were planned before it.
    for (int passes = 0; passes < heads.size() && renewAll(); passes++) {
      isMoved = true;
    }
    return isMoved;
  }

  /** Plans the promises anew, one after another; returns whether one has moved. */
  private boolean renewAll() {
    beforeOthers = null;
    boolean isMoved = false;
    for (int i = 0; i < heads.size(); i++) {
      PromisedStart before = state.promises().of(heads.get(i).id());
      isMoved |= before != null && renew(before, heads.subList(i, heads.size()));
    }
    return isMoved;
  }

  /**
   * Plans a promise anew. It delays no other promises, unless it would move to a later time itself.
   * Then it may delay promises of lower priority in its queue, and if it moves nevertheless, all
   * that are planned after it. Returns whether it has moved.
   *
   * @param from its workload and those that are planned after it
   */
  private boolean renew(PromisedStart before, List<Head> from) {
    Head head = from.get(0);
    PromiseTimeline timeline = timelines.of(head.queue());
    timeline.remove(head.id());
    PromisedStart planned = plans.isHeldBack(head) ? null : plan(before, from, timeline);
    planned = before.isClaim() && planned != null ? planned.asClaim() : planned;
    timelines.set(head.id(), planned);
    if (beforeOthers != null) {
      beforeOthers.set(head.id(), planned);
    }
    if (planned == null) {
      boolean unused = state.promises().remove(head.id());
      promiser.announce(before, null, delayed(head, before));
      return true;
    }
    state.promises().set(planned, now);
    if (planned.startMillis() == before.startMillis()) {
      return false;
    }
    boolean isLater = isLater(planned, before);
    promiser.announce(before, planned, isLater ? delayed(head, before) : "room is free earlier");
    return true;
  }

  private @Nullable PromisedStart plan(
      PromisedStart before, List<Head> from, PromiseTimeline timeline) {
    Head head = from.get(0);
    PromisedStart planned = plans.plan(head, Set.of(), null, timeline, now);
    if (isLater(planned, before)) {
      planned = plans.plan(head, Set.of(), before.assignment(), timeline, now);
    }
    if (isLater(planned, before)) {
      planned = plans.plan(head, promiser.behind(head, now), null, timeline, now);
    }
    if (isLater(planned, before)) {
      planned = plans.plan(head, Set.of(), null, timelineWithout(from).of(head.queue()), now);
    }
    return planned;
  }

  private Timelines timelineWithout(List<Head> others) {
    if (beforeOthers == null) {
      beforeOthers =
          plans.timelines(others.stream().map(Head::id).collect(Collectors.toSet()), now);
    }
    return beforeOthers;
  }

  private static boolean isLater(@Nullable PromisedStart planned, PromisedStart before) {
    return planned == null || planned.startMillis() > before.startMillis();
  }

  /** {@return why a promise moves to a later time} */
  private String delayed(Head head, PromisedStart before) {
    String known = before.cause() == null ? reason : before.cause();
    reason = known == null ? change(head) : known;
    return reason;
  }

  /** {@return what has changed} */
  private String change(Head head) {
    List<WorkloadId> late = plans.late(head.queue().quota(), now);
    return late.isEmpty()
        ? "there is less quota or room on nodes than when it was promised"
        : late.get(0) + " runs longer than expected"
            + (late.size() == 1 ? "" : ", as do " + (late.size() - 1) + " others");
  }
}
