package io.kueue4j.core.internal.assertion;

import static java.util.stream.Collectors.toCollection;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What holds in each consistent state: every workload is in one place, on which its record and the
 * ClusterQueue agree; the usage of each node of a quota tree is the sum of what the holders below
 * it hold; and sets and sums over all workloads are what the workloads say one by one.
 */
final class StateInvariants {
  private final EngineState state;
  private final List<String> violations = new ArrayList<>();

  /** Heads and holders by workload that ClusterQueues list and that no record has yet. */
  private final Map<Object, QueueState> unclaimed = new HashMap<>();

  private StateInvariants(EngineState state) {
    this.state = state;
  }

  /** {@return what does not hold in a state, in words} */
  static List<String> violations(EngineState state) {
    StateInvariants invariants = new StateInvariants(state);
    invariants.checkUsage();
    invariants.checkPlaces();
    invariants.checkRegistries();
    return invariants.violations;
  }

  // ----- usage

  private void checkUsage() {
    Set<QuotaTree> seen = new HashSet<>();
    for (QueueState queue : state.queues()) {
      QuotaTree tree = queue.quota().tree();
      if (seen.add(tree)) {
        if (tree.isInTrial()) {
          violations.add("a trial is open in the tree of ClusterQueue " + queue.name());
        }
        checkUsage(queue, tree, queue.quota().countedAnew());
      }
    }
  }

  private void checkUsage(QueueState queue, QuotaTree tree, QuotaTree counted) {
    for (int node = 0; node < tree.nodeCount(); node++) {
      for (int column = 0; column < tree.columnCount(); column++) {
        long usage = tree.usage(node, column);
        if (usage != counted.usage(node, column)) {
          violations.add(
              "the usage of node %d, column %d in the tree of ClusterQueue %s is %d; its holders use %d"
                  .formatted(node, column, queue.name(), usage, counted.usage(node, column)));
        }
        if (tree.borrowers().next(node, column) != counted.borrowers().next(node, column)) {
          violations.add(
              "the borrowers from node %d on, column %d in the tree of ClusterQueue %s are wrong"
                  .formatted(node, column, queue.name()));
        }
      }
    }
  }

  // ----- places

  private void checkPlaces() {
    state.queues().forEach(this::list);
    state.workloads().all().forEach(this::claim);
    unclaimed.forEach((place, queue) -> violations.add(
        "ClusterQueue " + queue.name() + " lists " + id(place) + ", whose record does not say so"));
    List<QueueState> listed = state.queueStore().withWork();
    for (QueueState queue : state.queues()) {
      if (queue.hasWork() != listed.contains(queue)) {
        violations.add("ClusterQueue " + queue.name() + " has work: " + queue.hasWork()
            + "; this is not what the list of queues with work says");
      }
    }
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
    boolean isBackingOff =
        !((VersionedSet<?>) ContentFields.require(pending, "backingOff")).isEmpty();
    compare(
        "the head of ClusterQueue " + queue.name() + " is",
        String.valueOf(first),
        String.valueOf(pending.head()));
    compare(
        "whether work is in ClusterQueue " + queue.name() + " is",
        !active.isEmpty() || isBackingOff,
        pending.hasWork());
  }

  private void list(Object place, QueueState queue) {
    if (unclaimed.put(place, queue) != null) {
      violations.add("ClusterQueue " + queue.name() + " lists " + id(place) + " twice");
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
      violations.add("workload " + record.id() + " is pending in "
          + name(listing) + " and holds quota of " + name(charged) + "; its record has "
          + name(record.queue()) + ", " + head + " and " + reservation);
    }
  }

  private static String name(@Nullable QueueState queue) {
    return queue == null ? "no ClusterQueue" : "ClusterQueue " + queue.name();
  }

  // ----- registries

  private void checkRegistries() {
    compare(
        "the workloads that are placing pods are",
        ids(record -> record.lifecycle().placement() != null),
        state.books().placing());
    compare(
        "the workloads that have a failed node are",
        ids(record -> record.failure() != null),
        state.workloads().failed());
    compare(
        "the workloads whose pods are not ready are",
        ids(state.books()::blocks),
        state.books().notReady());
    state
        .variants()
        .firstChanged()
        .ifPresent(changed -> violations.add("the variants of " + changed + " are not settled"));
    for (LocalQueue queue : state.configuration().localQueues()) {
      String key = queue.qualifiedName();
      state
          .fairness()
          .ledger()
          .account(key)
          .ifPresent(account -> compare(
              "the usage of LocalQueue " + key + " is",
              state.fairness().countInUse(account),
              account.inUse()));
    }
  }

  private Set<WorkloadId> ids(Predicate<WorkloadRecord> isWanted) {
    return state.workloads().all().stream()
        .filter(isWanted)
        .map(WorkloadRecord::id)
        .collect(toCollection(TreeSet::new));
  }

  private void compare(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      violations.add(what + " " + actual + " instead of " + expected);
    }
  }
}
