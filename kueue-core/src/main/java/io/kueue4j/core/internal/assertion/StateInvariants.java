package io.kueue4j.core.internal.assertion;

import static java.util.stream.Collectors.toCollection;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import io.kueue4j.core.internal.lifecycle.CheckList;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What holds in each consistent state: every workload is in one place, on which its record and the
 * ClusterQueue agree; the usage of each node of a quota tree is the sum of what the holders below
 * it hold; and sets and sums over all workloads are what the workloads say one by one.
 */
final class StateInvariants {
  private final EngineState state;
  private final List<String> violations = new ArrayList<>();

  private StateInvariants(EngineState state) {
    this.state = state;
  }

  /** {@return what does not hold in a state, in words} */
  static List<String> violations(EngineState state) {
    StateInvariants invariants = new StateInvariants(state);
    invariants.checkUsage();
    invariants.checkPlaces();
    invariants.checkRegistries();
    invariants.checkQueues();
    invariants.checkWorkloads();
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
    SetMultimap<QueueState, Object> places = HashMultimap.create();
    for (WorkloadRecord record : state.workloads().all()) {
      Head head = record.head();
      Reservation reservation = record.reservation();
      if (head != null && reservation != null) {
        violations.add(
            "workload " + record.id() + " has two places: " + head + " and " + reservation);
      }
      if (head != null) {
        places.put(head.queue(), head.pending());
      }
      if (reservation != null) {
        places.put(record.requireQueue(), reservation.holder());
      }
    }
    List<QueueState> withWork = state.queueStore().withWork();
    for (QueueState queue : state.queues()) {
      checkPlaces(queue, places.get(queue));
      compare(
          "whether ClusterQueue " + queue.name() + " has work for the next cycle is",
          queue.hasWork(),
          withWork.contains(queue));
    }
    Sets.difference(places.keySet(), Set.copyOf(state.queues()))
        .forEach(queue -> violations.add("ClusterQueue " + queue.name()
            + " is not there any more, but workloads say that it lists " + places.get(queue)));
  }

  /**
   * Checks what a ClusterQueue lists.
   *
   * @param places the heads and holders that it should list, according to the workloads
   */
  private void checkPlaces(QueueState queue, Set<Object> places) {
    PendingQueue pending = queue.pending();
    List<PendingWorkload> active = pending.active();
    Multiset<Object> listed = HashMultiset.create(active);
    listed.addAll(pending.parked());
    listed.addAll(queue.quota().holders());
    Multiset<Object> expected = HashMultiset.create(places);
    Multisets.difference(expected, listed)
        .forEach(place -> violations.add("workload " + place + " is in ClusterQueue " + queue.name()
            + ", which does not list it"));
    Multisets.difference(listed, expected)
        .forEach(place -> violations.add("ClusterQueue " + queue.name() + " lists workload " + place
            + " once more than the workload says"));
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

  // ----- what follows from the configuration

  private void checkQueues() {
    for (QueueState queue : state.queues()) {
      compare(
          "whether ClusterQueue " + queue.name() + " is active is",
          state.configuration().inactivity(queue.spec()).isEmpty(),
          queue.quota().isActive());
      compare(
          "the end of the next backoff in ClusterQueue " + queue.name() + " is",
          Optional.ofNullable(queue.pending().nextRelease()),
          Optional.ofNullable(state.queueStore().backoffs().get(queue.name())));
    }
  }

  private void checkWorkloads() {
    for (WorkloadRecord record : state.workloads().all()) {
      compare(
          "the priority of workload " + record.id() + " is",
          state.configuration().effectivePriority(record.workload()),
          record.compiled().priority());
      if (record.reservation() == null && !record.hasVariants()) {
        compare(
            "the ClusterQueue that workload " + record.id() + " waits in is",
            state.pending().isQueueable(record)
                ? state.pending().target(record).map(QueueState::name)
                : Optional.empty(),
            Optional.ofNullable(record.head()).map(head -> head.queue().name()));
      }
      if (!record.hasVariants() && !record.lifecycle().isStopping()) {
        compare(
            "the admission checks of workload " + record.id() + " are",
            requiredChecks(record),
            record.lifecycle().checks().byName().stream()
                .map(AdmissionCheckState::name)
                .collect(toCollection(TreeSet::new)));
      }
    }
  }

  private Set<String> requiredChecks(WorkloadRecord record) {
    return state
        .workloads()
        .clusterQueueOf(record)
        .flatMap(state::queue)
        .map(queue -> CheckList.required(queue.spec(), record.admission().orElse(null)))
        .orElse(Set.of());
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
