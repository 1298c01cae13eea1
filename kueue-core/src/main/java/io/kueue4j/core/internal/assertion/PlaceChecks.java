package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.WorkloadId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every workload is in one place, on which its record and the ClusterQueue agree. */
final class PlaceChecks {
  private final EngineState state;
  private final List<String> violations;

  /** Heads and holders by workload that ClusterQueues list and that no record has yet. */
  private final Map<Object, QueueState> unclaimed = new HashMap<>();

  private PlaceChecks(EngineState state, List<String> violations) {
    this.state = state;
    this.violations = violations;
  }

  static void check(EngineState state, List<String> violations) {
    PlaceChecks checks = new PlaceChecks(state, violations);
    state.queues().forEach(checks::list);
    state.workloads().all().forEach(checks::claim);
    checks.unclaimed.forEach((place, queue) -> violations.add(
        "ClusterQueue " + queue.name() + " lists " + id(place) + ", whose record does not say so"));
    checks.work();
  }

  private static WorkloadId id(Object place) {
    return place instanceof QuotaHolder holder ? holder.id() : ((PendingWorkload) place).id();
  }

  private void list(QueueState queue) {
    queue.quota().holders().forEach(holder -> list(holder, queue));
    PendingQueue pending = queue.pending();
    List<PendingWorkload> active = pending.active();
    Stream.concat(active.stream(), pending.parked().stream()).forEach(each -> list(each, queue));
    PendingWorkload first = active.stream().min(pending.serviceOrder()).orElse(null);
    expect("the head of", queue, String.valueOf(first), String.valueOf(pending.head()));
    expect(
        "whether work is in", queue, pending.hasWork(), !active.isEmpty() || isBackingOff(pending));
  }

  private static boolean isBackingOff(PendingQueue pending) {
    return !((VersionedSet<?>) Fields.require(pending, "backingOff")).isEmpty();
  }

  private void list(Object place, QueueState queue) {
    if (unclaimed.put(place, queue) != null) {
      violations.add("ClusterQueue " + queue.name() + " lists " + id(place) + " twice");
    }
  }

  private void expect(String what, QueueState queue, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      violations.add(
          what + " ClusterQueue " + queue.name() + " is " + actual + " instead of " + expected);
    }
  }

  private void claim(WorkloadRecord record) {
    Head head = record.head();
    Reservation reservation = record.reservation();
    QueueState listing = head == null ? null : unclaimed.remove(head.pending());
    QueueState charged = reservation == null ? null : unclaimed.remove(reservation.holder());
    boolean agrees = head == null || head.queue().equals(listing);
    boolean holds = reservation == null || record.requireQueue().equals(charged);
    if (!agrees || !holds || (head != null && reservation != null)) {
      violations.add("workload " + record.workload().id() + " is pending in "
          + name(listing) + " and holds quota of " + name(charged) + "; its record has "
          + name(record.queue()) + ", " + head + " and " + reservation);
    }
  }

  private static String name(@Nullable QueueState queue) {
    return queue == null ? "no ClusterQueue" : "ClusterQueue " + queue.name();
  }

  private void work() {
    List<QueueState> listed = state.pending().queuesWithWork();
    for (QueueState queue : state.queues()) {
      if (queue.hasWork() != listed.contains(queue)) {
        violations.add("ClusterQueue " + queue.name() + " has work: " + queue.hasWork()
            + "; this is not what the list of queues with work says");
      }
    }
  }
}
