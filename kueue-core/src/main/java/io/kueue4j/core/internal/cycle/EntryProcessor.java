package io.kueue4j.core.internal.cycle;

import com.google.common.collect.Lists;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.flavor.AssignmentMode;
import io.kueue4j.core.internal.flavor.Places;
import io.kueue4j.core.internal.flavor.ReasonLog;
import io.kueue4j.core.internal.queue.RequeueReason;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.TargetRecomputation;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Processes the entries of one cycle one after another; each sees the usage and the victims of the
 * earlier ones.
 *
 * <p>Rules: S-2, S-10, S-11, S-12, S-13, S-14, S-15, S-16, S-17, S-18, S-19, S-20, S-21, S-23,
 * P-18, P-19, L-25, E-6, CA-3, CA-4, T-72, T-73, T-74, TPU-F-22.
 */
final class EntryProcessor {
  private final Nominator nominator;
  private final CycleRules rules;
  private final PreemptionGuard guard;
  private final long cycle;
  private final Map<QuotaTree, Integer> checkpoints = new LinkedHashMap<>();
  private final CycleVictims taken = new CycleVictims();

  /** The room charged in this cycle for workloads that are not admitted in it. */
  private final List<Room> held = new ArrayList<>();

  private record Room(QueueQuota queue, int column, long amount) {}

  /**
   * What does not fit.
   *
   * @param log the figures
   * @param ofNodes whether the quota suffices and only the nodes do not
   */
  private record Shortage(ReasonLog log, boolean ofNodes) {}

  EntryProcessor(Nominator nominator, CycleRules rules, PreemptionGuard guard, long cycle) {
    this.nominator = nominator;
    this.rules = rules;
    this.guard = guard;
    this.cycle = cycle;
  }

  /** Undoes all changes of the quota trees. */
  void restore() {
    taken.restore();
    Lists.reverse(List.copyOf(checkpoints.entrySet()))
        .forEach(begun -> begun.getKey().rollback(begun.getValue()));
  }

  Attempt process(Entry nominated) {
    QuotaTree tree = nominated.queue().tree();
    checkpoints.computeIfAbsent(tree, QuotaTree::checkpoint);
    return attempt(nominated);
  }

  /**
   * {@return a tree with the usage of {@code tree} that determines shares: including the victims,
   * which hold their quota until they have stopped}
   */
  QuotaTree usageOfShares(QuotaTree tree) {
    return taken.withVictims(tree);
  }

  private Attempt attempt(Entry nominated) {
    if (rules.recomputesOverlaps() && taken.containsAny(nominated.queue(), nominated.leaving())) {
      Entry entry = renominate(nominated);
      AssignmentMode mode = entry.assignment().mode() == AssignmentMode.FIT
          ? AssignmentMode.DEFERRED_FIT
          : entry.assignment().mode();
      Attempt attempt = attempt(entry, mode);
      return attempt.withRecomputation(recomputation(entry, mode, attempt));
    }
    if (recomputesPlaces(nominated) && lacksNodesOnly(nominated)) {
      // The victims of this cycle still hold their quota and nodes here (T-74).
      includeVictims(nominated);
      Entry entry = nominator.renominate(nominated, cycle);
      return attempt(entry, entry.assignment().mode());
    }
    return attempt(nominated, nominated.assignment().mode());
  }

  private Attempt attempt(Entry entry, AssignmentMode mode) {
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
    if (mode == AssignmentMode.PREEMPT && !guard.mayPreempt(entry.head())) {
      entry.head().setProgress(null);
      return Attempt.gated(assignment);
    }
    if (mode == AssignmentMode.DEFERRED_FIT) {
      hold(entry);
      entry.head().setProgress(null);
      return Attempt.waiting(assignment, List.of());
    }
    return processFitting(entry);
  }

  /** {@return the result of the second search for victims, which ended with {@code attempt}} */
  private TargetRecomputation recomputation(Entry entry, AssignmentMode mode, Attempt attempt) {
    if (mode == AssignmentMode.DEFERRED_FIT) {
      return TargetRecomputation.DEFERRED_FIT;
    }
    boolean found = !attempt.victims().isEmpty()
        // A gated attempt does not say whether the entry would have fitted.
        || (attempt.isGated()
            && !taken.containsAny(entry.queue(), entry.leaving())
            && shortage(entry) == null);
    return found ? TargetRecomputation.NEW_TARGETS : TargetRecomputation.SKIPPED;
  }

  private Attempt processFitting(Entry entry) {
    Assignment assignment = entry.assignment();
    if (taken.containsAny(entry.queue(), entry.leaving())) {
      forgetProgressOfSkipped(entry);
      return Attempt.overtaken(assignment);
    }
    Shortage shortage = shortage(entry);
    if (shortage == null && rules.strictQuota() && assignment.mode() == AssignmentMode.FIT) {
      shortage = shortageNow(entry);
    }
    if (shortage != null) {
      forgetProgressOfSkipped(entry);
      return Attempt.failed(
          assignment,
          RequeueReason.FAILED_AFTER_NOMINATION,
          PendingCause.WAITING_FOR_QUOTA,
          shortage.log);
    }
    taken.take(entry.queue(), entry.leaving());
    if (assignment.mode() == AssignmentMode.PREEMPT) {
      hold(entry);
      entry.head().setProgress(null);
      return Attempt.waiting(assignment, entry.victims());
    }
    if (guard.runsElsewhere(entry.head())) {
      hold(entry);
      entry.head().setProgress(null);
      return Attempt.migrating(assignment);
    }
    use(entry);
    return Attempt.admitted(assignment);
  }

  /**
   * TPU slices are placed anew regardless of the settings of topologies, unless they are known not
   * to fit: then the places are those in empty pools.
   */
  private boolean recomputesPlaces(Entry entry) {
    Places places = entry.assignment().places();
    if (places == null || places.slices().isEmpty()) {
      return rules.recomputesPlaces();
    }
    return entry.assignment().mode() == AssignmentMode.FIT || !entry.victims().isEmpty();
  }

  private void forgetProgressOfSkipped(Entry entry) {
    if (!rules.preservesScanProgress()) {
      entry.head().setProgress(null);
    }
  }

  private void excludeVictims(Entry entry) {
    taken.exclude(entry.queue().tree(), entry.assignment().places() != null);
  }

  private void includeVictims(Entry entry) {
    taken.include(entry.queue().tree(), entry.assignment().places() != null);
  }

  /** {@return the entry as nominated without all victims of the cycle so far} */
  private Entry renominate(Entry entry) {
    excludeVictims(entry);
    return nominator.renominate(entry, cycle);
  }

  /**
   * {@return what does not fit even without all victims so far and its own, null if everything
   * fits}
   */
  private @Nullable Shortage shortage(Entry entry) {
    QueueQuota queue = entry.queue();
    QuotaTree tree = queue.tree();
    excludeVictims(entry);
    if (entry.leaving().isEmpty()) {
      return shortageAsItIs(entry);
    }
    int checkpoint = tree.checkpoint();
    try {
      for (QuotaHolder leaving : entry.leaving()) {
        if (!taken.contains(queue, leaving)) {
          tree.layout().queueOf(leaving).uncharge(leaving);
        }
      }
      return shortageAsItIs(entry);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private @Nullable Shortage shortageAsItIs(Entry entry) {
    ReasonLog log = quotaShortage(entry);
    return log == null ? nodeShortage(entry) : new Shortage(log, false);
  }

  private @Nullable Shortage nodeShortage(Entry entry) {
    Places places = entry.assignment().places();
    int misplaced =
        places == null ? -1 : nominator.placer().firstMisplaced(entry.head().compiled(), places);
    if (misplaced < 0) {
      return null;
    }
    ReasonLog log = new ReasonLog();
    boolean ofSlices = places != null && places.slicesOf(misplaced) != null;
    log.add(
        ofSlices ? ReasonCode.SLICES_TAKEN_IN_CYCLE : ReasonCode.NODES_TAKEN_IN_CYCLE, misplaced);
    return new Shortage(log, true);
  }

  private boolean lacksNodesOnly(Entry entry) {
    if (entry.assignment().mode() == AssignmentMode.NO_FIT || entry.assignment().places() == null) {
      return false;
    }
    Shortage shortage = shortage(entry);
    return shortage != null && shortage.ofNodes;
  }

  /**
   * {@return what does not fit in the quota while all victims still hold theirs, null if everything
   * fits}
   *
   * <p>Nodes do not matter here: the setting concerns quota, and pods wait for nodes by themselves.
   */
  private @Nullable Shortage shortageNow(Entry entry) {
    QueueQuota queue = entry.queue();
    QuotaTree tree = queue.tree();
    includeVictims(entry);
    int checkpoint = tree.checkpoint();
    try {
      for (Room room : held) {
        if (room.queue().tree().equals(tree)) {
          tree.remove(room.queue().node(), room.column(), room.amount());
        }
      }
      ReasonLog log = quotaShortage(entry);
      return log == null ? null : new Shortage(log, false);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private static @Nullable ReasonLog quotaShortage(Entry entry) {
    QueueQuota queue = entry.queue();
    ReasonLog log = null;
    for (int i = 0; i < entry.size(); i++) {
      FlavorResource pair = entry.pair(i);
      long available = queue.available(pair);
      if (entry.amount(i) > available) {
        log = log == null ? new ReasonLog() : log;
        log.addShortage(
            ReasonCode.TAKEN_IN_CYCLE,
            entry.assignment().podSetUsing(pair),
            pair.flavor(),
            pair.resource(),
            entry.amount(i),
            queue.usage(pair),
            available,
            queue.tree().nominal(queue.node(), queue.tree().column(pair)));
      }
    }
    return log;
  }

  private void use(Entry entry) {
    QueueQuota queue = entry.queue();
    useNodes(entry);
    for (int i = 0; i < entry.size(); i++) {
      taken.add(queue, queue.tree().column(entry.pair(i)), entry.amount(i));
    }
  }

  private void useNodes(Entry entry) {
    Places places = entry.assignment().places();
    if (places != null) {
      nominator.placer().charge(entry.head().compiled(), places);
    }
  }

  private void hold(Entry entry) {
    useNodes(entry);
    QueueQuota queue = entry.queue();
    for (int i = 0; i < entry.size(); i++) {
      hold(queue, queue.tree().column(entry.pair(i)), entry.amount(i));
    }
  }

  private void hold(QueueQuota queue, int column, long amount) {
    taken.add(queue, column, amount);
    if (rules.strictQuota() && amount > 0) {
      held.add(new Room(queue, column, amount));
    }
  }

  /**
   * Holds room for an entry that waits without victims, unless its queue can reclaim the room at
   * any time.
   */
  private void reserve(Entry entry) {
    QueueQuota queue = entry.queue();
    boolean mayReclaimAll = queue.spec().preemption().reclaimWithinCohort() == PreemptionPolicy.ANY;
    if (mayReclaimAll && !entry.isPreemptor()) {
      return;
    }
    useNodes(entry);
    QuotaTree tree = queue.tree();
    for (int i = 0; i < entry.size(); i++) {
      int column = tree.column(entry.pair(i));
      long amount = entry.amount(i);
      long free = Amount.subtract(tree.nominal(queue.node(), column), taken.usage(queue, column));
      // Negative, and thus makes more available, if the queue exceeds its borrowing limit.
      long room = entry.assignment().borrowLevel() == 0
          ? Math.max(0, Math.min(amount, free))
          : Math.min(amount, Amount.add(free, tree.borrowingLimit(queue.node(), column)));
      hold(queue, column, room);
    }
  }
}
