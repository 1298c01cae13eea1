package io.kueue4j.core.fairness;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who goes next under fair sharing: at each cohort the one whose side would have the smallest share
 * with it admitted.
 *
 * <p>Shares are taken when somebody is asked for, so what was done to the trees for those before
 * counts.
 *
 * <p>Rules: H-9 … H-12. Where these leave the order open, a child cohort goes before a
 * queue, and among either the first by name; among several roots the one whose remaining queue
 * comes first by name.
 *
 * @param <C> what takes part
 */
public final class Tournament<C extends Tournament.Contender> {
  /*
   * What one contender does to the trees changes the shares on its own path to the root only. So the standing of another one
   * is taken anew only if the two paths meet below the root, where all shares are compared.
   */

  /** What takes part; one for each ClusterQueue. */
  public interface Contender {
    /** {@return its queue} */
    QueueQuota queue();

    /** {@return the number of pairs that it asks for} */
    int size();

    /** {@return the {@code i}-th pair that it asks for} */
    int pair(int i);

    /** {@return how much it asks for of the {@code i}-th pair} */
    long amount(int i);

    /** {@return whether it has priority because it waits for its victims} */
    boolean isPreemptor();

    /**
     * {@return less than 0 if this goes before {@code other}, of the same type, at equal shares}
     */
    int compareAtEqualShares(Contender other);
  }

  private final boolean prefersNonBorrowing;
  private final TreeMap<String, C> remaining = new TreeMap<>();
  private final Map<QueueQuota, Standing<C>> standings = new HashMap<>();

  /**
   * The shares of the nodes on a contender's path, from its queue up to the node below the root.
   */
  private record Standing<C>(
      C contender, Map<Integer, Share> shares, Map<Integer, Boolean> borrows) {}

  /**
   * Creates a tournament.
   *
   * @param contenders who takes part
   * @param prefersNonBorrowing whether those go first whose side does not borrow what they ask for
   */
  public Tournament(List<C> contenders, boolean prefersNonBorrowing) {
    this.prefersNonBorrowing = prefersNonBorrowing;
    contenders.forEach(contender -> remaining.put(contender.queue().name(), contender));
  }

  /** {@return who goes next, null if all have gone} */
  public @Nullable C next() {
    if (remaining.isEmpty()) {
      return null;
    }
    C some = remaining.firstEntry().getValue();
    QuotaTree tree = some.queue().tree();
    C winner = some;
    if (tree.hasParent(some.queue().node())) {
      Map<Integer, C> byNode = new HashMap<>();
      for (C contender : remaining.values()) {
        if (contender.queue().tree().equals(tree)) {
          byNode.put(contender.queue().node(), contender);
        }
      }
      Standing<C> best = best(tree, some.queue().layout(), byNode);
      winner = best == null ? some : best.contender;
    }
    remaining.remove(winner.queue().name());
    forgetStandingsNear(winner);
    return winner;
  }

  /** {@return the best below the root; cohorts from the last one up, as parents come first} */
  private @Nullable Standing<C> best(QuotaTree tree, TreeLayout layout, Map<Integer, C> byNode) {
    Map<Integer, Standing<C>> bestBelow = new HashMap<>();
    for (int node = tree.nodeCount() - 1; node >= 0; node--) {
      Standing<C> best = layout.isQueue(node) ? null : best(layout, node, byNode, bestBelow);
      if (best != null) {
        bestBelow.put(node, best);
      }
    }
    return bestBelow.get(0);
  }

  private @Nullable Standing<C> best(
      TreeLayout layout, int cohort, Map<Integer, C> byNode, Map<Integer, Standing<C>> bestBelow) {
    Standing<C> best = null;
    for (int node : layout.childCohorts(cohort)) {
      Standing<C> candidate = bestBelow.get(node);
      if (candidate != null
          && (best == null || isBetter(candidate, node, best, side(best, cohort)))) {
        best = candidate;
      }
    }
    for (int node : layout.childQueues(cohort)) {
      C contender = byNode.get(node);
      if (contender == null) {
        continue;
      }
      Standing<C> candidate = standing(contender);
      if (best == null || isBetter(candidate, node, best, side(best, cohort))) {
        best = candidate;
      }
    }
    return best;
  }

  /** {@return the node right below {@code cohort} on the path of a contender} */
  private int side(Standing<C> standing, int cohort) {
    QuotaTree tree = standing.contender.queue().tree();
    int node = standing.contender.queue().node();
    while (tree.parent(node) != cohort) {
      node = tree.parent(node);
    }
    return node;
  }

  private boolean isBetter(Standing<C> some, int node, Standing<C> other, int otherNode) {
    if (some.contender.isPreemptor() != other.contender.isPreemptor()) {
      return some.contender.isPreemptor();
    }
    boolean borrows = Boolean.TRUE.equals(some.borrows.get(node));
    if (prefersNonBorrowing && borrows != Boolean.TRUE.equals(other.borrows.get(otherNode))) {
      return !borrows;
    }
    int byShare = share(some, node).compareTo(share(other, otherNode));
    return byShare != 0 ? byShare < 0 : some.contender.compareAtEqualShares(other.contender) < 0;
  }

  private static Share share(Standing<?> standing, int node) {
    Share share = standing.shares.get(node);
    if (share == null) {
      throw new IllegalStateException(
          "node " + node + " is not on the path of " + standing.contender);
    }
    return share;
  }

  private Standing<C> standing(C contender) {
    return standings.computeIfAbsent(contender.queue(), unused -> take(contender));
  }

  private static <C extends Contender> Standing<C> take(C contender) {
    QueueQuota queue = contender.queue();
    QuotaTree tree = queue.tree();
    Map<Integer, Share> shares = new HashMap<>();
    Map<Integer, Boolean> borrows = new HashMap<>();
    int checkpoint = tree.checkpoint();
    try {
      for (int i = 0; i < contender.size(); i++) {
        tree.add(queue.node(), tree.column(contender.pair(i)), contender.amount(i));
      }
      for (int node = queue.node(); tree.hasParent(node); node = tree.parent(node)) {
        shares.put(node, Share.of(tree, queue.layout(), node));
        borrows.put(node, borrows(contender, tree, node));
      }
    } finally {
      tree.rollback(checkpoint);
    }
    return new Standing<>(contender, shares, borrows);
  }

  private static boolean borrows(Contender contender, QuotaTree tree, int node) {
    for (int i = 0; i < contender.size(); i++) {
      if (contender.amount(i) > 0 && tree.borrowsWith(node, tree.column(contender.pair(i)), 0)) {
        return true;
      }
    }
    return false;
  }

  private void forgetStandingsNear(C winner) {
    QuotaTree tree = winner.queue().tree();
    int top = belowRoot(winner.queue());
    standings.keySet().removeIf(queue -> queue.tree().equals(tree) && belowRoot(queue) == top);
  }

  private static int belowRoot(QueueQuota queue) {
    int node = queue.node();
    while (queue.tree().parent(node) > 0) {
      node = queue.tree().parent(node);
    }
    return node;
  }
}
