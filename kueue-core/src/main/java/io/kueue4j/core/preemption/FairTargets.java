package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.Share;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says from which ClusterQueue the next victim is taken: the one with the largest share, found from
 * the root downwards.
 *
 * <p>Rules: H-17, H-18.
 */
final class FairTargets {
  static final int NONE = -1;

  private final QueueQuota own;
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final CandidateOrder order;
  private final boolean[] isAboveOwn;
  private final boolean[] pruned;
  private final Map<Integer, Deque<QuotaHolder>> candidates = new HashMap<>();

  /** Creates the choice among {@code candidates}, which are in order of preemption. */
  FairTargets(QueueQuota own, List<QuotaHolder> candidates, CandidateOrder order) {
    this.own = own;
    this.tree = own.tree();
    this.layout = own.layout();
    this.order = order;
    this.pruned = new boolean[tree.nodeCount()];
    this.isAboveOwn = new boolean[tree.nodeCount()];
    for (int node = own.node(); tree.hasParent(node); node = tree.parent(node)) {
      isAboveOwn[tree.parent(node)] = true;
    }
    for (QuotaHolder candidate : candidates) {
      this.candidates
          .computeIfAbsent(candidate.queue().node(), unused -> new ArrayDeque<>())
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
    for (int node : layout.childQueues(cohort)) {
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
    for (int node : layout.childCohorts(cohort)) {
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
    return Share.of(tree, layout, node);
  }
}
