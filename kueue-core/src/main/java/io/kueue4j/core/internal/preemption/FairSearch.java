package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds victims under fair sharing, in the queues with the largest shares of the cohort: in one
 * pass over the candidates, or two. The demand is charged during both, so that shares include it.
 *
 * <p>Rules: H-14, H-15, H-16, H-19, H-20, H-21, H-22, H-23, H-24, H-25, SP-1.
 */
final class FairSearch {
  /*
   * The second pass examines the candidates that the first has refused. These are all candidates
   * except the ones taken, and candidates of queues and cohorts that did not borrow at their turn;
   * the latter do not borrow in the second pass either, because removing usage makes no node
   * borrow.
   */
  private static final List<FairSharingStrategy> BOTH =
      ImmutableList.copyOf(FairSharingStrategy.values());

  private final Settings settings;
  private final List<FairSharingStrategy> strategies;
  private final Preemptor preemptor;
  private final QueueQuota own;
  private final Demand demand;
  private final CandidateIndex index;
  private final List<Victim> victims = new ArrayList<>();
  private final Set<QuotaHolder> taken = new HashSet<>();
  private @Nullable String unfairness;

  /** The queues from which candidates were taken. */
  private final Set<Integer> searched = new HashSet<>();

  /** Creates the search; {@code usage} counts for ClusterQueues whose LocalQueues it orders. */
  FairSearch(Settings settings, Preemptor preemptor, Demand demand, LocalQueueUsage usage) {
    this.settings = settings;
    List<FairSharingStrategy> given = settings.fairSharing().orElse(BOTH);
    this.strategies = given.isEmpty() ? BOTH : given;
    this.preemptor = preemptor;
    this.own = preemptor.queue();
    this.demand = demand;
    this.index = CandidateIndex.of(preemptor, demand.needed(), usage);
  }

  /**
   * Searches for victims. Usage is unchanged when it returns.
   *
   * @return the victims, empty if no set of candidates suffices
   */
  List<Victim> search() {
    index.fairContests().refresh();
    return own.tree().inTrial(() -> {
      demand.charge();
      boolean fits = first() || (strategies.size() > 1 && second());
      if (!fits) {
        return List.of();
      }
      demand.uncharge();
      if (settings.strictFairSharing()) {
        return fairlyFilledBack();
      }
      preemptor.fillBack(demand, victims, true);
      return victims;
    });
  }

  /** {@return the victims that are needed, and all of the own queue if others are unfair else} */
  private List<Victim> fairlyFilledBack() {
    List<Victim> needed = fairPart(victims, List.of());
    if (!needed.isEmpty()) {
      return needed;
    }
    ImmutableListMultimap<Boolean, Victim> byOwn =
        Multimaps.index(victims, victim -> victim.reason() == PreemptionReason.IN_CLUSTER_QUEUE);
    return fairPart(byOwn.get(false), byOwn.get(true));
  }

  /**
   * {@return the part of {@code some} that is needed beside {@code others}, and {@code others};
   * empty if a victim is not fair}
   */
  private List<Victim> fairPart(List<Victim> some, List<Victim> others) {
    return own.tree().inTrial(() -> {
      List<Victim> part = new ArrayList<>(some);
      preemptor.fillBack(demand, part, true);
      part.addAll(others);
      long unfair = unfair(part);
      unfairness = unfair == 0
          ? null
          : Refusal.wouldPreempt(part.size()) + ", " + unfair
              + " of them unfair once the others have stopped";
      return unfair == 0 ? part : List.of();
    });
  }

  /** {@return the number of victims that no strategy allows if all others have stopped} */
  private long unfair(List<Victim> all) {
    demand.charge();
    long unfair = all.stream()
        .filter(victim ->
            victim.reason() == PreemptionReason.IN_COHORT_FAIR_SHARING && !isFair(victim.holder()))
        .count();
    demand.uncharge();
    return unfair;
  }

  /** {@return why victims were found and are not fair, null if they are or there are none} */
  @Nullable
  String unfairness() {
    return unfairness;
  }

  private boolean isFair(QuotaHolder victim) {
    FairTargets targets =
        new FairTargets(preemptor, index, PreemptionReason.IN_COHORT_FAIR_SHARING, taken);
    int node = own.tree().layout().queueOf(victim).node();
    int side = targets.otherSide(node);
    Share preemptors = share(targets.ownSide(node));
    Share after = share(side);
    demand.putBack(victim);
    Share before = share(side);
    demand.takeOut(victim);
    return strategies.stream().anyMatch(strategy -> allows(strategy, preemptors, before, after));
  }

  /**
   * Takes candidates that the first strategy allows.
   *
   * @return whether the demand fits afterwards
   */
  private boolean first() {
    boolean unconditional = settings.isEnabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL)
        && demand.needed().isWithinNominal(own.node());
    PreemptionReason reasonOfOthers = unconditional
        ? PreemptionReason.IN_COHORT_RECLAMATION
        : PreemptionReason.IN_COHORT_FAIR_SHARING;
    FairTargets targets = new FairTargets(preemptor, index, reasonOfOthers, taken);
    for (int target = targets.next(); target != FairTargets.NONE; target = targets.next()) {
      boolean isTaken = target == own.node()
          ? takeFirst(target, targets, PreemptionReason.IN_CLUSTER_QUEUE)
          : unconditional
              ? takeFirst(target, targets, reasonOfOthers)
              : takeFirstAllowed(target, targets);
      targets.update(target);
      if (isTaken && fits()) {
        return true;
      }
    }
    return false;
  }

  private boolean takeFirst(int target, FairTargets targets, PreemptionReason reason) {
    QuotaHolder first = targets.pass(target);
    if (first == null) {
      return false;
    }
    take(target, first, reason);
    return true;
  }

  private boolean takeFirstAllowed(int target, FairTargets targets) {
    FairSharingStrategy strategy = strategies.get(0);
    int side = targets.otherSide(target);
    Share preemptors = share(targets.ownSide(target));
    Share before = share(side);
    if (!allows(strategy, preemptors, before, before)) {
      // Removing usage cannot increase the share, so no strategy prefers another order.
      targets.refuse(target);
      return false;
    }
    for (QuotaHolder candidate = targets.pass(target);
        candidate != null;
        candidate = targets.pass(target)) {
      demand.takeOut(candidate);
      Share after = share(side);
      demand.putBack(candidate);
      if (allows(strategy, preemptors, before, after)) {
        take(target, candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
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
  private boolean second() {
    index.fairContests().refresh();
    FairTargets targets =
        new FairTargets(preemptor, index, PreemptionReason.IN_COHORT_FAIR_SHARING, taken);
    // Queues take part even if they borrow nothing that is needed any more. And the contests still
    // have the candidates taken, which need not stand before those that are left.
    searched.forEach(targets::update);
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

  private void take(int node, QuotaHolder holder, PreemptionReason reason) {
    demand.takeOut(holder);
    victims.add(new Victim(holder, reason));
    taken.add(holder);
    searched.add(node);
  }

  private boolean fits() {
    demand.uncharge();
    boolean fits = demand.fits(true);
    demand.charge();
    return fits;
  }

  private Share share(int node) {
    return Share.of(own.tree(), node);
  }
}
