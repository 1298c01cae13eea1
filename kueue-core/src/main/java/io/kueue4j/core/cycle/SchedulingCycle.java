package io.kueue4j.core.cycle;

import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.queue.RequeueReason;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling cycle over some heads. The quota trees are as before when it ends; the caller acts
 * on the attempts.
 *
 * <p>Rules: S-1, S-2, S-4 … S-13, S-16 … S-19, S-23.
 */
public final class SchedulingCycle {
  private final Nominator nominator;
  private final CycleRules rules;
  private final Function<Candidate, @Nullable Attempt> inadmissibility;

  /**
   * Creates the cycle.
   *
   * @param nominator nominates heads
   * @param rules the settings
   * @param inadmissibility tells why a head cannot be looked at, null if it can
   */
  public SchedulingCycle(
      Nominator nominator,
      CycleRules rules,
      Function<Candidate, @Nullable Attempt> inadmissibility) {
    this.nominator = nominator;
    this.rules = rules;
    this.inadmissibility = inadmissibility;
  }

  /**
   * Runs the cycle.
   *
   * @param heads the heads, at most one of each ClusterQueue
   * @param cycle the number of the cycle
   * @return how it ended for each head, in the order in which they were processed
   */
  public Map<Candidate, Attempt> run(List<Candidate> heads, long cycle) {
    Map<Candidate, Attempt> attempts = new LinkedHashMap<>();
    List<Entry> entries = new ArrayList<>(heads.size());
    for (Candidate head : heads) {
      Attempt attempt = inadmissibility.apply(head);
      if (attempt != null) {
        attempts.put(head, attempt);
      } else {
        entries.add(new Entry(head, nominator.nominate(head, cycle)));
      }
    }
    entries.sort(Entry.order(rules.sortsByPriority()));
    Map<QuotaTree, Integer> trials = new LinkedHashMap<>();
    for (Entry entry : entries) {
      QuotaTree tree = entry.head().queue().quota().tree();
      trials.computeIfAbsent(tree, QuotaTree::checkpoint);
      attempts.put(entry.head(), process(entry));
    }
    trials.forEach(QuotaTree::rollback);
    return attempts;
  }

  private Attempt process(Entry entry) {
    Assignment assignment = entry.assignment();
    QueueQuota queue = entry.head().queue().quota();
    switch (assignment.mode()) {
      case NO_FIT -> {
        return Attempt.failed(
            assignment, RequeueReason.NO_FIT, assignment.cause(), assignment.reasons());
      }
      case PREEMPT -> {
        reserve(assignment, queue);
        return Attempt.failed(
            assignment,
            RequeueReason.PREEMPTION_NO_CANDIDATES,
            PendingCause.WAITING_FOR_QUOTA,
            assignment.reasons());
      }
      default -> {
        ReasonLog shortage = shortage(assignment, queue);
        if (shortage != null) {
          if (!rules.preservesScanProgress()) {
            entry.head().setProgress(null);
          }
          return Attempt.failed(
              assignment,
              RequeueReason.FAILED_AFTER_NOMINATION,
              PendingCause.WAITING_FOR_QUOTA,
              shortage);
        }
        use(assignment, queue);
        return Attempt.admitted(assignment);
      }
    }
  }

  /**
   * {@return what does not fit any more after the entries before, null if all does; rules Q-13,
   * S-11}
   */
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

  /**
   * Holds room for a workload that waits without victims, unless its queue can reclaim the room at
   * any time.
   */
  private static void reserve(Assignment assignment, QueueQuota queue) {
    if (queue.compiled().source().preemption().reclaimWithinCohort() == PreemptionPolicy.ANY) {
      return;
    }
    QuotaTree tree = queue.tree();
    int node = queue.node();
    for (int i = 0; i < assignment.size(); i++) {
      int column = tree.column(assignment.pair(i));
      long room = Amount.subtract(tree.nominal(node, column), tree.usage(node, column));
      long held;
      if (assignment.borrowLevel() == 0) {
        held = Math.max(0, Math.min(assignment.amount(i), room));
      } else {
        held = Math.min(assignment.amount(i), Amount.add(room, tree.borrowingLimit(node, column)));
      }
      tree.add(node, column, held);
    }
  }
}
