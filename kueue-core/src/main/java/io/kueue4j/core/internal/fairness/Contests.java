package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Contest} for each cohort of a tree, among its members. Standings that have changed are
 * updated lazily.
 *
 * @param <T> the type of standings
 */
public final class Contests<T> {
  private final QuotaTree tree;
  private final BinaryOperator<T> play;
  private final IntFunction<@Nullable T> standingOf;

  /** By node, null for ClusterQueues and for cohorts whose contest was not needed yet. */
  private final List<@Nullable Contest<T>> ofCohort;

  /**
   * The index of each node in the contest of its parent, plus 1; 0 if it had no standing yet. Most
   * nodes never have one.
   */
  private final int[] index;

  /** The nodes whose standing may differ from the one entered. */
  private final BitSet outdated = new BitSet();

  /**
   * Creates contests without entries.
   *
   * @param play returns the winner of a match
   * @param standingOf returns the current standing of a node, null for none; called for the members
   *     of a cohort before the cohort
   */
  public Contests(QuotaTree tree, BinaryOperator<T> play, IntFunction<@Nullable T> standingOf) {
    this.tree = tree;
    this.play = play;
    this.standingOf = standingOf;
    this.ofCohort = new ArrayList<>(Collections.nCopies(tree.nodeCount(), null));
    this.index = new int[tree.nodeCount()];
  }

  /** {@return the contest of a cohort} */
  public Contest<T> of(int cohort) {
    Contest<T> contest = ofCohort.get(cohort);
    if (contest == null) {
      contest = new Contest<>(play);
      ofCohort.set(cohort, contest);
    }
    return contest;
  }

  /** Records that the standing of a node may have changed. */
  public void outdate(int node) {
    outdated.set(node);
  }

  /** Updates outdated standings. Children come after their parents, so iterates backwards. */
  public void refresh() {
    for (int node = outdated.length() - 1; node > 0; node = outdated.previousSetBit(node)) {
      outdated.clear(node);
      replace(node, standingOf.apply(node));
      outdated.set(tree.parent(node));
    }
    outdated.clear();
  }

  /** Replaces the standing of a node until the next refresh. */
  public void enter(int node, @Nullable T standing) {
    T entry = standing;
    for (int member = node; tree.hasParent(member); member = tree.parent(member)) {
      replace(member, entry);
      outdated.set(member);
      entry = standingOf.apply(tree.parent(member));
    }
  }

  private void replace(int node, @Nullable T standing) {
    Contest<T> contest = of(tree.parent(node));
    if (index[node] == 0) {
      if (standing == null) {
        return;
      }
      index[node] = contest.add(node) + 1;
    }
    contest.enter(index[node] - 1, standing);
  }
}
