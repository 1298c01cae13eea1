package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The two passes over candidates under fair sharing. The demand is charged during both, so that
 * shares include it.
 *
 * <p>Rules: H-19, H-20, H-21, H-22.
 */
final class FairPasses {
  /*
   * The second pass examines the candidates that the first has refused. These are all candidates
   * except the ones taken, and candidates of queues and cohorts that did not borrow at their turn; the
   * latter do not borrow in the second pass either, because removing usage makes no node borrow.
   */
  private final Preemptor preemptor;
  private final QueueQuota own;
  private final QuotaTree tree;
  private final Demand demand;
  private final FairContests contests;
  private final CandidateOrder order;
  private final List<Victim> victims = new ArrayList<>();
  private final Set<QuotaHolder> taken = new HashSet<>();

  /** The queues from which candidates were taken. */
  private final Set<Integer> searched = new HashSet<>();

  FairPasses(Preemptor preemptor, Demand demand, FairContests contests, CandidateOrder order) {
    this.preemptor = preemptor;
    this.own = preemptor.queue();
    this.tree = own.tree();
    this.demand = demand;
    this.contests = contests;
    this.order = order;
  }

  /** {@return the victims taken so far} */
  List<Victim> victims() {
    return victims;
  }

  /**
   * Takes candidates that {@code strategy} allows.
   *
   * @return whether the demand fits afterwards
   */
  boolean first(FairSharingStrategy strategy, boolean unconditional) {
    FairTargets targets = new FairTargets(preemptor, contests, order, taken);
    for (int target = targets.next(); target != FairTargets.NONE; target = targets.next()) {
      boolean isTaken = target == own.node()
          ? takeFirst(target, targets, PreemptionReason.IN_CLUSTER_QUEUE)
          : unconditional
              ? takeFirst(target, targets, PreemptionReason.IN_COHORT_RECLAMATION)
              : takeFirstAllowed(target, targets, strategy);
      targets.update(target);
      if (isTaken && fits()) {
        return true;
      }
    }
    return false;
  }

  private boolean takeFirst(int target, FairTargets targets, PreemptionReason reason) {
    QuotaHolder first = targets.first(target);
    if (first == null) {
      return false;
    }
    targets.pass(target);
    take(first, reason);
    return true;
  }

  private boolean takeFirstAllowed(int target, FairTargets targets, FairSharingStrategy strategy) {
    int side = targets.otherSide(target);
    Share preemptors = share(targets.ownSide(target));
    Share before = share(side);
    if (!allows(strategy, preemptors, before, before)) {
      // Removing usage cannot increase the share, so no strategy prefers another order.
      targets.refuse(target);
      return false;
    }
    for (QuotaHolder candidate = targets.first(target);
        candidate != null;
        candidate = targets.first(target)) {
      targets.pass(target);
      demand.takeOutWhole(candidate);
      Share after = share(side);
      demand.putBackWhole(candidate);
      if (allows(strategy, preemptors, before, after)) {
        take(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
        return true;
      }
    }
    return false;
  }

  /**
   * Takes refused candidates that the initial share allows, one of each queue.
   *
   * @return whether the demand fits afterwards
   */
  boolean second() {
    contests.refresh(searched);
    FairTargets targets = new FairTargets(preemptor, contests, order, taken);
    for (int target = targets.next(); target != FairTargets.NONE; target = targets.next()) {
      Share before = share(targets.otherSide(target));
      if (!allows(
          FairSharingStrategy.LESS_THAN_INITIAL_SHARE,
          share(targets.ownSide(target)),
          before,
          before)) {
        targets.refuse(target);
        continue;
      }
      if (takeFirst(target, targets, PreemptionReason.IN_COHORT_FAIR_SHARING) && fits()) {
        return true;
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
    taken.add(holder);
    searched.add(holder.queue().node());
  }

  private boolean fits() {
    demand.uncharge();
    boolean fits = demand.fits(true);
    demand.charge();
    return fits;
  }

  private Share share(int node) {
    return Share.of(tree, own.layout(), node);
  }
}
