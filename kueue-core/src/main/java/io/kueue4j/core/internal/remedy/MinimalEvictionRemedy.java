package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.explain.QuotaReasonEnricher;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.model.WorkloadId;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The smallest set of evictions that makes room, whether or not a policy allows these preemptions.
 *
 * <p>Selects the workloads that hold most of the missing quota first; if one suffices, the smallest
 * that does. No workload of the result could be left out.
 *
 * @param trials tries changes
 */
record MinimalEvictionRemedy(RemedyTrials trials) {
  /** The maximum number of sufficient single workloads to try. */
  private static final int MAX_SINGLES = 16;

  /**
   * A workload that holds some of the missing quota.
   *
   * @param part the fraction of the missing quota that it holds, 1 for all of it
   * @param amount its total amount of those resources
   */
  private record Holding(WorkloadId workload, double part, double amount) {
    Holding and(Holding more) {
      return new Holding(workload, part + more.part, amount + more.amount);
    }

    static final Comparator<Holding> LARGEST_FIRST =
        Comparator.comparingDouble(Holding::part).reversed().thenComparing(Holding::workload);
  }

  static Stream<Remedy> against(RemedyTrials trials, Trial now) {
    var shortages = Shortage.byFlavor(now.reasons());
    return shortages.keySet().stream()
        .map(flavor -> holdings(now, shortages.get(flavor)))
        .flatMap(holdings -> new MinimalEvictionRemedy(trials).fewest(holdings).stream())
        .min(Comparator.comparingInt(stops -> stops.size()))
        .map(stops -> RemedySearch.stop(Remedy.Kind.STOP_HOLDERS, stops))
        .stream();
  }

  private static List<Holding> holdings(Trial now, ImmutableList<Shortage> shortages) {
    Map<Pair, Long> missing = new LinkedHashMap<>();
    shortages.forEach(shortage -> missing.merge(shortage.pair(), shortage.missing(), Math::max));
    Map<WorkloadId, Holding> holdings = new LinkedHashMap<>();
    missing.forEach((pair, amount) -> now.inspectQueue(
            queue -> new QuotaReasonEnricher(queue).holders(pair.flavor(), pair.resource()))
        .orElse(List.of())
        .forEach(holder -> holdings.merge(
            holder.workload(),
            new Holding(
                holder.workload(),
                Math.min(1, (double) holder.amount() / amount) / missing.size(),
                holder.amount()),
            Holding::and)));
    return holdings.values().stream().sorted(Holding.LARGEST_FIRST).toList();
  }

  private Optional<ImmutableList<WorkloadId>> fewest(List<Holding> holdings) {
    if (holdings.isEmpty() || !admitsWithout(holdings)) {
      return Optional.empty();
    }
    int enough = (int) RemedyTrials.least(
        0, holdings.size(), count -> admitsWithout(holdings.subList(0, (int) count)));
    List<Holding> found =
        enough == 1 ? single(holdings) : withoutSpare(holdings.subList(0, enough));
    return Optional.of(found.stream().map(Holding::workload).sorted().collect(toImmutableList()));
  }

  private List<Holding> single(List<Holding> holdings) {
    return holdings.stream()
        .filter(holding -> holding.part >= 1)
        .sorted(Comparator.comparingDouble(Holding::amount).thenComparing(Holding::workload))
        .limit(MAX_SINGLES)
        .map(List::of)
        .filter(this::admitsWithout)
        .findFirst()
        .orElseGet(() -> smallest(holdings));
  }

  /** {@return the last holding that suffices, since fewer pods may need less than is missing} */
  private List<Holding> smallest(List<Holding> holdings) {
    int size = holdings.size();
    int enough = (int) RemedyTrials.least(
        0, size, count -> admitsWithout(List.of(holdings.get(size - (int) count))));
    return List.of(holdings.get(size - enough));
  }

  /** {@return a subset of the holdings from which none can be left out} */
  private List<Holding> withoutSpare(List<Holding> holdings) {
    List<Holding> needed = holdings;
    for (Holding holding : holdings) {
      // If it does not suffice without this one, it does not without more.
      List<Holding> others =
          needed.stream().filter(other -> !other.equals(holding)).toList();
      if (admitsWithout(others)) {
        needed = others;
      }
    }
    return needed;
  }

  private boolean admitsWithout(Collection<Holding> holdings) {
    return trials.admits(RemedySearch.stop(
        Remedy.Kind.STOP_HOLDERS,
        holdings.stream().map(Holding::workload).collect(toImmutableList())));
  }
}
