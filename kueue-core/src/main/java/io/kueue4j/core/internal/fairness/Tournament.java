package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The order of processing heads under fair sharing: at each cohort the head goes first whose member
 * of the cohort would have the smallest share with it admitted.
 *
 * <p>Shares are computed when {@link #next()} is called, so they include charges for earlier heads.
 * Between two calls usage may change only on the path of the last head.
 *
 * <p>Rules: S-9, H-9, H-10, H-11, H-12, X-20. Where these leave the order open, a child
 * cohort goes before a queue, and among either the first by name; among several roots the one whose
 * remaining queue comes first by name.
 *
 * @param <C> the type of contenders
 */
public final class Tournament<C extends Tournament.Contender> {
  /** A contender; one for each ClusterQueue. */
  public interface Contender {
    /** {@return its queue} */
    QueueQuota queue();

    /** {@return the number of pairs requested} */
    int size();

    /** {@return the {@code i}-th pair requested} */
    FlavorResource pair(int i);

    /** {@return the amount requested of the {@code i}-th pair} */
    long amount(int i);

    /** {@return whether it goes first because it waits for its victims} */
    boolean isPreemptor();

    /**
     * {@return less than 0 if this goes before {@code other}, of the same type, at equal shares}
     */
    int compareAtEqualShares(Contender other);
  }

  private final TreeMap<String, C> remaining = new TreeMap<>();
  private final Map<QuotaTree, Bracket<C>> brackets = new HashMap<>();

  /**
   * Creates a tournament.
   *
   * @param contenders the contenders
   * @param prefersNonBorrowing whether contenders go first whose member of the cohort does not
   *     borrow what they request
   * @param usage returns the tree whose usage determines shares, for the tree of a contender: the
   *     tree itself or one with the same quotas
   */
  public Tournament(
      List<C> contenders, boolean prefersNonBorrowing, UnaryOperator<QuotaTree> usage) {
    for (C contender : contenders) {
      remaining.put(contender.queue().name(), contender);
      brackets
          .computeIfAbsent(
              contender.queue().tree(), tree -> new Bracket<>(tree, prefersNonBorrowing, usage))
          .add(contender);
    }
  }

  /** {@return the next contender, null if none is left} */
  public @Nullable C next() {
    if (remaining.isEmpty()) {
      return null;
    }
    QuotaTree tree = remaining.firstEntry().getValue().queue().tree();
    C winner = Objects.requireNonNull(brackets.get(tree)).next();
    remaining.remove(winner.queue().name());
    return winner;
  }
}
