package io.kueue4j.core.internal.cycle;

import com.google.common.collect.Lists;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict.Recomputation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.preemption.Exemptions;
import io.kueue4j.core.internal.preemption.PreemptionBounds;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes the entries of one cycle one after another; each sees the usage and the victims of the
 * earlier ones.
 *
 * <p>Rules: S-2, S-10, S-11, S-12, S-13, S-14, S-15, S-16, S-17, S-18, S-19, S-20, S-21, S-23,
 * P-18, P-19, PL-1, PL-2, PL-3, L-25, E-6, CA-3, CA-4, T-72, T-73, T-74, TPU-F-22, PS-5, PS-8,
 * PS-12.
 */
final class EntryProcessor {
  private final Nominator nominator;
  private final Settings settings;
  private final PreemptionGuard guard;
  private final PromiseGuard promises;
  private final @Nullable PreemptionBounds bounds;
  private final long cycle;
  private final Instant now;

  /** The workloads admitted in this cycle, if any start is promised. */
  private final Set<WorkloadId> admitted = new HashSet<>();

  /** Whether an entry of this cycle uses or holds room. */
  private boolean hasTakenRoom;

  /** The victims of each tree of the entries so far. */
  private final Map<QuotaTree, TreeVictims> victims = new LinkedHashMap<>();

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

  EntryProcessor(
      Nominator nominator,
      Settings settings,
      PreemptionGuard guard,
      PromiseGuard promises,
      @Nullable PreemptionBounds bounds,
      long cycle,
      Instant now) {
    this.nominator = nominator;
    this.settings = settings;
    this.guard = guard;
    this.promises = promises;
    this.bounds = bounds;
    this.cycle = cycle;
    this.now = now;
  }

  /** Undoes all changes of the quota trees. */
  void restore() {
    // Trials are nested.
    Lists.reverse(List.copyOf(victims.values())).forEach(TreeVictims::rollback);
  }

  /** {@return the victims in the tree of an entry; the first entry of a tree begins its trial} */
  private TreeVictims victims(Entry entry) {
    return victims.computeIfAbsent(entry.queue().tree(), TreeVictims::new);
  }

  /**
   * {@return a tree with the usage of {@code tree} that determines shares: including the victims,
   * which hold their quota until they have stopped}
   */
  QuotaTree usageOfShares(QuotaTree tree) {
    TreeVictims ofTree = victims.get(tree);
    return ofTree == null ? tree : ofTree.withVictims();
  }

  Attempt process(Entry nominated) {
    boolean overlaps = victims(nominated).containsAny(nominated.leaving());
    if (settings.isEnabled(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP)
        && overlaps) {
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
      Entry entry = nominator.renominate(nominated, cycle, bounds);
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
      Exemptions exemptions = entry.exemptions();
      return withoutVictims(entry, exemptions == null ? null : exemptions.refusal());
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
    return processFitting(entry, true);
  }

  /** {@return the result of the second search for victims, which ended with {@code attempt}} */
  private Recomputation recomputation(Entry entry, AssignmentMode mode, Attempt attempt) {
    if (mode == AssignmentMode.DEFERRED_FIT) {
      return Recomputation.DEFERRED_FIT;
    }
    boolean found = !attempt.victims().isEmpty()
        // A gated attempt does not say whether the entry would have fitted.
        || (attempt.isGated()
            && !victims(entry).containsAny(entry.leaving())
            && shortage(entry) == null);
    return found ? Recomputation.NEW_TARGETS : Recomputation.SKIPPED;
  }

  /**
   * Processes an entry that fits; {@code mayMove} says whether it may get other flavors or places.
   */
  private Attempt processFitting(Entry entry, boolean mayMove) {
    Assignment assignment = entry.assignment();
    if (victims(entry).containsAny(entry.leaving())) {
      forgetProgressOfSkipped(entry);
      return Attempt.overtaken(assignment);
    }
    Shortage shortage = shortage(entry);
    if (shortage == null && settings.strictQuota() && assignment.mode() == AssignmentMode.FIT) {
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
    Reason delay = delay(entry);
    Assignment beside =
        delay == null || !mayMove ? null : promises.besideWindows(entry.head(), now);
    if (beside != null) {
      return processFitting(
          new Entry(entry.head(), beside, List.of(), null, null, settings), false);
    }
    if (delay != null) {
      // The next cycle knows when what this cycle has admitted ends, and holds no room for others.
      return Attempt.inadmissible(
          hasTakenRoom ? RequeueReason.FAILED_AFTER_NOMINATION : RequeueReason.DELAYS_PROMISE,
          PendingCause.WAITING_FOR_QUOTA,
          delay);
    }
    Refusal refusal = bounds == null ? null : refusal(entry, bounds);
    if (refusal != null) {
      return withoutVictims(entry, refusal);
    }
    victims(entry).take(entry.leaving());
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
    if (!promises.isEmpty()) {
      admitted.add(entry.head().id());
    }
    return Attempt.admitted(assignment);
  }

  /** Holds room for an entry for which nothing may be preempted now. */
  private Attempt withoutVictims(Entry entry, @Nullable Refusal refusal) {
    reserve(entry);
    return Attempt.failed(
            entry.assignment(),
            RequeueReason.PREEMPTION_NO_CANDIDATES,
            PendingCause.WAITING_FOR_QUOTA,
            entry.assignment().reasons())
        .withRefusal(refusal);
  }

  /** {@return why limits do not allow the victims of an entry; the victims count if they do} */
  private static @Nullable Refusal refusal(Entry entry, PreemptionBounds bounds) {
    if (entry.assignment().mode() != AssignmentMode.PREEMPT) {
      return null;
    }
    String preemptor = entry.queue().name();
    Refusal refusal =
        bounds.refusal(preemptor, entry.assignment(), entry.victims(), entry.exemptions());
    if (refusal == null) {
      bounds.count(preemptor, entry.assignment(), entry.victims());
    }
    return refusal;
  }

  /**
   * {@return which promised start the entry would delay or which window it would run into, null if
   * none; without all victims so far and its own}
   */
  private @Nullable Reason delay(Entry entry) {
    if (promises.isEmpty()) {
      return null;
    }
    PromiseGuard.Query query =
        new PromiseGuard.Query(entry.head(), entry.assignment(), entry.leaving(), admitted);
    return withoutLeaving(entry, () -> promises.delay(query, now));
  }

  /**
   * TPU slices are placed anew regardless of the settings of topologies, unless they are known not
   * to fit: then the places are those in empty pools.
   */
  private boolean recomputesPlaces(Entry entry) {
    Places places = entry.assignment().places();
    if (places == null || places.slices().isEmpty()) {
      return settings.isEnabled(FeatureGate.TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE);
    }
    return entry.assignment().mode() == AssignmentMode.FIT || !entry.victims().isEmpty();
  }

  private void forgetProgressOfSkipped(Entry entry) {
    if (!settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)) {
      entry.head().setProgress(null);
    }
  }

  private void excludeVictims(Entry entry) {
    victims(entry).exclude();
    if (entry.assignment().places() != null) {
      victims.values().forEach(TreeVictims::excludeFromNodes);
    }
  }

  private void includeVictims(Entry entry) {
    victims(entry).include();
    if (entry.assignment().places() != null) {
      victims.values().forEach(TreeVictims::includeOnNodes);
    }
  }

  /** {@return the entry as nominated without all victims of the cycle so far} */
  private Entry renominate(Entry entry) {
    excludeVictims(entry);
    return nominator.renominate(entry, cycle, bounds);
  }

  /**
   * {@return what does not fit even without all victims so far and its own, null if everything
   * fits}
   */
  private @Nullable Shortage shortage(Entry entry) {
    return withoutLeaving(entry, () -> shortageAsItIs(entry));
  }

  /**
   * {@return the result of {@code action} without all victims so far and what leaves for the entry}
   */
  private <R extends @Nullable Object> R withoutLeaving(Entry entry, Supplier<R> action) {
    QuotaTree tree = entry.queue().tree();
    excludeVictims(entry);
    if (entry.leaving().isEmpty()) {
      return action.get();
    }
    return tree.inTrial(() -> {
      for (QuotaHolder leaving : entry.leaving()) {
        if (!victims(entry).contains(leaving)) {
          tree.layout().queueOf(leaving).uncharge(leaving);
        }
      }
      return action.get();
    });
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
    return tree.inTrial(() -> {
      for (Room room : held) {
        if (room.queue().tree().equals(tree)) {
          tree.remove(room.queue().node(), room.column(), room.amount());
        }
      }
      ReasonLog log = quotaShortage(entry);
      return log == null ? null : new Shortage(log, false);
    });
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
    hasTakenRoom = true;
    QueueQuota queue = entry.queue();
    useNodes(entry);
    for (int i = 0; i < entry.size(); i++) {
      victims(entry).add(queue, queue.tree().column(entry.pair(i)), entry.amount(i));
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
      hold(entry, queue.tree().column(entry.pair(i)), entry.amount(i));
    }
  }

  private void hold(Entry entry, int column, long amount) {
    hasTakenRoom = true;
    victims(entry).add(entry.queue(), column, amount);
    if (settings.strictQuota() && amount > 0) {
      held.add(new Room(entry.queue(), column, amount));
    }
  }

  /**
   * Holds room for an entry that waits without victims, unless its queue can reclaim the room at
   * any time.
   */
  private void reserve(Entry entry) {
    QueueQuota queue = entry.queue();
    boolean mayReclaimAll =
        queue.spec().preemption().reclaimWithinCohort() == Preemption.Policy.ANY;
    if (mayReclaimAll && !entry.isPreemptor()) {
      return;
    }
    useNodes(entry);
    QuotaTree tree = queue.tree();
    for (int i = 0; i < entry.size(); i++) {
      int column = tree.column(entry.pair(i));
      long amount = entry.amount(i);
      long used = victims(entry).usage(queue, column);
      long free = Amount.subtract(tree.nominal(queue.node(), column), used);
      // Negative, and thus makes more available, if the queue exceeds its borrowing limit.
      long room = entry.assignment().borrowLevel() == 0
          ? Math.max(0, Math.min(amount, free))
          : Math.min(amount, Amount.add(free, tree.borrowingLimit(queue.node(), column)));
      hold(entry, column, room);
    }
  }
}
