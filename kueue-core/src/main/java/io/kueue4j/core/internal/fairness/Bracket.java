package io.kueue4j.core.internal.fairness;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tournament of one cohort tree: at each cohort a {@link Contest} among the members with
 * contenders below them, each represented by its winner.
 *
 * <p>Rules: H-9, H-10, H-11, H-12, X-20.
 */
final class Bracket<C extends Tournament.Contender> {
  /*
   * A contender changes usage only on its own path to the root, and a share depends only on the
   * usage of its node. So after a win only the entries on the path of the winner are recomputed.
   */
  private final UnaryOperator<QuotaTree> usage;
  private final QuotaTree tree;
  private final Map<Integer, C> contenders = new HashMap<>();
  private final Map<Integer, Contest<Standing<C>>> ofCohort = new HashMap<>();
  private final Map<Integer, Integer> index = new HashMap<>();
  private int lastWinner = -1;

  /**
   * The standing of a contender at a node on its path, as if it were admitted.
   *
   * @param contender the contender
   * @param isQueue whether the node is a ClusterQueue
   * @param node the node
   * @param share the share of the node
   * @param borrows whether the node borrows something that the contender requests
   */
  private record Standing<C extends Tournament.Contender>(
      C contender, boolean isQueue, int node, Share share, boolean borrows) {}

  /**
   * Creates the bracket of some contenders of one tree.
   *
   * @param usage returns the tree whose usage determines shares
   */
  Bracket(List<C> contenders, boolean prefersNonBorrowing, UnaryOperator<QuotaTree> usage) {
    this.usage = usage;
    this.tree = contenders.get(0).queue().tree();
    TreeMap<Integer, TreeSet<Integer>> members = new TreeMap<>();
    for (C contender : contenders) {
      int node = contender.queue().node();
      this.contenders.put(node, contender);
      while (tree.hasParent(node)
          && members
              .computeIfAbsent(tree.parent(node), unused -> new TreeSet<>())
              .add(node)) {
        node = tree.parent(node);
      }
    }
    Comparator<Standing<C>> order = order(prefersNonBorrowing);
    members.forEach((cohort, below) -> {
      int[] nodes = Ints.toArray(below);
      for (int i = 0; i < nodes.length; i++) {
        index.put(nodes[i], i);
      }
      ofCohort.put(cohort, new Contest<>(nodes, order));
    });
    // Parents come before their children, so iterate backwards.
    try (Entries entries = new Entries()) {
      Ints.asList(Ints.toArray(this.contenders.keySet())).forEach(entries::enter);
      members.descendingKeySet().stream().filter(tree::hasParent).forEach(entries::enter);
    }
  }

  private static <C extends Tournament.Contender> Comparator<Standing<C>> order(
      boolean prefersNonBorrowing) {
    return (a, b) -> {
      if (a.contender.isPreemptor() != b.contender.isPreemptor()) {
        return a.contender.isPreemptor() ? -1 : 1;
      }
      if (prefersNonBorrowing && a.borrows != b.borrows) {
        return a.borrows ? 1 : -1;
      }
      int byShare = a.share.compareTo(b.share);
      int byContender = byShare != 0 ? byShare : a.contender.compareAtEqualShares(b.contender);
      if (byContender != 0) {
        return byContender;
      }
      return a.isQueue == b.isQueue ? Integer.compare(a.node, b.node) : a.isQueue ? 1 : -1;
    };
  }

  /** {@return the next contender, which is removed; at least one must be left} */
  C next() {
    if (lastWinner >= 0) {
      try (Entries entries = new Entries()) {
        for (int node = lastWinner; tree.hasParent(node); node = tree.parent(node)) {
          entries.enter(node);
        }
      }
    }
    Standing<C> winner = contest(0).winner(Contest.FINAL);
    if (winner == null) {
      throw new IllegalStateException("there is no contender left");
    }
    lastWinner = winner.contender.queue().node();
    contenders.remove(lastWinner);
    return winner.contender;
  }

  private Contest<Standing<C>> contest(int cohort) {
    Contest<Standing<C>> contest = ofCohort.get(cohort);
    if (contest == null) {
      throw new IllegalArgumentException("there is no contender below node " + cohort);
    }
    return contest;
  }

  private @Nullable C best(int node) {
    if (tree.layout().isQueue(node)) {
      return contenders.get(node);
    }
    Standing<C> best = contest(node).winner(Contest.FINAL);
    return best == null ? null : best.contender;
  }

  /** Recomputes entries. A contender that wins at several cohorts in a row is charged only once. */
  private final class Entries implements AutoCloseable {
    private final QuotaTree trial = usage.apply(tree);
    private @Nullable C charged;
    private int checkpoint;

    void enter(int node) {
      C best = best(node);
      contest(tree.parent(node)).enter(index.getOrDefault(node, 0), standing(best, node));
    }

    private @Nullable Standing<C> standing(@Nullable C contender, int node) {
      if (contender == null) {
        return null;
      }
      if (!contender.equals(charged)) {
        close();
        charge(contender);
      }
      Share share = Share.of(trial, node);
      return new Standing<>(
          contender, tree.layout().isQueue(node), node, share, borrows(contender, node));
    }

    private void charge(C contender) {
      checkpoint = trial.checkpoint();
      charged = contender;
      for (int i = 0; i < contender.size(); i++) {
        trial.add(contender.queue().node(), trial.column(contender.pair(i)), contender.amount(i));
      }
    }

    private boolean borrows(C contender, int node) {
      for (int i = 0; i < contender.size(); i++) {
        if (contender.amount(i) > 0
            && trial.borrowsWith(node, trial.column(contender.pair(i)), 0)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void close() {
      if (charged != null) {
        charged = null;
        trial.rollback(checkpoint);
      }
    }
  }
}
