package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rules of a pending queue written down with plain lists, one workload at a time. */
final class NaiveQueue {
  final List<PendingWorkload> active = new ArrayList<>();
  final List<PendingWorkload> parked = new ArrayList<>();
  private final Set<Shape> remembered = new HashSet<>();
  private final boolean forgetsPreemptors;
  private boolean strictFifo;
  private boolean sticky;
  private @Nullable PendingWorkload preemptor;
  private LocalQueueUsage usage = LocalQueueUsage.NONE;

  NaiveQueue(boolean forgetsPreemptors) {
    this.forgetsPreemptors = forgetsPreemptors;
  }

  void setUsage(LocalQueueUsage usage) {
    this.usage = usage;
  }

  void setStrictFifo(boolean strictFifo) {
    this.strictFifo = strictFifo;
  }

  /** Puts other workloads in the place of those it knows. */
  void replaceAll(UnaryOperator<PendingWorkload> counterpart) {
    active.replaceAll(counterpart);
    parked.replaceAll(counterpart);
    preemptor = preemptor == null ? null : counterpart.apply(preemptor);
  }

  /** Rules U-15, U-20. */
  void push(PendingWorkload workload, Instant now) {
    boolean waits = !isBackoffOver(workload, now)
        || (!strictFifo && remembered.contains(workload.compiled().shape()));
    (waits ? parked : active).add(workload);
  }

  /** Rules U-3, U-4. */
  @Nullable
  PendingWorkload pop() {
    PendingWorkload head = null;
    for (PendingWorkload workload : active) {
      if (head == null || isBefore(workload, head)) {
        head = workload;
      }
    }
    if (head != null) {
      active.remove(head);
    }
    return head;
  }

  /** {@return the active ones in order of service} */
  List<PendingWorkload> inOrder() {
    List<PendingWorkload> ordered = new ArrayList<>(active);
    ordered.sort((a, b) -> a.equals(b) ? 0 : isBefore(a, b) ? -1 : 1);
    return ordered;
  }

  private boolean isBefore(PendingWorkload a, PendingWorkload b) {
    double usageOfA = usage.of(a.compiled().localQueue());
    double usageOfB = usage.of(b.compiled().localQueue());
    if (usageOfA != usageOfB) {
      return usageOfA < usageOfB;
    }
    if (sticky && (a.equals(preemptor) || b.equals(preemptor))) {
      return a.equals(preemptor);
    }
    if (a.compiled().priority() != b.compiled().priority()) {
      return a.compiled().priority() > b.compiled().priority();
    }
    if (a.queueTimeMillis() != b.queueTimeMillis()) {
      return a.queueTimeMillis() < b.queueTimeMillis();
    }
    return a.compiled().source().uid().compareTo(b.compiled().source().uid()) < 0;
  }

  /** Rules U-10, U-12, U-15. */
  void requeue(PendingWorkload workload, RequeueReason reason, boolean pending, Instant now) {
    if (reason == RequeueReason.PENDING_PREEMPTION || reason == RequeueReason.PENDING_MIGRATION) {
      preemptor = workload;
      sticky = !strictFifo;
    } else if (forgetsPreemptors && workload.equals(preemptor)) {
      preemptor = null;
    }
    boolean immediate = strictFifo
        ? reason != RequeueReason.NAMESPACE_MISMATCH
        : reason == RequeueReason.FAILED_AFTER_NOMINATION
            || reason == RequeueReason.PENDING_PREEMPTION
            || reason == RequeueReason.PENDING_MIGRATION;
    if (isBackoffOver(workload, now) && (immediate || pending)) {
      active.add(workload);
      return;
    }
    parked.add(workload);
    boolean forAll =
        reason == RequeueReason.NO_FIT || reason == RequeueReason.PREEMPTION_NO_CANDIDATES;
    if (!strictFifo && forAll) {
      Shape shape = workload.compiled().shape();
      remembered.add(shape);
      moveIf(active, parked, other -> other.compiled().shape().equals(shape));
    }
  }

  void leave(PendingWorkload workload) {
    active.remove(workload);
    parked.remove(workload);
    if (workload.equals(preemptor)) {
      preemptor = null;
    }
  }

  /** Rule U-16. */
  void event(Predicate<String> namespaceMatches, Instant now) {
    remembered.clear();
    moveIf(
        parked,
        active,
        workload -> namespaceMatches.test(workload.compiled().source().namespace())
            && isBackoffOver(workload, now));
  }

  private static void moveIf(
      List<PendingWorkload> from, List<PendingWorkload> to, Predicate<PendingWorkload> condition) {
    for (PendingWorkload workload : List.copyOf(from)) {
      if (condition.test(workload)) {
        from.remove(workload);
        to.add(workload);
      }
    }
  }

  /** Rule U-20. */
  private static boolean isBackoffOver(PendingWorkload workload, Instant now) {
    return !now.isBefore(workload.backoffEnd());
  }
}
