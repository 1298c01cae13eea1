package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules H-14, H-15, H-16, H-17, H-18, H-19, H-20, H-21, H-22, H-23 and SP-1, implemented literally:
 * collects all candidates, and visits every node each time.
 */
final class NaiveFairSearch {
  private final Settings settings;
  private final List<FairSharingStrategy> strategies;
  private final Preemptor preemptor;
  private final Demand demand;
  private final LocalQueueUsage usage;

  NaiveFairSearch(Settings settings, Preemptor preemptor, Demand demand, LocalQueueUsage usage) {
    this.settings = settings;
    this.strategies = settings.fairSharing().orElseThrow();
    this.preemptor = preemptor;
    this.demand = demand;
    this.usage = usage;
  }

  List<Victim> search() {
    NaiveOrder order = new NaiveOrder(preemptor.queue(), usage);
    List<QuotaHolder> candidates = NaiveOrder.sorted(candidates(), holder -> holder, order);
    if (candidates.isEmpty()) {
      return List.of();
    }
    QuotaTree tree = preemptor.queue().tree();
    int checkpoint = tree.checkpoint();
    try {
      return take(candidates, order);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private List<Victim> take(List<QuotaHolder> candidates, NaiveOrder order) {
    demand.charge();
    boolean unconditional = settings.isEnabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL)
        && demand.needed().isWithinNominal(preemptor.queue().node());
    Passes passes = new Passes(preemptor.queue(), demand, order);
    boolean fits = passes.first(candidates, strategies.get(0), unconditional)
        || (strategies.size() > 1 && passes.second());
    List<Victim> victims = passes.victims();
    demand.uncharge();
    if (!fits) {
      return List.of();
    }
    if (!settings.strictFairSharing()) {
      demand.fillBack(victims, true);
      return victims;
    }
    List<Victim> needed = fairPart(victims, List.of(), passes);
    return needed.isEmpty() ? fairPart(others(victims), own(victims), passes) : needed;
  }

  /** Rule SP-1. */
  private List<Victim> fairPart(List<Victim> some, List<Victim> always, Passes passes) {
    int checkpoint = preemptor.queue().tree().checkpoint();
    try {
      List<Victim> part = new ArrayList<>(some);
      demand.fillBack(part, true);
      part.addAll(always);
      demand.charge();
      boolean areFair = others(part).stream()
          .filter(victim -> victim.reason() == PreemptionReason.IN_COHORT_FAIR_SHARING)
          .allMatch(victim -> passes.isFair(victim.holder(), strategies));
      return areFair ? part : List.of();
    } finally {
      preemptor.queue().tree().rollback(checkpoint);
    }
  }

  private List<Victim> own(List<Victim> victims) {
    return victims.stream()
        .filter(
            victim -> victim.holder().clusterQueue().equals(preemptor.queue().name()))
        .toList();
  }

  private List<Victim> others(List<Victim> victims) {
    List<Victim> others = new ArrayList<>(victims);
    others.removeAll(own(victims));
    return others;
  }

  private List<QuotaHolder> candidates() {
    QueueQuota own = preemptor.queue();
    List<QuotaHolder> found = new ArrayList<>(PreemptionFixture.candidates(preemptor, own, demand));
    TreeLayout layout = own.tree().layout();
    for (int node = demand.needed().nextBorrowing(0);
        node < own.tree().nodeCount();
        node = demand.needed().nextBorrowing(node + 1)) {
      if (layout.isQueue(node) && node != own.node() && layout.queue(node).isActive()) {
        found.addAll(PreemptionFixture.candidates(preemptor, layout.queue(node), demand));
      }
    }
    return found;
  }

  /** The two passes over candidates. */
  private static final class Passes {
    private final QueueQuota own;
    private final QuotaTree tree;
    private final Demand demand;
    private final NaiveOrder order;
    private final List<Victim> victims = new ArrayList<>();
    private final List<QuotaHolder> refused = new ArrayList<>();

    Passes(QueueQuota own, Demand demand, NaiveOrder order) {
      this.own = own;
      this.tree = own.tree();
      this.demand = demand;
      this.order = order;
    }

    /** {@return what was taken out so far} */
    List<Victim> victims() {
      return victims;
    }

    /**
     * Takes candidates that {@code strategy} allows.
     *
     * @return whether the demand fits then
     */
    boolean first(
        List<QuotaHolder> candidates, FairSharingStrategy strategy, boolean unconditional) {
      Targets targets = new Targets(own, candidates, order);
      for (int target = targets.next(); target != Targets.NONE; target = targets.next()) {
        Deque<QuotaHolder> left = targets.candidates(target);
        boolean taken = true;
        if (target == own.node()) {
          take(left.remove(), PreemptionReason.IN_CLUSTER_QUEUE);
        } else if (unconditional) {
          take(left.remove(), PreemptionReason.IN_COHORT_RECLAMATION);
        } else {
          taken = takeFirstAllowed(target, left, strategy);
        }
        if (taken && fits()) {
          return true;
        }
      }
      return false;
    }

    private boolean takeFirstAllowed(
        int target, Deque<QuotaHolder> left, FairSharingStrategy strategy) {
      int[] sides = belowCommonAncestor(target);
      Share preemptor = share(sides[0]);
      Share before = share(sides[1]);
      while (!left.isEmpty()) {
        QuotaHolder candidate = left.remove();
        demand.takeOut(candidate);
        Share after = share(sides[1]);
        demand.putBack(candidate);
        if (allows(strategy, preemptor, before, after)) {
          take(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
          return true;
        }
        refused.add(candidate);
      }
      return false;
    }

    /**
     * Takes refused candidates that the initial share allows, one of each queue.
     *
     * @return whether the demand fits then
     */
    boolean second() {
      Targets targets = new Targets(own, refused, order);
      for (int target = targets.next(); target != Targets.NONE; target = targets.next()) {
        int[] sides = belowCommonAncestor(target);
        Share before = share(sides[1]);
        if (allows(FairSharingStrategy.LESS_THAN_INITIAL_SHARE, share(sides[0]), before, before)) {
          take(targets.candidates(target).element(), PreemptionReason.IN_COHORT_FAIR_SHARING);
          if (fits()) {
            return true;
          }
        }
        targets.drop(target);
      }
      return false;
    }

    boolean isFair(QuotaHolder victim, List<FairSharingStrategy> strategies) {
      int[] sides = belowCommonAncestor(tree.layout().queueOf(victim).node());
      Share preemptor = share(sides[0]);
      Share after = share(sides[1]);
      demand.putBack(victim);
      Share before = share(sides[1]);
      demand.takeOut(victim);
      return strategies.stream().anyMatch(strategy -> allows(strategy, preemptor, before, after));
    }

    private static boolean allows(
        FairSharingStrategy strategy, Share preemptor, Share before, Share after) {
      return switch (strategy) {
        case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE -> preemptor.compareTo(after) <= 0;
        case LESS_THAN_INITIAL_SHARE -> preemptor.compareTo(before) < 0;
      };
    }

    private void take(QuotaHolder holder, PreemptionReason reason) {
      demand.takeOut(holder);
      victims.add(new Victim(holder, reason));
    }

    private boolean fits() {
      demand.uncharge();
      boolean fits = demand.fits(true);
      demand.charge();
      return fits;
    }

    /**
     * {@return the two nodes right below the lowest cohort above both: the preemptor's side and the
     * target's}
     */
    private int[] belowCommonAncestor(int target) {
      boolean[] isAboveTarget = new boolean[tree.nodeCount()];
      for (int node = target; tree.hasParent(node); node = tree.parent(node)) {
        isAboveTarget[tree.parent(node)] = true;
      }
      int side = own.node();
      while (!isAboveTarget[tree.parent(side)]) {
        side = tree.parent(side);
      }
      int targetSide = target;
      while (tree.parent(targetSide) != tree.parent(side)) {
        targetSide = tree.parent(targetSide);
      }
      return new int[] {side, targetSide};
    }

    private Share share(int node) {
      return Share.of(tree, node);
    }
  }

  /** The choice of the queue that the next victim is taken from. */
  private static final class Targets {
    static final int NONE = -1;

    private final QueueQuota own;
    private final QuotaTree tree;
    private final TreeLayout layout;
    private final NaiveOrder order;
    private final boolean[] isAboveOwn;
    private final boolean[] pruned;
    private final Map<Integer, Deque<QuotaHolder>> candidates = new HashMap<>();

    /** Creates the choice among {@code candidates}, which are in order of preemption. */
    Targets(QueueQuota own, List<QuotaHolder> candidates, NaiveOrder order) {
      this.own = own;
      this.tree = own.tree();
      this.layout = own.tree().layout();
      this.order = order;
      this.pruned = new boolean[tree.nodeCount()];
      this.isAboveOwn = new boolean[tree.nodeCount()];
      for (int node = own.node(); tree.hasParent(node); node = tree.parent(node)) {
        isAboveOwn[tree.parent(node)] = true;
      }
      for (QuotaHolder candidate : candidates) {
        this.candidates
            .computeIfAbsent(layout.queueOf(candidate).node(), unused -> new ArrayDeque<>())
            .add(candidate);
      }
    }

    /** {@return the candidates left of a queue, in order of preemption} */
    Deque<QuotaHolder> candidates(int node) {
      return candidates.computeIfAbsent(node, unused -> new ArrayDeque<>());
    }

    /** Takes a queue out of the choice. */
    void drop(int node) {
      candidates(node).clear();
    }

    /** {@return the queue to take the next victim from, {@link #NONE} if there is none left} */
    int next() {
      if (!tree.hasParent(own.node())) {
        return candidates(own.node()).isEmpty() ? NONE : own.node();
      }
      while (!pruned[0]) {
        int queue = descend(0);
        if (queue != NONE) {
          return queue;
        }
      }
      return NONE;
    }

    private int descend(int root) {
      int cohort = root;
      while (true) {
        int queue = largestQueue(cohort);
        int child = largestCohort(cohort);
        if (queue == NONE && child == NONE) {
          pruned[cohort] = true;
          return NONE;
        }
        if (queue != NONE && (child == NONE || share(child).compareTo(share(queue)) < 0)) {
          return queue;
        }
        cohort = child;
      }
    }

    private int largestQueue(int cohort) {
      int best = NONE;
      for (int node : PreemptionFixture.children(tree, cohort, true)) {
        if (pruned[node]) {
          continue;
        }
        if (candidates(node).isEmpty() || (node != own.node() && !share(node).borrows())) {
          pruned[node] = true;
        } else if (best == NONE || isLarger(node, best)) {
          best = node;
        }
      }
      return best;
    }

    private boolean isLarger(int node, int best) {
      int byShare = share(node).compareTo(share(best));
      return byShare > 0
          || (byShare == 0
              && order.compare(candidates(node).element(), candidates(best).element()) < 0);
    }

    private int largestCohort(int cohort) {
      int best = NONE;
      for (int node : PreemptionFixture.children(tree, cohort, false)) {
        if (pruned[node]) {
          continue;
        }
        if (!isAboveOwn[node] && !share(node).borrows()) {
          pruned[node] = true;
        } else if (best == NONE || share(node).compareTo(share(best)) > 0) {
          best = node;
        }
      }
      return best;
    }

    private Share share(int node) {
      return Share.of(tree, node);
    }
  }
}
