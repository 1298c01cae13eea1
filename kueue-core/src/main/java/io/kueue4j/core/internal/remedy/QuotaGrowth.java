package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.resource.Amount;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Raises quotas by the missing amounts, step by step, until the workload is admitted; then takes
 * back the amounts that were not needed.
 *
 * <p>A step reveals the shortage of the first pod sets; the next ones are tried only when those
 * fit. So there may be as many steps as pod sets and flavors. Amounts that did not help, because
 * another flavor was assigned in the end or fewer pods were admitted, are taken back.
 */
final class QuotaGrowth {
  private static final int MAX_STEPS = 40;
  private static final Comparator<Pair> ORDER =
      Comparator.comparing(Pair::flavor).thenComparing(Pair::resource);

  private final RemedyTrials trials;
  private final QuotaRaise raise;
  private final Predicate<Shortage> canGrow;
  private final Map<Pair, Long> added = new TreeMap<>(ORDER);

  /**
   * Creates a growth without raises.
   *
   * @param trials runs the trials
   * @param raise the quotas to raise
   * @param canGrow whether raising quota can remove a shortage
   */
  QuotaGrowth(RemedyTrials trials, QuotaRaise raise, Predicate<Shortage> canGrow) {
    this.trials = trials;
    this.raise = raise;
    this.canGrow = canGrow;
  }

  /** {@return the smallest change, which raises {@code flavor} where there is a choice} */
  Optional<Remedy> grow(String flavor) {
    for (int step = 0; step < MAX_STEPS; step++) {
      Optional<Trial> trial = trials.of(remedy());
      if (trial.isEmpty()) {
        return Optional.empty();
      }
      if (trial.get().result().holdsQuota()) {
        takeBack();
        return Optional.of(remedy());
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

  private Remedy remedy() {
    return raise.by(added);
  }

  /**
   * Takes back amounts that are not needed. Lowering one amount may admit fewer pods, which need
   * less of the others, so this repeats until no amount can be lowered.
   */
  private void takeBack() {
    boolean isLess = true;
    while (isLess) {
      isLess = false;
      for (Pair pair : ImmutableList.copyOf(added.keySet())) {
        isLess |= takeBack(pair);
      }
    }
    added.values().removeIf(amount -> amount == 0);
  }

  /**
   * Takes back the unneeded part of one amount.
   *
   * @return whether there was any
   */
  private boolean takeBack(Pair pair) {
    long enough = added.getOrDefault(pair, 0L);
    if (enough == 0 || !admitsWith(pair, enough - 1)) {
      added.put(pair, enough);
      return false;
    }
    enough = RemedyTrials.least(-1, enough - 1, amount -> admitsWith(pair, amount));
    added.put(pair, enough);
    return true;
  }

  private boolean admitsWith(Pair pair, long amount) {
    added.put(pair, amount);
    return trials.admits(remedy());
  }
}
