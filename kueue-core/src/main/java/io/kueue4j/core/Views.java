package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.fairness.Share;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Takes the pictures that {@link EngineView} shows. */
final class Views {
  private Views() {}

  static ClusterQueueView of(EngineState state, QueueState queue) {
    List<WorkloadRecord> holders = state.reserving(queue);
    ImmutableList<Admission> admitted = inOrder(holders.stream());
    ImmutableList<WorkloadId> stopping =
        inOrder(holders.stream().filter(WorkloadRecord::isToldToStop)).stream()
            .map(Admission::workload)
            .collect(toImmutableList());
    return new ClusterQueueView(
        queue.quota().compiled().source(),
        queue.quota().isActive()
            ? Optional.empty()
            : state.configuration().inactivity(queue.quota().compiled().source()),
        usage(queue.quota()),
        admitted,
        stopping,
        share(queue.quota(), queue.quota().node()),
        queue.pending().active(),
        queue.pending().sticking(),
        queue.pending().parked(),
        queue.pending().serviceOrder());
  }

  /** {@return the weighted share of every cohort above a ClusterQueue, by name} */
  static ImmutableSortedMap<String, Long> cohortShares(EngineState state) {
    TreeMap<String, Long> shares = new TreeMap<>();
    for (QueueState queue : state.queues()) {
      QueueQuota quota = queue.quota();
      Optional<String> name = quota.compiled().source().cohort();
      int node = quota.node();
      while (name.isPresent() && !shares.containsKey(name.get())) {
        node = quota.tree().parent(node);
        shares.put(name.get(), share(quota, node));
        name = state.forest().cohort(name.get()).flatMap(Cohort::parent);
      }
    }
    return ImmutableSortedMap.copyOf(shares);
  }

  private static long share(QueueQuota queue, int node) {
    return Share.of(queue.tree(), queue.layout(), node).reported();
  }

  private static ImmutableList<Admission> inOrder(Stream<WorkloadRecord> holders) {
    return holders
        .flatMap(record -> record.admission().stream())
        .sorted(
            Comparator.comparing(Admission::quotaReservedTime).thenComparing(Admission::workload))
        .collect(toImmutableList());
  }

  private static ImmutableList<QuotaUsage> usage(QueueQuota queue) {
    Catalog catalog = queue.compiled().catalog();
    QuotaTree tree = queue.tree();
    Set<Integer> pairs = new LinkedHashSet<>();
    ClusterQueue spec = queue.compiled().source();
    spec.resourceGroups()
        .forEach(group -> group
            .flavors()
            .forEach(flavor -> flavor
                .resources()
                .forEach(quota -> pairs.add(catalog.pair(
                    catalog.flavor(flavor.flavor()), catalog.resource(quota.resource()))))));
    int declared = pairs.size();
    for (int column = 0; column < tree.columnCount(); column++) {
      if (tree.usage(queue.node(), column) != 0) {
        pairs.add(tree.pair(column));
      }
    }
    ImmutableList.Builder<QuotaUsage> usage = ImmutableList.builder();
    int i = 0;
    for (int pair : pairs) {
      usage.add(new QuotaUsage(
          catalog.flavorName(catalog.flavorOfPair(pair)),
          catalog.resourceName(catalog.resourceOfPair(pair)),
          tree.nominal(queue.node(), tree.column(pair)),
          queue.usage(pair),
          i < declared ? queue.available(pair) : 0));
      i++;
    }
    return usage.build();
  }
}
