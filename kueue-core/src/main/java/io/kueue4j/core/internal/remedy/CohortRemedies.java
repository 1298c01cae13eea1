package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.internal.quota.CohortTree;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds changes that let a workload's ClusterQueue borrow more without changing it: another
 * ClusterQueue or cohort lends more, or a cohort above it gets more quota.
 *
 * <p>Among several, selects the one with the fewest raised amounts, then the smallest sum, then the
 * first.
 */
final class CohortRemedies {
  /** The maximum number of lenders to try, those that keep the most quota first. */
  private static final int MAX_LENDERS = 16;

  private final RemedyTrials trials;
  private final Study engine;
  private final ImmutableListMultimap<String, Shortage> shortages;

  CohortRemedies(RemedyTrials trials, Trial now) {
    this.trials = trials;
    this.engine = now.engine();
    this.shortages = Shortage.byFlavor(now.reasons());
  }

  /** {@return the smallest raise of lending limits of one ClusterQueue or cohort} */
  Stream<Remedy> lendingLimits() {
    return shortages.keySet().stream()
        .flatMap(flavor -> lenders(pairs(flavor)).stream()
            .flatMap(lender -> lendingLimits(flavor, lender).stream()))
        .min(QuotaRemedies.SMALLEST_FIRST)
        .stream();
  }

  private Optional<Remedy> lendingLimits(String flavor, ConfigObject lender) {
    Map<Pair, Long> everything = kept(lender, pairs(flavor));
    Remedy withoutLimits = lendingLimits(lender, everything);
    return trials.admits(withoutLimits)
        ? new QuotaGrowth(
                trials,
                added -> lendingLimits(lender, added),
                shortage -> everything.containsKey(shortage.pair()))
            .grow(flavor)
        : Optional.empty();
  }

  private static Remedy lendingLimits(ConfigObject lender, Map<Pair, Long> added) {
    return remedy(
        RemedyKind.RAISE_LENDING_LIMIT,
        QuotaEdit.LENDING_LIMIT,
        lender,
        " has a higher lending limit: ",
        added);
  }

  /** {@return the smallest raise of nominal quotas of one cohort above the ClusterQueue} */
  Stream<Remedy> quotas() {
    return shortages.keySet().stream()
        .flatMap(
            flavor -> cohortsAbove().stream().flatMap(cohort -> quotas(flavor, cohort).stream()))
        .min(QuotaRemedies.SMALLEST_FIRST)
        .stream();
  }

  private Optional<Remedy> quotas(String flavor, Cohort cohort) {
    Set<Pair> declared = quotasOf(cohort).keySet();
    return new QuotaGrowth(
            trials,
            added -> remedy(
                RemedyKind.RAISE_COHORT_QUOTA,
                QuotaEdit.NOMINAL_QUOTA,
                cohort,
                " has more nominal quota: ",
                added),
            shortage -> declared.contains(shortage.pair()))
        .grow(flavor);
  }

  private static Remedy remedy(
      RemedyKind kind, QuotaEdit edit, ConfigObject owner, String what, Map<Pair, Long> added) {
    ImmutableList<ResourceGroup> raised = edit.apply(groups(owner), added);
    ImmutableList<Raise> raises = edit.raises(owner.key(), groups(owner), added);
    return Remedy.builder(kind)
        .message(owner.key() + what + QuotaRemedies.messages(raises))
        .addAllRaises(raises)
        .addObjects(
            owner instanceof Cohort cohort
                ? Cohort.builder().from(cohort).resourceGroups(raised).build()
                : ClusterQueue.builder()
                    .from((ClusterQueue) owner)
                    .resourceGroups(raised)
                    .build())
        .build();
  }

  // ----- lenders and cohorts

  private Set<Pair> pairs(String flavor) {
    return shortages.get(flavor).stream().map(Shortage::pair).collect(Collectors.toSet());
  }

  /**
   * {@return the ClusterQueues and cohorts on other branches that keep quota of every pair from it}
   */
  private List<ConfigObject> lenders(Set<Pair> pairs) {
    return aside().stream()
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
    quotasOf(owner).forEach((pair, quota) -> {
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

  private static ImmutableList<ResourceGroup> groups(ConfigObject owner) {
    return owner instanceof Cohort cohort
        ? cohort.resourceGroups()
        : ((ClusterQueue) owner).resourceGroups();
  }

  private static Map<Pair, ResourceQuota> quotasOf(ConfigObject owner) {
    Map<Pair, ResourceQuota> quotas = new LinkedHashMap<>();
    groups(owner)
        .forEach(group -> group
            .flavors()
            .forEach(flavor -> flavor
                .resources()
                .forEach(quota -> quotas.put(new Pair(flavor.flavor(), quota.resource()), quota))));
    return quotas;
  }

  /** {@return the cohorts above the ClusterQueue that are applied, the nearest first} */
  private List<Cohort> cohortsAbove() {
    return engine.inspect(state -> cohortsAbove(state, queue(state)));
  }

  private static List<Cohort> cohortsAbove(EngineState state, Optional<QueueQuota> queue) {
    List<Cohort> found = new ArrayList<>();
    Optional<Cohort> next = queue
        .flatMap(quota -> quota.compiled().source().cohort())
        .flatMap(name -> state.forest().cohort(name));
    while (next.isPresent()) {
      found.add(next.get());
      next = next.get().parent().flatMap(name -> state.forest().cohort(name));
    }
    return found;
  }

  /** {@return the ClusterQueues and cohorts of the tree that are not on the path to its root} */
  private List<ConfigObject> aside() {
    return engine.inspect(state -> {
      Optional<QueueQuota> own = queue(state);
      List<ConfigObject> found = new ArrayList<>();
      if (own.isPresent()) {
        List<Cohort> above = cohortsAbove(state, own);
        CohortTree tree = state.forest().tree(own.get());
        tree.queues().stream()
            .filter(queue -> !queue.equals(own.get()))
            .map(queue -> queue.compiled().source())
            .forEach(found::add);
        tree.appliedCohorts().stream()
            .filter(cohort -> !above.contains(cohort))
            .forEach(found::add);
      }
      return found;
    });
  }

  private Optional<QueueQuota> queue(EngineState state) {
    return state.pending().target(state.require(trials.id())).map(queue -> queue.quota());
  }
}
