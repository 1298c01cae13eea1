package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Computes what ClusterQueues lend to the others of their cohort tree.
 *
 * <p>What is borrowed in a tree comes from quota of cohorts and from unused quota of ClusterQueues,
 * as far as their lending limits allow. So a ClusterQueue lends at least what all others together
 * could not have lent, and at most what it does not use.
 */
final class Lending {
  private final Map<String, String> roots = new HashMap<>();
  private final Map<Pool, Long> borrowed = new HashMap<>();

  /** What could be lent: unused quota of ClusterQueues, and quota of cohorts. */
  private final Map<Pool, Long> lendable = new HashMap<>();

  /** A resource in a flavor of a tree of cohorts. */
  private record Pool(String owner, String flavor, String resource) {}

  private Lending() {}

  /** {@return the lending of the ClusterQueues of {@code view}} */
  static Lending of(EngineView view) {
    Lending lending = new Lending();
    view.cohorts().forEach(cohort -> lending.roots.put(cohort.name(), cohort.root()));
    view.clusterQueues().forEach(lending::add);
    view.configuration(Cohort.class).forEach(lending::add);
    return lending;
  }

  private void add(ClusterQueueView queue) {
    if (queue.spec().cohort().isEmpty()) {
      return;
    }
    for (QuotaUsage usage : queue.usage()) {
      Pool pool = pool(queue, usage);
      borrowed.merge(pool, usage.borrowed(), Long::sum);
      lendable.merge(pool, lendable(queue, usage), Long::sum);
    }
  }

  private void add(Cohort cohort) {
    String root = roots.getOrDefault(cohort.name(), cohort.name());
    amounts(cohort.resourceGroups())
        .forEach(quota ->
            lendable.merge(new Pool(root, quota.flavor, quota.resource), quota.nominal, Long::sum));
  }

  /** {@return quota and usage of a ClusterQueue, and what it lends} */
  ImmutableList<QuotaLine> lines(ClusterQueueView queue) {
    return queue.usage().stream()
        .map(usage -> line(queue, usage))
        .collect(ImmutableList.toImmutableList());
  }

  private QuotaLine line(ClusterQueueView queue, QuotaUsage usage) {
    if (queue.spec().cohort().isEmpty()) {
      return new QuotaLine(usage, 0, 0);
    }
    Pool pool = pool(queue, usage);
    long total = borrowed.getOrDefault(pool, 0L);
    long own = lendable(queue, usage);
    long others = lendable.getOrDefault(pool, 0L) - own;
    long most = Math.min(total, own);
    return new QuotaLine(usage, Math.min(most, Math.max(0, total - others)), most);
  }

  /** {@return the amount that the ClusterQueues below a cohort borrow} */
  static long borrowed(EngineView view, CohortView cohort, CohortView.SubtreeUsage quota) {
    ToLongFunction<QuotaUsage> amount =
        usage -> usage.flavor().equals(quota.flavor()) && usage.resource().equals(quota.resource())
            ? usage.borrowed()
            : 0;
    return cohort.clusterQueues().stream()
        .flatMap(name -> view.clusterQueue(name).stream())
        .flatMap(queue -> queue.usage().stream())
        .mapToLong(amount)
        .sum();
  }

  private Pool pool(ClusterQueueView queue, QuotaUsage usage) {
    String cohort = queue.spec().cohort().orElseThrow();
    return new Pool(roots.getOrDefault(cohort, cohort), usage.flavor(), usage.resource());
  }

  private static long lendable(ClusterQueueView queue, QuotaUsage usage) {
    long unused = Math.max(0, usage.nominal() - usage.used());
    return amounts(queue.spec().resourceGroups())
        .filter(
            quota -> quota.flavor.equals(usage.flavor()) && quota.resource.equals(usage.resource()))
        .mapToLong(quota -> Math.min(unused, quota.lendingLimit))
        .findFirst()
        .orElse(unused);
  }

  private record Amount(String flavor, String resource, long nominal, long lendingLimit) {}

  private static Stream<Amount> amounts(List<ResourceGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> flavor.resources().stream()
            .map(quota -> new Amount(
                flavor.flavor(),
                quota.resource(),
                quota.nominalQuota(),
                quota.lendingLimit().orElse(Long.MAX_VALUE))));
  }
}
