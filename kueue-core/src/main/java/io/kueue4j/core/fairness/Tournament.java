package io.kueue4j.core.fairness;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The order in which heads are processed under fair sharing: at each cohort the one whose side
 * would have the smallest share with it admitted.
 *
 * <p>Shares are taken when {@link #next()} is called, so they include what was charged to the trees
 * for those before. Between two calls usage may change on the path of the last one only.
 *
 * <p>Rules: S-9, H-9, H-10, H-11, H-12, X-20. Where these leave the order open, a child
 * cohort goes before a queue, and among either the first by name; among several roots the one whose
 * remaining queue comes first by name.
 *
 * @param <C> what takes part
 */
public final class Tournament<C extends Tournament.Contender> {
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
  private final UnaryOperator<QuotaTree> usage;
  private final TreeMap<String, C> remaining = new TreeMap<>();
  private final Map<QuotaTree, List<C>> ofTree = new HashMap<>();
  private final Map<QuotaTree, Bracket<C>> brackets = new HashMap<>();

  /**
   * Creates a tournament.
   *
   * @param contenders who takes part
   * @param prefersNonBorrowing whether those go first whose side does not borrow what they ask for
   * @param usage finds the tree whose usage shares follow from, for a tree of a contender; either
   *     that one itself or one of the same quotas
   */
  public Tournament(
      List<C> contenders, boolean prefersNonBorrowing, UnaryOperator<QuotaTree> usage) {
    this.prefersNonBorrowing = prefersNonBorrowing;
    this.usage = usage;
    for (C contender : contenders) {
      remaining.put(contender.queue().name(), contender);
      ofTree
          .computeIfAbsent(contender.queue().tree(), unused -> new ArrayList<>())
          .add(contender);
    }
  }

  /** {@return who goes next, null if all have gone} */
  public @Nullable C next() {
    if (remaining.isEmpty()) {
      return null;
    }
    C some = remaining.firstEntry().getValue();
    QuotaTree tree = some.queue().tree();
    C winner = tree.hasParent(some.queue().node()) ? bracket(tree).next() : some;
    remaining.remove(winner.queue().name());
    return winner;
  }

  private Bracket<C> bracket(QuotaTree tree) {
    return brackets.computeIfAbsent(
        tree,
        unused -> new Bracket<>(ofTree.getOrDefault(tree, List.of()), prefersNonBorrowing, usage));
  }
}
