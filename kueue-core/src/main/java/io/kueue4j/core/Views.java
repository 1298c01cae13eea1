package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.fairness.Share;
import io.kueue4j.core.fairness.UsageAccount;
import io.kueue4j.core.fairness.UsageLedger;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingWorkload;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the pictures that {@link EngineView} shows. */
final class Views {
  private Views() {}

  /** {@return the picture of {@code queue}, whose quota {@code holders} hold} */
  static ClusterQueueView of(
      QueueState queue, List<WorkloadRecord> holders, Configuration configuration) {
    ImmutableList<Admission> admitted = inOrder(holders.stream());
    ImmutableList<WorkloadId> reserving =
        idsInOrder(holders.stream().filter(record -> !record.lifecycle().isAdmitted()));
    ImmutableList<WorkloadId> stopping =
        idsInOrder(holders.stream().filter(WorkloadRecord::isToldToStop));
    return new ClusterQueueView(
        queue.quota().compiled().source(),
        queue.quota().isActive()
            ? Optional.empty()
            : configuration.inactivity(queue.quota().compiled().source()),
        usage(queue.quota()),
        admitted,
        reserving,
        stopping,
        share(queue.quota(), queue.quota().node()),
        outOfQueue(queue.pending().active()),
        outOfQueue(queue.pending().parked()),
        queue.pending().serviceOrder());
  }

  /** Whoever keeps a picture is not to keep the engine as well. */
  private static ImmutableList<PendingWorkload> outOfQueue(List<PendingWorkload> workloads) {
    return workloads.stream().map(PendingWorkload::outOfQueue).collect(toImmutableList());
  }

  /** Adds the weighted share of every cohort above a ClusterQueue, by name. */
  static void addCohortShares(QueueQuota queue, Map<String, Long> shares) {
    int node = queue.node();
    for (String name : queue.cohortsAbove()) {
      node = queue.tree().parent(node);
      if (shares.containsKey(name)) {
        return;
      }
      shares.put(name, share(queue, node));
    }
  }

  private static long share(QueueQuota queue, int node) {
    return Share.of(queue.tree(), queue.layout(), node).reported();
  }

  private static ImmutableList<WorkloadId> idsInOrder(Stream<WorkloadRecord> holders) {
    return inOrder(holders).stream().map(Admission::workload).collect(toImmutableList());
  }

  private static ImmutableList<Admission> inOrder(Stream<WorkloadRecord> holders) {
    return holders
        .flatMap(record -> record.admission().stream())
        .sorted(
            Comparator.comparing(Admission::quotaReservedTime).thenComparing(Admission::workload))
        .map(VariantNames::submitted)
        .collect(toImmutableList());
  }

  /** {@return the picture of a LocalQueue, whose usage is in the ledger if there is one} */
  static LocalQueueView of(LocalQueue spec, @Nullable UsageLedger ledger) {
    String key = Configuration.localQueueKey(spec);
    Optional<UsageAccount> account = ledger == null ? Optional.empty() : ledger.account(key);
    return new LocalQueueView(
        spec,
        account.flatMap(known -> Optional.ofNullable(known.lastUpdate())
            .map(at -> new ConsumedUsage(known.consumed().byResource(), at))),
        account.map(known -> known.pendingPenalty().byResource()).orElse(ImmutableSortedMap.of()),
        ledger == null || account.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(ledger.of(key)));
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
