package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.internal.quota.TreeObserver;
import org.jspecify.annotations.Nullable;

/**
 * Finds the candidates of a tree in order without visiting all of them. Created by the first search
 * for some pairs, and kept with the tree.
 */
final class CandidateIndex implements TreeObserver {
  /*
   * A search reads few of many candidates. So the candidates of each queue are kept in order, and
   * each cohort has a tournament among the first candidates of the members that borrow. Searches
   * often change usage in trials; affected nodes are recorded, and their standings are updated when
   * the next search begins. Until then the tournaments show the state at the beginning of the
   * search, as it requires; it skips members that no longer borrow.
   *
   * The usage of LocalQueues does not count in this order. Fair sharing orders candidates
   * differently and has its own tournaments, by share.
   */
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final NeededPairs needed;
  private final @Nullable QueueCandidates[] ofQueue;
  private @Nullable Contests contests;
  private @Nullable FairContests fairContests;
  private boolean anyQueuedAfterReserved;

  private CandidateIndex(QueueQuota queue, NeededPairs needed) {
    this.tree = queue.tree();
    this.layout = queue.layout();
    this.needed = needed;
    this.ofQueue = new @Nullable QueueCandidates[tree.nodeCount()];
  }

  /** {@return the index of the tree of {@code queue}} */
  static CandidateIndex of(QueueQuota queue, NeededPairs needed) {
    for (TreeObserver observer : queue.tree().borrowers().observers()) {
      if (observer instanceof CandidateIndex index && index.needed.isSame(needed)) {
        return index;
      }
    }
    CandidateIndex index = new CandidateIndex(queue, needed);
    queue.tree().borrowers().observe(index);
    return index;
  }

  /** {@return the tournaments, updated to the current state} */
  Contests contests() {
    if (contests == null) {
      contests = new Contests(tree, layout, node -> !needed.isWithinNominal(node), this::first);
      for (int node = needed.nextBorrowing(0);
          node < tree.nodeCount();
          node = needed.nextBorrowing(node + 1)) {
        contests.outdate(node);
      }
    }
    contests.refresh();
    return contests;
  }

  /** {@return the tournaments by share; the caller updates them} */
  FairContests fairContests() {
    if (fairContests == null) {
      fairContests = new FairContests(tree, layout, needed, this::candidates);
      tree.borrowers().observeUsage(this);
    }
    return fairContests;
  }

  private @Nullable QuotaHolder first(int node) {
    return layout.queue(node).isActive() ? candidates(node).first() : null;
  }

  /** {@return the candidates of a ClusterQueue} */
  QueueCandidates candidates(int node) {
    QueueCandidates candidates = ofQueue[node];
    if (candidates == null) {
      candidates = new QueueCandidates(layout.queue(node), this::isNeeded);
      ofQueue[node] = candidates;
    }
    return candidates;
  }

  private boolean isNeeded(QuotaHolder holder) {
    if (!needed.concerns(holder)) {
      return false;
    }
    anyQueuedAfterReserved |=
        !holder.isEvicted() && holder.queueTimeMillis() > holder.reservedMillis();
    return true;
  }

  /**
   * {@return whether a candidate that is not evicted may have a queue time after its quota
   * reservation}
   */
  boolean anyQueuedAfterReserved() {
    return anyQueuedAfterReserved;
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
  public void candidateAdded(QuotaHolder holder) {
    int node = holder.queue().node();
    QueueCandidates candidates = ofQueue[node];
    if (candidates != null) {
      candidates.add(holder);
      outdate(node);
    }
  }

  @Override
  public void candidateRemoved(QuotaHolder holder) {
    int node = holder.queue().node();
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
