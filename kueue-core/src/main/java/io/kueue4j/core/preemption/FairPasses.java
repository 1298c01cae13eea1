package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.Share;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The two passes over candidates under fair sharing. The demand is charged all the while, so that
 * shares include it.
 *
 * <p>Rules: H-19 … H-22.
 */
final class FairPasses {
  private final QueueQuota own;
  private final QuotaTree tree;
  private final Demand demand;
  private final CandidateOrder order;
  private final List<Victim> victims = new ArrayList<>();
  private final List<QuotaHolder> refused = new ArrayList<>();

  FairPasses(QueueQuota own, Demand demand, CandidateOrder order) {
    this.own = own;
    this.tree = own.tree();
    this.demand = demand;
    this.order = order;
  }

  /** {@return what was taken out so far} */
  List<Victim> victims() {
    return victims;
  }

  /** Takes candidates that {@code strategy} allows. {@return whether the demand fits then} */
  boolean first(List<QuotaHolder> candidates, FairSharingStrategy strategy, boolean unconditional) {
    FairTargets targets = new FairTargets(own, candidates, order);
    for (int target = targets.next(); target != FairTargets.NONE; target = targets.next()) {
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
      demand.takeOutWhole(candidate);
      Share after = share(sides[1]);
      demand.putBackWhole(candidate);
      if (allows(strategy, preemptor, before, after)) {
        take(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
        return true;
      }
      refused.add(candidate);
    }
    return false;
  }

  /**
   * Takes refused candidates that the initial share allows, one of each queue. {@return whether the
   * demand fits then}
   */
  boolean second() {
    FairTargets targets = new FairTargets(own, refused, order);
    for (int target = targets.next(); target != FairTargets.NONE; target = targets.next()) {
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

  private static boolean allows(
      FairSharingStrategy strategy, Share preemptor, Share before, Share after) {
    return switch (strategy) {
      case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE -> preemptor.compareTo(after) <= 0;
      case LESS_THAN_INITIAL_SHARE -> preemptor.compareTo(before) < 0;
    };
  }

  private void take(QuotaHolder holder, PreemptionReason reason) {
    demand.takeOutWhole(holder);
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
    return Share.of(tree, own.layout(), node);
  }
}
