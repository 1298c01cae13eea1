package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.Shortage.Pair;
import io.kueue4j.core.Trials.Trial;
import io.kueue4j.core.resource.Amount;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Lets quotas grow by what is missing, step by step, until the workload is admitted; then takes
 * back what was not needed.
 *
 * <p>A step shows what the first pod sets miss; the next ones are looked at only when those fit. So
 * there may be as many steps as there are pod sets and flavors to go through. What was added in
 * vain, because the walk turned to another flavor in the end, or because fewer pods are admitted,
 * is taken back.
 */
final class QuotaGrowth {
  private static final int MAX_STEPS = 40;
  private static final Comparator<Pair> ORDER =
      Comparator.comparing(Pair::flavor).thenComparing(Pair::resource);

  private final Trials trials;
  private final Function<ImmutableSortedMap<Pair, Long>, Change> draft;
  private final Predicate<Shortage> canGrow;
  private final Map<Pair, Long> added = new TreeMap<>(ORDER);

  /**
   * Creates a growth of nothing so far.
   *
   * @param trials where to try
   * @param draft makes a change of what is added to each pair
   * @param canGrow whether adding helps against a shortage
   */
  QuotaGrowth(
      Trials trials,
      Function<ImmutableSortedMap<Pair, Long>, Change> draft,
      Predicate<Shortage> canGrow) {
    this.trials = trials;
    this.draft = draft;
    this.canGrow = canGrow;
  }

  /** {@return the smallest change that adds to {@code flavor} where there is a choice} */
  Optional<Change> grow(String flavor) {
    for (int step = 0; step < MAX_STEPS; step++) {
      Optional<Trial> trial = trials.of(change());
      if (trial.isEmpty()) {
        return Optional.empty();
      }
      if (trial.get().result().holdsQuota()) {
        takeBack();
        return Optional.of(change());
      }
      ImmutableListMultimap<String, Shortage> shortages =
          Shortage.byFlavor(trial.get().reasons());
      if (shortages.isEmpty()) {
        return Optional.empty();
      }
      ImmutableList<Shortage> next = shortages.containsKey(flavor)
          ? shortages.get(flavor)
          : shortages.get(shortages.keySet().iterator().next());
      if (!next.stream().allMatch(shortage -> shortage.missing() > 0 && canGrow.test(shortage))) {
        return Optional.empty();
      }
      Map<Pair, Long> missing = new TreeMap<>(ORDER);
      next.forEach(shortage -> missing.merge(shortage.pair(), shortage.missing(), Math::max));
      missing.forEach((pair, amount) -> added.merge(pair, amount, Amount::add));
    }
    return Optional.empty();
  }

  private Change change() {
    return draft.apply(ImmutableSortedMap.copyOf(added, ORDER));
  }

  private void takeBack() {
    for (Pair pair : ImmutableList.copyOf(added.keySet())) {
      long enough = added.getOrDefault(pair, 0L);
      if (!admitsWith(pair, enough - 1)) {
        added.put(pair, enough);
        continue;
      }
      enough--;
      long tooLittle = -1;
      while (enough - tooLittle > 1) {
        long between = tooLittle + (enough - tooLittle) / 2;
        if (admitsWith(pair, between)) {
          enough = between;
        } else {
          tooLittle = between;
        }
      }
      added.put(pair, enough);
    }
    added.values().removeIf(amount -> amount == 0);
  }

  private boolean admitsWith(Pair pair, long amount) {
    added.put(pair, amount);
    return trials.admits(change());
  }
}
