package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingWorkload;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Takes the pictures that {@link EngineView} shows. */
final class Views {
  private Views() {}

  /** {@return the picture of {@code queue}, whose quota {@code reserving} holds} */
  static ClusterQueueView of(QueueState queue, Set<WorkloadRecord> reserving) {
    ImmutableList<Admission> admitted = reserving.stream()
        .flatMap(record -> record.admission().stream())
        .collect(toImmutableList());
    ImmutableList<WorkloadId> stopping = reserving.stream()
        .filter(WorkloadRecord::isToldToStop)
        .map(record -> record.workload().id())
        .collect(toImmutableList());
    return new ClusterQueueView(
        queue.quota().compiled().source(),
        queue.quota().isActive(),
        usage(queue.quota()),
        admitted,
        stopping,
        outOfQueue(queue.pending().active()),
        outOfQueue(queue.pending().parked()),
        queue.pending().serviceOrder());
  }

  /** Whoever keeps a picture is not to keep the engine as well. */
  private static ImmutableList<PendingWorkload> outOfQueue(List<PendingWorkload> workloads) {
    return workloads.stream().map(PendingWorkload::outOfQueue).collect(toImmutableList());
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
