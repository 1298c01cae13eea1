package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
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
  private final Contests<Standing<C>> contests;

  /** The tree in which contenders are charged to compute their standings. */
  private QuotaTree trial;

  /** The contender that is charged now; one that wins at several cohorts is charged only once. */
  private @Nullable C charged;

  private int checkpoint;

  /**
   * The standing of a contender at a node on its path, as if it were admitted.
   *
   * @param contender the contender
   * @param node the node
   * @param share the share of the node
   * @param borrows whether the node borrows something that the contender requests
   */
  private record Standing<C extends Tournament.Contender>(
      C contender, int node, Share share, boolean borrows) {}

  /**
   * Creates the bracket of a tree, without contenders.
   *
   * @param usage returns the tree whose usage determines shares
   */
  Bracket(QuotaTree tree, boolean prefersNonBorrowing, UnaryOperator<QuotaTree> usage) {
    this.usage = usage;
    this.tree = tree;
    this.trial = tree;
    this.contests =
        new Contests<>(tree, BinaryOperator.minBy(order(prefersNonBorrowing)), this::standing);
  }

  void add(C contender) {
    contenders.put(contender.queue().node(), contender);
    contests.outdate(contender.queue().node());
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
      // Cohorts come before queues.
      return Integer.compare(a.node, b.node);
    };
  }

  /** {@return the next contender, which is removed; at least one must be left} */
  C next() {
    trial = usage.apply(tree);
    try {
      contests.refresh();
    } finally {
      close();
    }
    C winner = best(0);
    if (winner == null) {
      throw new IllegalStateException("there is no contender left");
    }
    int node = winner.queue().node();
    contenders.remove(node);
    contests.outdate(node);
    return winner;
  }

  private @Nullable Standing<C> standing(int node) {
    C contender = best(node);
    if (contender == null) {
      return null;
    }
    if (!contender.equals(charged)) {
      close();
      charge(contender);
    }
    return new Standing<>(contender, node, Share.of(trial, node), borrows(contender, node));
  }

  private @Nullable C best(int node) {
    if (tree.layout().isQueue(node)) {
      return contenders.get(node);
    }
    Standing<C> best = contests.of(node).winner(Contest.FINAL);
    return best == null ? null : best.contender;
  }

  private void charge(C contender) {
    checkpoint = trial.checkpoint();
    charged = contender;
    for (int i = 0; i < contender.size(); i++) {
      trial.add(contender.queue().node(), trial.column(contender.pair(i)), contender.amount(i));
    }
  }

  /** Ends the trial with the usage of a contender, if there is one. */
  private void close() {
    if (charged != null) {
      charged = null;
      trial.rollback(checkpoint);
    }
  }

  private boolean borrows(C contender, int node) {
    for (int i = 0; i < contender.size(); i++) {
      if (contender.amount(i) > 0 && trial.borrowsWith(node, trial.column(contender.pair(i)), 0)) {
        return true;
      }
    }
    return false;
  }
}
