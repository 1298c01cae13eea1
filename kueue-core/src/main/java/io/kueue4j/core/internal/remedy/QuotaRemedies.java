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
        .flatMap(owner -> raise(
            flavor,
            RemedyKind.RAISE_BORROWING_LIMIT,
            QuotaEdit.BORROWING_LIMIT,
            owner,
            " has a higher borrowing limit: ",
            shortage -> binding(shortage).equals(Optional.of(owner)))));
  }

  /** {@return the smallest raise of lending limits of one ClusterQueue or cohort} */
  Stream<Remedy> lendingLimits() {
    return smallest(
        flavor -> lenders(pairs(flavor)).stream().flatMap(lender -> lendingLimits(flavor, lender)));
  }

  private Stream<Remedy> lendingLimits(String flavor, ConfigObject lender) {
    RemedyKind kind = RemedyKind.RAISE_LENDING_LIMIT;
    QuotaEdit edit = QuotaEdit.LENDING_LIMIT;
    String what = " has a higher lending limit: ";
    Map<Pair, Long> everything = kept(lender, pairs(flavor));
    return trials.admits(remedy(kind, edit, lender, what, everything))
        ? raise(
            flavor, kind, edit, lender, what, shortage -> everything.containsKey(shortage.pair()))
        : Stream.of();
  }

  /** {@return the smallest raise of nominal quotas of the workload's ClusterQueue} */
  Stream<Remedy> nominalQuotas() {
    return smallest(flavor -> now.clusterQueue().stream()
        .flatMap(queue -> quotas(flavor, RemedyKind.RAISE_NOMINAL_QUOTA, queue, shortage -> true)));
  }

  /** {@return the smallest raise of nominal quotas of one cohort above the ClusterQueue} */
  Stream<Remedy> cohortQuotas() {
    return smallest(flavor -> now.engine().inspect(this::cohortsAbove).stream().flatMap(cohort -> {
      Set<Pair> declared = quotasOf(cohort).keySet();
      return quotas(
          flavor,
          RemedyKind.RAISE_COHORT_QUOTA,
          cohort,
          shortage -> declared.contains(shortage.pair()));
    }));
  }

  private Stream<Remedy> quotas(
      String flavor, RemedyKind kind, ConfigObject owner, Predicate<Shortage> canGrow) {
    return raise(
        flavor, kind, QuotaEdit.NOMINAL_QUOTA, owner, " has more nominal quota: ", canGrow);
  }

  private Stream<Remedy> smallest(Function<String, Stream<Remedy>> ofFlavor) {
    return shortages.keySet().stream().flatMap(ofFlavor).min(SMALLEST_FIRST).stream();
  }

  private Stream<Remedy> raise(
      String flavor,
      RemedyKind kind,
      QuotaEdit edit,
      ConfigObject owner,
      String what,
      Predicate<Shortage> canGrow) {
    return new QuotaGrowth(trials, added -> remedy(kind, edit, owner, what, added), canGrow)
        .grow(flavor).stream();
  }

  /** {@return the draft of a raise, whose message says {@code what} after the name of the owner} */
  static Remedy remedy(
      RemedyKind kind, QuotaEdit edit, ConfigObject owner, String what, Map<Pair, Long> added) {
    List<ResourceGroup> raised = edit.apply(groups(owner), added);
    List<Raise> raises = new ArrayList<>();
    quotasOf(owner).forEach((pair, quota) -> {
      Long more = added.get(pair);
      if (more != null) {
        long from = edit.amount(quota);
        raises.add(
            new Raise(owner.key(), pair.flavor(), pair.resource(), from, Amount.add(from, more)));
      }
    });
    return Remedy.builder(kind)
        .message(owner.key()
            + what
            + raises.stream().map(Raise::message).collect(Collectors.joining(", ")))
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

  private Set<Pair> pairs(String flavor) {
    return shortages.get(flavor).stream().map(Shortage::pair).collect(Collectors.toSet());
  }

  // ----- owners

  /** {@return the owner of the borrowing limit that binds, empty if another limit does} */
  private Optional<ConfigObject> binding(Shortage shortage) {
    String name = shortage.limit().owner();
    return switch (shortage.limit().kind()) {
      case CLUSTER_QUEUE_BORROWING_LIMIT ->
        now.engine().inspect(state -> state.queue(name).map(queue -> queue.spec()));
      case COHORT_BORROWING_LIMIT ->
        now.engine().inspect(state -> state.forest().cohort(name).map(cohort -> cohort));
      case CLUSTER_QUEUE_QUOTA, COHORT_QUOTA -> Optional.empty();
    };
  }

  /**
   * {@return the ClusterQueues and cohorts on other branches that keep quota of every pair from it}
   */
  private List<ConfigObject> lenders(Set<Pair> pairs) {
    return now.engine().inspect(this::aside).stream()
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

  /** {@return the cohorts above the ClusterQueue that are applied, the nearest first} */
  private List<Cohort> cohortsAbove(EngineState state) {
    List<Cohort> found = new ArrayList<>();
    Optional<Cohort> next = queue(state)
        .flatMap(quota -> quota.spec().cohort())
        .flatMap(name -> state.forest().cohort(name));
    while (next.isPresent()) {
      found.add(next.get());
      next = next.get().parent().flatMap(name -> state.forest().cohort(name));
    }
    return found;
  }

  /** {@return the ClusterQueues and cohorts of the tree that are not on the path to its root} */
  private List<ConfigObject> aside(EngineState state) {
    List<ConfigObject> found = new ArrayList<>();
    queue(state).ifPresent(own -> {
      List<Cohort> above = cohortsAbove(state);
      CohortTree tree = state.forest().tree(own);
      tree.queues().stream()
          .filter(queue -> !queue.equals(own))
          .map(queue -> queue.spec())
          .forEach(found::add);
      tree.appliedCohorts().stream().filter(cohort -> !above.contains(cohort)).forEach(found::add);
    });
    return found;
  }

  private Optional<QueueQuota> queue(EngineState state) {
    return state.pending().target(state.require(trials.id())).map(queue -> queue.quota());
  }
}
