package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.fairness.Contests;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeObserver;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the candidates of a tree in order without visiting all of them. Created by the first search
 * for some pairs, and kept with the tree.
 *
 * <p>Rules: P-4.
 */
final class CandidateIndex implements TreeObserver {
  /*
   * A search reads few of many candidates. So the candidates of each queue are kept in order, and
   * each cohort has a tournament among the first candidates of the members that borrow. Searches
   * often change usage in trials; affected nodes are recorded, and their standings are updated when
   * the next search begins. Until then the tournaments show the state at the beginning of the
   * search, as it requires; it skips members that no longer borrow. Fair sharing has its own
   * tournaments, by share.
   *
   * The usage of LocalQueues changes without notice. So if it counts, each search has an index of
   * its own, which contains only what the preemptor may preempt: the order depends on that, because
   * candidates of several queues are compared by the first of each.
   */
  private final QuotaTree tree;
  private final NeededPairs needed;
  private final Comparator<QuotaHolder> order;

  /** The preemptor whose candidates alone are contained, null if all are. */
  private final @Nullable Preemptor preemptor;

  private final @Nullable QueueCandidates[] ofQueue;
  private @Nullable Contests<QuotaHolder> contests;
  private @Nullable FairContests fairContests;
  private boolean anyQueuedAfterReserved;

  private CandidateIndex(
      QuotaTree tree,
      NeededPairs needed,
      Comparator<QuotaHolder> order,
      @Nullable Preemptor preemptor) {
    this.tree = tree;
    this.needed = needed;
    this.order = order;
    this.preemptor = preemptor;
    this.ofQueue = new @Nullable QueueCandidates[tree.nodeCount()];
  }

  /** {@return the index for a search} */
  static CandidateIndex of(Preemptor preemptor, NeededPairs needed, LocalQueueUsage usage) {
    QuotaTree tree = preemptor.queue().tree();
    if (!usage.equals(LocalQueueUsage.NONE)) {
      return new CandidateIndex(tree, needed, new CandidateOrder(tree, usage), preemptor);
    }
    for (TreeObserver observer : tree.borrowers().observers()) {
      if (observer instanceof CandidateIndex index && index.needed.isSame(needed)) {
        return index;
      }
    }
    CandidateIndex index = new CandidateIndex(tree, needed, CandidateOrder.BY_PRIORITY, null);
    tree.borrowers().observe(index);
    return index;
  }

  /** Updates the tournaments to the current state. */
  void refresh() {
    if (contests != null) {
      contests.refresh();
    }
  }

  /** {@return the tournament of a cohort by the first candidates of its members that borrow} */
  Contest<QuotaHolder> contest(int cohort) {
    if (contests == null) {
      contests =
          new Contests<>(tree, BinaryOperator.minBy(CandidateOrder.BY_PRIORITY), this::first);
      needed.forEachBorrowing(contests::outdate);
      contests.refresh();
    }
    return contests.of(cohort);
  }

  private @Nullable QuotaHolder first(int node) {
    if (needed.isWithinNominal(node)) {
      return null;
    }
    if (!tree.layout().isQueue(node)) {
      return contest(node).winner(Contest.FINAL);
    }
    return tree.layout().queue(node).isActive() ? candidates(node).first() : null;
  }

  /** {@return the tournaments by share; the caller updates them} */
  FairContests fairContests() {
    if (fairContests == null) {
      fairContests = new FairContests(tree, needed, this::candidates);
      tree.borrowers().observeUsage(this);
    }
    return fairContests;
  }

  /** {@return whether a node is a ClusterQueue} */
  boolean isQueue(int node) {
    return tree.layout().isQueue(node);
  }

  /** {@return the candidates of a ClusterQueue} */
  QueueCandidates candidates(int node) {
    QueueCandidates candidates = ofQueue[node];
    if (candidates == null) {
      candidates = new QueueCandidates(
          tree.layout().queue(node), order, holder -> isCandidate(holder, node));
      ofQueue[node] = candidates;
    }
    return candidates;
  }

  private boolean isCandidate(QuotaHolder holder, int node) {
    if (!needed.concerns(holder)
        || (preemptor != null && !preemptor.mayPreempt(holder, preemptor.policy(node)))) {
      return false;
    }
    anyQueuedAfterReserved |=
        !holder.isEvicted() && holder.queueTimeMillis() > holder.reservedMillis();
    return true;
  }

  /** {@return whether candidates of one queue are ordered by priority unless they are evicted} */
  boolean isByPriority() {
    return preemptor == null;
  }

  /**
   * {@return whether {@code policy} may let {@code candidate}, or one after it in the order, be
   * preempted by {@code by}}
   */
  boolean mayPreemptFrom(QuotaHolder candidate, Preemptor by, Preemption.Policy policy) {
    return CandidateOrder.mayPreemptFrom(candidate, by, policy, anyQueuedAfterReserved);
  }

  /**
   * {@return the candidates of a ClusterQueue that {@code by} may preempt now by {@code reason}, in
   * order}
   */
  Iterator<QuotaHolder> allowed(int node, Preemptor by, PreemptionReason reason) {
    Preemption.Policy policy = by.policy(node);
    QueueCandidates all = candidates(node);
    if (!by.mayPreemptAny(policy, all.lowestPriority(), all.latestQueueTime())) {
      return Collections.emptyIterator();
    }
    return all.inOrder().stream()
        .takeWhile(candidate -> mayPreemptFrom(candidate, by, policy))
        .filter(candidate -> by.mayPreemptNow(candidate, policy, reason))
        .iterator();
  }

  @Override
  public void borrowingChanged(int node, int column) {
    if (needed.contains(column)) {
      outdate(node);
    }
  }

  @Override
  public void usageChanged(int node) {
    if (fairContests != null) {
      fairContests.outdate(node);
    }
  }

  @Override
  public void queueChanged(int node) {
    outdate(node);
  }

  @Override
  public void candidateAdded(int node, QuotaHolder holder) {
    QueueCandidates candidates = ofQueue[node];
    if (candidates != null) {
      candidates.add(holder);
      outdate(node);
    }
  }

  @Override
  public void candidateRemoved(int node, QuotaHolder holder) {
    QueueCandidates candidates = ofQueue[node];
    if (candidates != null) {
      candidates.remove(holder);
      outdate(node);
    }
  }

  private void outdate(int node) {
    if (contests != null) {
      contests.outdate(node);
    }
    if (fairContests != null) {
      fairContests.outdate(node);
    }
  }
}
