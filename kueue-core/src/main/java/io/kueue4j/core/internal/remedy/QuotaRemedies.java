package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds changes that give a workload's ClusterQueue more quota, or let it borrow more.
 *
 * <p>Among several flavors, selects the one with the fewest raised amounts, then the smallest sum,
 * then the first.
 */
final class QuotaRemedies {
  /** Orders remedies by the number of raised amounts, then by their sum. */
  static final Comparator<Remedy> SMALLEST_FIRST = Comparator.<Remedy>comparingInt(
          remedy -> remedy.raises().size())
      .thenComparingDouble(remedy -> remedy.raises().stream()
          .mapToDouble(raise -> (double) raise.to() - raise.from())
          .sum());

  private final RemedyTrials trials;
  private final Study engine;
  private final ImmutableListMultimap<String, Shortage> shortages;

  QuotaRemedies(RemedyTrials trials, Trial now) {
    this.trials = trials;
    this.engine = now.engine();
    this.shortages = Shortage.byFlavor(now.reasons());
  }

  /** The owner of the binding borrowing limit. */
  private record Owner(boolean isCohort, String name) {
    static Optional<Owner> of(Shortage shortage) {
      return switch (shortage.limit().kind()) {
        case CLUSTER_QUEUE_BORROWING_LIMIT ->
          Optional.of(new Owner(false, shortage.limit().owner()));
        case COHORT_BORROWING_LIMIT ->
          Optional.of(new Owner(true, shortage.limit().owner()));
        case CLUSTER_QUEUE_QUOTA, COHORT_QUOTA -> Optional.empty();
      };
    }

    boolean limits(Shortage shortage) {
      return of(shortage).equals(Optional.of(this));
    }

    /** {@return its kind and name} */
    String key() {
      return (isCohort ? "Cohort " : "ClusterQueue ") + name;
    }
  }

  /** {@return the smallest raise of borrowing limits of the ClusterQueue, or of one cohort} */
  Stream<Remedy> borrowingLimits() {
    return shortages.keySet().stream()
        .flatMap(flavor -> shortages.get(flavor).stream()
            .flatMap(shortage -> Owner.of(shortage).stream())
            .distinct()
            .flatMap(owner -> borrowingLimit(flavor, owner).stream()))
        .min(SMALLEST_FIRST)
        .stream();
  }

  private Optional<Remedy> borrowingLimit(String flavor, Owner owner) {
    return new QuotaGrowth(trials, added -> borrowingLimit(owner, added), owner::limits)
        .grow(flavor);
  }

  private Remedy borrowingLimit(Owner owner, Map<Pair, Long> added) {
    ConfigObject old = owner.isCohort ? cohort(owner.name) : queue(owner.name);
    ImmutableList<ResourceGroup> groups = old instanceof Cohort cohort
        ? cohort.resourceGroups()
        : queue(owner.name).resourceGroups();
    ImmutableList<ResourceGroup> raised = QuotaEdit.BORROWING_LIMIT.apply(groups, added);
    ImmutableList<Raise> raises = QuotaEdit.BORROWING_LIMIT.raises(owner.key(), groups, added);
    return Remedy.builder(RemedyKind.RAISE_BORROWING_LIMIT)
        .message(owner.key() + " has a higher borrowing limit: " + messages(raises))
        .addAllRaises(raises)
        .addObjects(
            old instanceof Cohort cohort
                ? Cohort.builder().from(cohort).resourceGroups(raised).build()
                : ClusterQueue.builder()
                    .from(queue(owner.name))
                    .resourceGroups(raised)
                    .build())
        .build();
  }

  /** {@return the smallest raise of nominal quotas of the workload's ClusterQueue} */
  Stream<Remedy> nominalQuotas() {
    return shortages.keySet().stream()
        .flatMap(flavor -> clusterQueue().flatMap(queue -> nominalQuotas(flavor, queue)).stream())
        .min(SMALLEST_FIRST)
        .stream();
  }

  private Optional<Remedy> nominalQuotas(String flavor, ClusterQueue queue) {
    return new QuotaGrowth(
            trials,
            added -> nominalQuotas(
                RemedyKind.RAISE_NOMINAL_QUOTA, queue, added, "has more nominal quota: "),
            shortage -> true)
        .grow(flavor);
  }

  /** {@return the draft of a change to {@code queue}, whose message begins with {@code what}} */
  static Remedy nominalQuotas(
      RemedyKind kind, ClusterQueue queue, Map<Pair, Long> added, String what) {
    ImmutableList<Raise> raises =
        QuotaEdit.NOMINAL_QUOTA.raises(queue.key(), queue.resourceGroups(), added);
    return Remedy.builder(kind)
        .message(queue.key() + " " + what + messages(raises))
        .addAllRaises(raises)
        .addObjects(ClusterQueue.builder()
            .from(queue)
            .resourceGroups(QuotaEdit.NOMINAL_QUOTA.apply(queue.resourceGroups(), added))
            .build())
        .build();
  }

  static String messages(ImmutableList<Raise> raises) {
    return raises.stream().map(Raise::message).collect(Collectors.joining(", "));
  }

  private Optional<ClusterQueue> clusterQueue() {
    return engine.inspect(state -> state
        .pending()
        .target(state.require(trials.id()))
        .map(queue -> queue.quota().compiled().source()));
  }

  private ClusterQueue queue(String name) {
    return engine.inspect(
        state -> state.queue(name).orElseThrow().quota().compiled().source());
  }

  private Cohort cohort(String name) {
    return engine.inspect(state -> state.forest().cohort(name).orElseThrow());
  }
}
