package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableListMultimap;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds changes that give a workload's ClusterQueue more quota or let it borrow more: raised quotas
 * and limits of the ClusterQueue itself, of cohorts above it, or of others that lend.
 *
 * <p>Among several, selects the one with the fewest raised amounts, then the smallest sum, then the
 * first.
 */
final class QuotaRemedies {
  /** The maximum number of lenders to try, those that keep the most quota first. */
  private static final int MAX_LENDERS = 16;

  /** Orders remedies by the number of raised amounts, then by their sum. */
  private static final Comparator<Remedy> SMALLEST_FIRST = Comparator.<Remedy>comparingInt(
          remedy -> remedy.raises().size())
      .thenComparingDouble(remedy -> remedy.raises().stream()
          .mapToDouble(raise -> (double) raise.to() - raise.from())
          .sum());

  private static final String MORE_QUOTA = " has more nominal quota: ";

  private final RemedyTrials trials;
  private final Trial now;
  private final ImmutableListMultimap<String, Shortage> shortages;

  QuotaRemedies(RemedyTrials trials, Trial now) {
    this.trials = trials;
    this.now = now;
    this.shortages = Shortage.byFlavor(now.reasons());
  }

  /** {@return the smallest raise of borrowing limits of the ClusterQueue, or of one cohort} */
  Stream<Remedy> borrowingLimits() {
    return smallest(flavor -> shortages.get(flavor).stream()
        .flatMap(shortage -> binding(shortage).stream())
        .distinct()
        .flatMap(owner -> grow(
            flavor,
            new QuotaRaise(
                Remedy.Kind.RAISE_BORROWING_LIMIT, owner, " has a higher borrowing limit: "),
            shortage -> binding(shortage).equals(Optional.of(owner)))));
  }

  /** {@return the smallest raise of lending limits of one ClusterQueue or cohort} */
  Stream<Remedy> lendingLimits() {
    return smallest(flavor -> {
      Set<Pair> pairs = pairs(flavor);
      return lenders(pairs).stream().flatMap(owner -> {
        QuotaRaise raise =
            new QuotaRaise(Remedy.Kind.RAISE_LENDING_LIMIT, owner, " has a higher lending limit: ");
        Map<Pair, Long> everything = kept(owner, pairs);
        return trials.admits(raise.by(everything))
            ? grow(flavor, raise, shortage -> everything.containsKey(shortage.pair()))
            : Stream.of();
      });
    });
  }

  /** {@return the smallest raise of nominal quotas of the workload's ClusterQueue} */
  Stream<Remedy> nominalQuotas() {
    return smallest(flavor -> now.clusterQueue().stream()
        .map(queue -> new QuotaRaise(Remedy.Kind.RAISE_NOMINAL_QUOTA, queue, MORE_QUOTA))
        .flatMap(raise -> grow(flavor, raise, shortage -> true)));
  }

  /** {@return the smallest raise of nominal quotas of one cohort above the ClusterQueue} */
  Stream<Remedy> cohortQuotas() {
    return smallest(flavor -> now.inspect(this::cohortsAbove).stream().flatMap(cohort -> {
      Set<Pair> declared = QuotaRaise.quotas(cohort).keySet();
      return grow(
          flavor,
          new QuotaRaise(Remedy.Kind.RAISE_COHORT_QUOTA, cohort, MORE_QUOTA),
          shortage -> declared.contains(shortage.pair()));
    }));
  }

  private Stream<Remedy> smallest(Function<String, Stream<Remedy>> ofFlavor) {
    return shortages.keySet().stream().flatMap(ofFlavor).min(SMALLEST_FIRST).stream();
  }

  private Stream<Remedy> grow(String flavor, QuotaRaise raise, Predicate<Shortage> canGrow) {
    return new QuotaGrowth(trials, raise, canGrow).grow(flavor).stream();
  }

  private Set<Pair> pairs(String flavor) {
    return shortages.get(flavor).stream().map(Shortage::pair).collect(Collectors.toSet());
  }

  // ----- owners

  /** {@return the owner of the borrowing limit that binds, empty if another limit does} */
  private Optional<ConfigObject> binding(Shortage shortage) {
    String name = shortage.limit().owner();
    return switch (shortage.limit().kind()) {
      case CLUSTER_QUEUE_BORROWING_LIMIT ->
        now.inspect(state -> state.queue(name).map(QueueState::spec));
      case COHORT_BORROWING_LIMIT ->
        now.inspect(state -> state.forest().cohort(name).map(c -> c));
      case CLUSTER_QUEUE_QUOTA, COHORT_QUOTA -> Optional.empty();
    };
  }

  /** {@return the ClusterQueues and cohorts of the tree that keep quota of every pair from it} */
  private List<ConfigObject> lenders(Set<Pair> pairs) {
    return now.inspect(this::members).stream()
        .filter(owner -> kept(owner, pairs).keySet().equals(pairs))
        .sorted(
            Comparator.<ConfigObject>comparingDouble(owner -> kept(owner, pairs).values().stream()
                    .mapToDouble(amount -> (double) amount)
                    .sum())
                .reversed()
                .thenComparing(ConfigObject::key))
        .limit(MAX_LENDERS)
        .toList();
  }

  /** {@return how much more the owner could lend of those pairs that it does not lend fully} */
  private static Map<Pair, Long> kept(ConfigObject owner, Set<Pair> pairs) {
    Map<Pair, Long> kept = new LinkedHashMap<>();
    QuotaRaise.quotas(owner).forEach((pair, quota) -> {
      if (pairs.contains(pair) && quota.lendingLimit().isPresent()) {
        // A cohort may lend more than its own quota: the unused quota of its members.
        long most = owner instanceof Cohort ? Amount.UNLIMITED : quota.nominalQuota();
        long more = Amount.subtract(most, quota.lendingLimit().getAsLong());
        if (more > 0) {
          kept.put(pair, more);
        }
      }
    });
    return kept;
  }

  /** {@return the cohorts above the ClusterQueue that are applied, the nearest first} */
  private List<Cohort> cohortsAbove(EngineState state) {
    return queue(state).stream()
        .flatMap(queue -> queue.cohortsAbove().stream())
        .flatMap(name -> state.forest().cohort(name).stream())
        .toList();
  }

  /** {@return the ClusterQueues and cohorts of the tree} */
  private List<ConfigObject> members(EngineState state) {
    List<ConfigObject> found = new ArrayList<>();
    queue(state).map(own -> own.tree().layout()).ifPresent(layout -> {
      layout.forEachQueue(queue -> found.add(queue.spec()));
      layout.cohorts().stream()
          .flatMap(name -> state.forest().cohort(name).stream())
          .forEach(found::add);
    });
    return found;
  }

  private Optional<QueueQuota> queue(EngineState state) {
    return state.pending().target(state.require(trials.id())).map(queue -> queue.quota());
  }
}
