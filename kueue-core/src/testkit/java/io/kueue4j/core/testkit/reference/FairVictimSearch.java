package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The search for victims with fair sharing. As the rules require, trials are applied to and
 * reverted in one snapshot: for sums beyond the range, reverting is not an inverse (N-4).
 *
 * <p>Rules: H-14, H-15, H-16, H-18, H-19, H-20, H-21, H-22, H-23, H-24, H-25, SP-1.
 */
final class FairVictimSearch {
  private final Specs specs;
  private final Job preemptor;
  private final String queue;
  private final Demand demand;
  private final Preemption policy;

  /** Excludes the victims found so far, and includes the request in the preemptor's queue. */
  private final Snapshot charged;

  private final List<Victim> victims = new ArrayList<>();

  FairVictimSearch(Specs specs, Snapshot snapshot, Job preemptor, String queue, Demand demand) {
    this.specs = specs;
    this.preemptor = preemptor;
    this.queue = queue;
    this.demand = demand;
    this.policy = specs.queue(queue).preemption();
    this.charged = snapshot.copy();
    charged.addUsage(queue, demand.requests());
  }

  ImmutableList<Victim> find() {
    List<Holder> candidates = candidates();
    if (candidates.isEmpty()) {
      return ImmutableList.of();
    }
    List<FairSharingStrategy> strategies = strategies();
    List<Holder> refused = new ArrayList<>();
    boolean found = firstPass(candidates, strategies.get(0), refused)
        || (strategies.size() > 1 && secondPass(refused));
    charged.removeUsage(queue, demand.requests());
    if (!found) {
      return ImmutableList.of();
    }
    return specs.settings().strictFairSharing()
        ? fairlyFilledBack()
        : VictimSearch.fillBack(victims, charged, this::fits);
  }

  /** SP-1. */
  private ImmutableList<Victim> fairlyFilledBack() {
    List<Victim> own = new ArrayList<>(victims);
    own.removeIf(victim -> victim.reason() != PreemptionReason.IN_CLUSTER_QUEUE);
    List<Victim> others = new ArrayList<>(victims);
    others.removeAll(own);
    ImmutableList<Victim> needed = fairPart(victims, List.of());
    return needed.isEmpty() ? fairPart(others, own) : needed;
  }

  private ImmutableList<Victim> fairPart(List<Victim> some, List<Victim> always) {
    Snapshot without = charged.copy();
    ImmutableList<Victim> part = ImmutableList.<Victim>builder()
        .addAll(VictimSearch.fillBack(some, without, this::fits))
        .addAll(always)
        .build();
    without.addUsage(queue, demand.requests());
    return part.stream().allMatch(victim -> isFair(victim, without)) ? part : ImmutableList.of();
  }

  private boolean isFair(Victim victim, Snapshot without) {
    if (victim.reason() != PreemptionReason.IN_COHORT_FAIR_SHARING) {
      return true;
    }
    Snapshot with = without.copy();
    with.add(victim.holder());
    String other = victim.holder().queue();
    Share preemptorShare = almostLowestCommonAncestor(without, queue, other);
    Share before = almostLowestCommonAncestor(with, other, queue);
    Share after = almostLowestCommonAncestor(without, other, queue);
    return strategies().stream()
        .anyMatch(strategy -> strategy == FairSharingStrategy.LESS_THAN_INITIAL_SHARE
            ? preemptorShare.compareWith(before) < 0
            : preemptorShare.compareWith(after) <= 0);
  }

  /** H-24. */
  private List<FairSharingStrategy> strategies() {
    List<FairSharingStrategy> strategies =
        specs.settings().fairSharing().orElse(ImmutableList.of());
    return strategies.isEmpty() ? List.of(FairSharingStrategy.values()) : strategies;
  }

  /** H-14. */
  private List<Holder> candidates() {
    Node own = charged.queue(queue);
    List<Holder> candidates = new ArrayList<>(
        VictimSearch.candidates(own, preemptor, demand, policy.withinClusterQueue()));
    if (own.parent != null && policy.reclaimWithinCohort() != Preemption.Policy.NEVER) {
      charged.queues().stream()
          .filter(other -> other != own && other.root() == own.root())
          .filter(
              other -> demand.needed().stream().anyMatch(pair -> other.isBorrowingWith(pair, 0)))
          .map(other ->
              VictimSearch.candidates(other, preemptor, demand, policy.reclaimWithinCohort()))
          .forEach(candidates::addAll);
    }
    return VictimSearch.inOrder(candidates, holder -> holder, queue);
  }

  /** H-19. */
  private boolean firstPass(
      List<Holder> candidates, FairSharingStrategy strategy, List<Holder> refused) {
    FairTargets targets = new FairTargets(queue, candidates);
    boolean isWithinNominal = specs.isEnabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL)
        && charged.queue(queue).isWithinNominal(demand.needed());
    for (Optional<String> target = targets.next(charged);
        target.isPresent();
        target = targets.next(charged)) {
      Optional<Victim> victim;
      if (target.get().equals(queue)) {
        victim = Optional.of(new Victim(targets.take(queue), PreemptionReason.IN_CLUSTER_QUEUE));
      } else if (isWithinNominal) {
        victim = Optional.of(
            new Victim(targets.take(target.get()), PreemptionReason.IN_COHORT_RECLAMATION));
      } else {
        victim = firstAccepted(target.get(), targets, strategy, refused);
      }
      if (victim.isPresent() && removingFits(victim.get())) {
        return true;
      }
    }
    return false;
  }

  private Optional<Victim> firstAccepted(
      String target, FairTargets targets, FairSharingStrategy strategy, List<Holder> refused) {
    while (targets.has(target)) {
      Holder candidate = targets.take(target);
      if (isAccepted(candidate, strategy)) {
        return Optional.of(new Victim(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING));
      }
      refused.add(candidate);
    }
    return Optional.empty();
  }

  /** H-22. */
  private boolean secondPass(List<Holder> refused) {
    FairTargets targets = new FairTargets(queue, refused);
    for (Optional<String> target = targets.next(charged);
        target.isPresent();
        target = targets.next(charged)) {
      Holder candidate = targets.take(target.get());
      boolean accepted = isBelowInitialShare(candidate);
      targets.drop(target.get());
      if (accepted
          && removingFits(new Victim(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING))) {
        return true;
      }
    }
    return false;
  }

  private boolean removingFits(Victim victim) {
    charged.remove(victim.holder());
    victims.add(victim);
    charged.removeUsage(queue, demand.requests());
    boolean fits = fits(charged);
    charged.addUsage(queue, demand.requests());
    return fits;
  }

  private boolean fits(Snapshot trial) {
    return trial.fits(queue, demand.requests()) && demand.hasPlace().test(trial);
  }

  /** H-20, H-21. */
  private boolean isAccepted(Holder candidate, FairSharingStrategy strategy) {
    Share preemptorShare = preemptorShare(candidate);
    Share oldTargetShare = targetShare(candidate);
    if (preemptorShare.isInfinite() && !oldTargetShare.isInfinite()) {
      return false;
    }
    charged.remove(candidate);
    Share newTargetShare = targetShare(candidate);
    charged.add(candidate);
    return strategy == FairSharingStrategy.LESS_THAN_INITIAL_SHARE
        ? preemptorShare.compareWith(oldTargetShare) < 0
        : preemptorShare.compareWith(newTargetShare) <= 0;
  }

  private boolean isBelowInitialShare(Holder candidate) {
    return preemptorShare(candidate).compareWith(targetShare(candidate)) < 0;
  }

  private Share preemptorShare(Holder candidate) {
    return almostLowestCommonAncestor(charged, queue, candidate.queue());
  }

  private Share targetShare(Holder candidate) {
    return almostLowestCommonAncestor(charged, candidate.queue(), queue);
  }

  /**
   * {@return the share of the highest node above {@code queue}, or of the queue itself, that is not
   * also above {@code other}}
   */
  private static Share almostLowestCommonAncestor(Snapshot snapshot, String queue, String other) {
    ImmutableList<Node> shared = snapshot.queue(other).ancestors();
    Node node = snapshot.queue(queue);
    while (node.parent != null && !shared.contains(node.parent)) {
      node = node.parent;
    }
    return Share.of(node);
  }
}
