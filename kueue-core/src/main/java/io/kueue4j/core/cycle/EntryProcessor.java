package io.kueue4j.core.cycle;

import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.AssignmentMode;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.preemption.Victim;
import io.kueue4j.core.queue.RequeueReason;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Processes the entries of one cycle one after another; each sees the usage and the victims of
 * those before.
 *
 * <p>Rules: S-2, S-10 … S-13, S-15 … S-20, S-23.
 */
final class EntryProcessor {
  private final Nominator nominator;
  private final CycleRules rules;
  private final long cycle;
  private final Map<QuotaTree, Integer> checkpoints = new LinkedHashMap<>();
  private final Map<QuotaTree, Set<QuotaHolder>> takenOfTree = new HashMap<>();

  /** What is charged in this cycle for workloads that are not admitted in it. */
  private final List<Room> held = new ArrayList<>();

  private record Room(QueueQuota queue, int column, long amount) {}

  EntryProcessor(Nominator nominator, CycleRules rules, long cycle) {
    this.nominator = nominator;
    this.rules = rules;
    this.cycle = cycle;
  }

  /** Undoes what processing did to the quota trees. */
  void restore() {
    checkpoints.forEach(QuotaTree::rollback);
  }

  Attempt process(Entry nominated) {
    QueueQuota queue = nominated.head().queue().quota();
    checkpoints.computeIfAbsent(queue.tree(), QuotaTree::checkpoint);
    Entry entry = nominated;
    AssignmentMode mode = entry.assignment().mode();
    if (rules.recomputesOverlaps() && overlaps(entry.victims(), queue)) {
      entry = renominate(entry);
      mode = entry.assignment().mode() == AssignmentMode.FIT
          ? AssignmentMode.DEFERRED_FIT
          : entry.assignment().mode();
    }
    Assignment assignment = entry.assignment();
    if (mode == AssignmentMode.NO_FIT) {
      return Attempt.failed(
          assignment, RequeueReason.NO_FIT, assignment.cause(), assignment.reasons());
    }
    if (mode == AssignmentMode.PREEMPT && entry.victims().isEmpty()) {
      reserve(entry);
      return Attempt.failed(
          assignment,
          RequeueReason.PREEMPTION_NO_CANDIDATES,
          PendingCause.WAITING_FOR_QUOTA,
          assignment.reasons());
    }
    if (mode == AssignmentMode.DEFERRED_FIT) {
      hold(assignment, queue);
      entry.head().setProgress(null);
      return Attempt.waiting(assignment, List.of());
    }
    return processFitting(entry);
  }

  private Attempt processFitting(Entry entry) {
    Assignment assignment = entry.assignment();
    QueueQuota queue = entry.head().queue().quota();
    if (overlaps(entry.victims(), queue)) {
      forgetProgressOfSkipped(entry);
      return Attempt.overtaken(assignment);
    }
    ReasonLog shortage = shortage(entry, queue);
    if (shortage == null && rules.strictQuota() && assignment.mode() == AssignmentMode.FIT) {
      shortage = shortageNow(assignment, queue);
    }
    if (shortage != null) {
      forgetProgressOfSkipped(entry);
      return Attempt.failed(
          assignment,
          RequeueReason.FAILED_AFTER_NOMINATION,
          PendingCause.WAITING_FOR_QUOTA,
          shortage);
    }
    take(entry.victims(), queue);
    if (assignment.mode() == AssignmentMode.PREEMPT) {
      hold(assignment, queue);
      entry.head().setProgress(null);
      return Attempt.waiting(assignment, entry.victims());
    }
    use(assignment, queue);
    return Attempt.admitted(assignment);
  }

  private void forgetProgressOfSkipped(Entry entry) {
    if (!rules.preservesScanProgress()) {
      entry.head().setProgress(null);
    }
  }

  /**
   * {@return who is preempted in this cycle of the tree, in the order in which that was decided}
   */
  private Set<QuotaHolder> taken(QueueQuota queue) {
    return takenOfTree.getOrDefault(queue.tree(), Set.of());
  }

  private void take(List<Victim> victims, QueueQuota queue) {
    if (!victims.isEmpty()) {
      Set<QuotaHolder> taken =
          takenOfTree.computeIfAbsent(queue.tree(), unused -> new LinkedHashSet<>());
      victims.forEach(victim -> taken.add(victim.holder()));
    }
  }

  private boolean overlaps(List<Victim> victims, QueueQuota queue) {
    if (victims.isEmpty()) {
      return false;
    }
    Set<QuotaHolder> taken = taken(queue);
    return victims.stream().anyMatch(victim -> taken.contains(victim.holder()));
  }

  /** {@return the entry as it would be nominated if all victims taken so far were gone} */
  private Entry renominate(Entry entry) {
    QueueQuota queue = entry.head().queue().quota();
    Set<QuotaHolder> taken = taken(queue);
    QuotaTree tree = queue.tree();
    int checkpoint = tree.checkpoint();
    try {
      for (QuotaHolder holder : taken) {
        holder.setAside(true);
        holder.uncharge();
      }
      return nominator.renominate(entry, cycle);
    } finally {
      taken.forEach(holder -> holder.setAside(false));
      tree.rollback(checkpoint);
    }
  }

  /**
   * {@return what does not fit even when all victims so far and its own are gone, null if all does}
   */
  private @Nullable ReasonLog shortage(Entry entry, QueueQuota queue) {
    QuotaTree tree = queue.tree();
    int checkpoint = tree.checkpoint();
    try {
      taken(queue).forEach(QuotaHolder::uncharge);
      entry.victims().forEach(victim -> victim.holder().uncharge());
      return shortage(entry.assignment(), queue);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  /** {@return what does not fit while all victims hold their quota still, null if all does} */
  private @Nullable ReasonLog shortageNow(Assignment assignment, QueueQuota queue) {
    QuotaTree tree = queue.tree();
    int checkpoint = tree.checkpoint();
    try {
      for (Room room : held) {
        if (room.queue().tree().equals(tree)) {
          tree.remove(room.queue().node(), room.column(), room.amount());
        }
      }
      return shortage(assignment, queue);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private static @Nullable ReasonLog shortage(Assignment assignment, QueueQuota queue) {
    ReasonLog log = null;
    for (int i = 0; i < assignment.size(); i++) {
      int pair = assignment.pair(i);
      long available = queue.available(pair);
      if (assignment.amount(i) > available) {
        log = log == null ? new ReasonLog() : log;
        log.addShortage(
            ReasonCode.TAKEN_IN_CYCLE,
            assignment.podSetUsing(pair),
            queue.compiled().catalog().flavorOfPair(pair),
            queue.compiled().catalog().resourceOfPair(pair),
            assignment.amount(i),
            queue.usage(pair),
            available,
            queue.tree().nominal(queue.node(), queue.tree().column(pair)));
      }
    }
    return log;
  }

  private static void use(Assignment assignment, QueueQuota queue) {
    for (int i = 0; i < assignment.size(); i++) {
      queue.tree().add(queue.node(), queue.tree().column(assignment.pair(i)), assignment.amount(i));
    }
  }

  private void hold(Assignment assignment, QueueQuota queue) {
    for (int i = 0; i < assignment.size(); i++) {
      hold(queue, queue.tree().column(assignment.pair(i)), assignment.amount(i));
    }
  }

  private void hold(QueueQuota queue, int column, long amount) {
    queue.tree().add(queue.node(), column, amount);
    if (rules.strictQuota() && amount > 0) {
      held.add(new Room(queue, column, amount));
    }
  }

  /**
   * Holds room for a workload that waits without victims, unless its queue can reclaim the room at
   * any time.
   */
  private void reserve(Entry entry) {
    QueueQuota queue = entry.head().queue().quota();
    boolean mayReclaimAll =
        queue.compiled().source().preemption().reclaimWithinCohort() == PreemptionPolicy.ANY;
    if (mayReclaimAll && !entry.isPreemptor(rules)) {
      return;
    }
    Assignment assignment = entry.assignment();
    QuotaTree tree = queue.tree();
    int node = queue.node();
    for (int i = 0; i < assignment.size(); i++) {
      int column = tree.column(assignment.pair(i));
      long room = Amount.subtract(tree.nominal(node, column), tree.usage(node, column));
      long amount = assignment.borrowLevel() == 0
          ? Math.max(0, Math.min(assignment.amount(i), room))
          : Math.min(assignment.amount(i), Amount.add(room, tree.borrowingLimit(node, column)));
      hold(queue, column, amount);
    }
  }
}
