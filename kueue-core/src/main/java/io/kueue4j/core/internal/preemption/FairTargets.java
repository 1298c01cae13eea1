package io.kueue4j.core.internal.preemption;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the ClusterQueue from which the next victim is taken: the one with the largest share,
 * found from the root downwards.
 *
 * <p>Rules: P-5, H-14, H-15, H-16, H-17, H-18.
 */
final class FairTargets {
  /*
   * The cohorts above the preemptor's queue are the levels, from its parent up. The preemptor's
   * side at a level is the level below, or the queue itself. It takes part even if it does not
   * borrow, and the demand is charged to it, so it is compared here with the first of the other
   * members, which the contests provide.
   */
  static final int NONE = -1;

  private final Preemptor preemptor;
  private final QueueQuota own;
  private final QuotaTree tree;
  private final CandidateIndex index;
  private final PreemptionReason reasonOfOthers;
  private final FairContests contests;
  private final Set<QuotaHolder> taken;
  private final List<Level> levels = new ArrayList<>();
  private final Map<Integer, Level> levelOfCohort = new HashMap<>();
  private final Map<Integer, PeekingIterator<QuotaHolder>> candidates = new HashMap<>();
  private final Set<Integer> dropped = new HashSet<>();

  /** A cohort above the preemptor's queue. */
  private static final class Level {
    final int cohort;

    /** The member on the preemptor's side. */
    final int side;

    /** Whether no candidates are left on the preemptor's side. */
    boolean sideIsDone;

    /** Whether no candidates are left in the other members. */
    boolean othersAreDone;

    Level(int cohort, int side) {
      this.cohort = cohort;
      this.side = side;
    }
  }

  /**
   * Creates the choice.
   *
   * @param index the candidates, with fair contests that are up to date
   * @param reasonOfOthers the rule by which candidates of other queues are preempted
   * @param taken the candidates taken already; may grow
   */
  FairTargets(
      Preemptor preemptor,
      CandidateIndex index,
      PreemptionReason reasonOfOthers,
      Set<QuotaHolder> taken) {
    this.preemptor = preemptor;
    this.own = preemptor.queue();
    this.tree = own.tree();
    this.index = index;
    this.reasonOfOthers = reasonOfOthers;
    this.contests = index.fairContests();
    this.taken = taken;
    for (int side = own.node(); tree.hasParent(side); side = tree.parent(side)) {
      Level level = new Level(tree.parent(side), side);
      levels.add(level);
      levelOfCohort.put(level.cohort, level);
    }
  }

  private PeekingIterator<QuotaHolder> candidates(int node) {
    PreemptionReason reason =
        node == own.node() ? PreemptionReason.IN_CLUSTER_QUEUE : reasonOfOthers;
    return candidates.computeIfAbsent(
        node,
        unused -> Iterators.peekingIterator(Iterators.filter(
            index.allowed(node, preemptor, reason), candidate -> !taken.contains(candidate))));
  }

  /** {@return the first remaining candidate of a queue, null if there is none} */
  @Nullable
  QuotaHolder first(int node) {
    return !dropped.contains(node) && candidates(node).hasNext()
        ? candidates(node).peek()
        : null;
  }

  /** {@return the first remaining candidate of a queue, after which the next one is the first} */
  @Nullable
  QuotaHolder pass(int node) {
    return first(node) == null ? null : candidates(node).next();
  }

  /** Updates a chosen queue after a change of its usage or candidates. */
  void update(int node) {
    if (node != own.node()) {
      contests.change(node, first(node));
    }
  }

  /** Excludes a queue from the choice. */
  void drop(int node) {
    dropped.add(node);
    update(node);
  }

  /**
   * Excludes a queue whose share is too small to take anything from it, until the share of the
   * preemptor's side changes.
   */
  void refuse(int node) {
    drop(node);
    Level level = levelOf(node);
    // No other queue has a larger share, and the preemptor's side will not change.
    level.othersAreDone |= level.sideIsDone;
  }

  /** {@return the node below the lowest cohort above both, on the preemptor's side} */
  int ownSide(int target) {
    return levelOf(target).side;
  }

  /** {@return the node below the lowest cohort above both, on the side of {@code target}} */
  int otherSide(int target) {
    int side = target;
    while (!levelOfCohort.containsKey(tree.parent(side))) {
      side = tree.parent(side);
    }
    return side;
  }

  private Level levelOf(int target) {
    return requireNonNull(levelOfCohort.get(tree.parent(otherSide(target))));
  }

  /** {@return the queue from which the next victim is taken, {@link #NONE} if none is left} */
  int next() {
    if (levels.isEmpty()) {
      return first(own.node()) == null ? NONE : own.node();
    }
    if (first(own.node()) == null) {
      levels.get(0).sideIsDone = true;
    }
    int i = levels.size() - 1;
    while (true) {
      Level level = levels.get(i);
      Other other = firstOther(level);
      if (level.sideIsDone && other == null) {
        if (i == levels.size() - 1) {
          return NONE;
        }
        i++;
        levels.get(i).sideIsDone = true;
      } else if (other != null && (level.sideIsDone || isBefore(other.member, level.side))) {
        return other.queue;
      } else if (i == 0) {
        return own.node();
      } else {
        i--;
      }
    }
  }

  /** A member of a cohort, and the ClusterQueue to take from: below it, or the member itself. */
  private record Other(FairStanding member, int queue) {}

  private @Nullable Other firstOther(Level level) {
    while (!level.othersAreDone) {
      FairStanding member = contests.first(level.cohort, preemptor, level.side);
      if (member == null) {
        level.othersAreDone = true;
        break;
      }
      int queue = queueBelow(member);
      if (queue != NONE) {
        return new Other(member, queue);
      }
    }
    return null;
  }

  /**
   * {@return the queue to take from, {@link #NONE} if the bounds of the contests were too wide and
   * none is left}
   */
  private int queueBelow(FairStanding member) {
    FairStanding below = member;
    while (below.isCohort()) {
      FairStanding next = contests.first(below.node(), preemptor, NONE);
      if (next == null) {
        contests.exclude(below.node());
        return NONE;
      }
      below = next;
    }
    QuotaHolder first = first(below.node());
    if (first == null || !first.equals(below.first())) {
      contests.change(below.node(), first);
      return NONE;
    }
    return below.node();
  }

  private boolean isBefore(FairStanding other, int side) {
    int byShare = other.share().compareTo(Share.of(tree, side));
    if (byShare != 0) {
      return byShare > 0;
    }
    if (side != own.node()) {
      return other.node() < side;
    }
    QuotaHolder first = other.first();
    QuotaHolder ownFirst = first(side);
    return first == null || first.isEvicted() || ownFirst == null || !ownFirst.isEvicted();
  }
}
