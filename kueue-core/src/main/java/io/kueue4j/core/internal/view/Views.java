package io.kueue4j.core.internal.view;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multiset;
import com.google.common.collect.Sets;
import com.google.common.primitives.Ints;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.CohortView.SubtreeUsage;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.usage.UsageAccount;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Builds the values that {@link io.kueue4j.core.EngineView} returns. */
final class Views {
  private Views() {}

  /** {@return the view of a ClusterQueue, whose quota {@code holders} hold} */
  static ClusterQueueView of(
      QueueState queue, List<WorkloadRecord> holders, Configuration configuration) {
    QueueQuota quota = queue.quota();
    PendingQueue pending = queue.pending();
    List<PendingWorkload> active = pending.active();
    List<PendingWorkload> parked = pending.parked();
    Comparator<PendingWorkload> order = pending.serviceOrder();
    boolean boosts = configuration.boostsPriority();
    return ClusterQueueView.builder()
        .spec(quota.spec())
        .inactivities(
            quota.isActive() ? ImmutableList.of() : configuration.inactivities(quota.spec()))
        .usage(usage(quota))
        .holders(holders(holders))
        .weightedShare(Share.of(quota.tree(), quota.node()).reported())
        .pendingCount(active.size())
        .inadmissibleCount(parked.size())
        .shapeSource(() -> new ClusterQueueView.ShapeCounts(
            shapeCount(active.stream()),
            shapeCount(parked.stream()),
            shapeCount(Stream.concat(active.stream(), parked.stream()))))
        .waitingSource(() -> waiting(active, parked, order, boosts))
        .build();
  }

  private static int shapeCount(Stream<PendingWorkload> workloads) {
    return (int)
        workloads.map(workload -> workload.compiled().shape()).distinct().count();
  }

  private static ImmutableList<WaitingWorkload> waiting(
      List<PendingWorkload> active,
      List<PendingWorkload> parked,
      Comparator<PendingWorkload> order,
      boolean boosts) {
    Set<PendingWorkload> tried = Sets.newIdentityHashSet();
    tried.addAll(active);
    List<PendingWorkload> all = new ArrayList<>(active);
    all.addAll(parked);
    all.sort(order);
    ImmutableList.Builder<WaitingWorkload> waiting = ImmutableList.builder();
    Multiset<String> ofLocalQueues = HashMultiset.create();
    for (int i = 0; i < all.size(); i++) {
      CompiledWorkload workload = all.get(i).compiled();
      long priority =
          boosts ? workload.priority() - workload.source().priorityBoost() : workload.priority();
      waiting.add(new WaitingWorkload(
          workload.source(),
          Ints.checkedCast(priority),
          i,
          ofLocalQueues.count(workload.localQueue()),
          tried.contains(all.get(i))));
      ofLocalQueues.add(workload.localQueue());
    }
    return waiting.build();
  }

  private static ImmutableList<HoldingWorkload> holders(List<WorkloadRecord> records) {
    List<HoldingWorkload> found = new ArrayList<>(records.size());
    for (WorkloadRecord record : records) {
      Reservation held = record.reservation();
      if (held != null) {
        found.add(new HoldingWorkload(
            VariantNames.submitted(record.workload()),
            VariantNames.submitted(held.admission()),
            record.lifecycle().isAdmitted(),
            record.isStopping(),
            held.holder().heldQuotas()));
      }
    }
    found.sort(
        Comparator.comparing((HoldingWorkload holder) -> holder.admission().quotaReservedTime())
            .thenComparing(holder -> holder.workload().id()));
    return ImmutableList.copyOf(found);
  }

  /** {@return the view of a LocalQueue, whose usage is in the ledger if it is recorded} */
  static LocalQueueView of(LocalQueue spec, UsageLedger ledger) {
    String key = spec.qualifiedName();
    Optional<UsageAccount> account = ledger.account(key);
    return new LocalQueueView(
        spec,
        account.flatMap(known -> Optional.ofNullable(known.lastUpdate())
            .map(at -> new ConsumedUsage(known.consumed().byResource(), at))),
        account.map(known -> known.pendingPenalty().byResource()).orElse(ImmutableSortedMap.of()),
        account.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(ledger.of(key)));
  }

  private static ImmutableList<QuotaUsage> usage(QueueQuota queue) {
    Catalog catalog = queue.compiled().catalog();
    QuotaTree tree = queue.tree();
    Set<FlavorResource> pairs = new LinkedHashSet<>();
    ClusterQueue spec = queue.spec();
    spec.resourceGroups()
        .forEach(group -> group
            .flavors()
            .forEach(flavor -> flavor
                .resources()
                .forEach(quota -> pairs.add(catalog.pair(flavor.flavor(), quota.resource())))));
    int declared = pairs.size();
    // The order of columns depends on the history of the engine, so a fork may have another.
    IntStream.range(0, tree.columnCount())
        .filter(column -> tree.usage(queue.node(), column) != 0)
        .mapToObj(tree::pair)
        .sorted()
        .forEach(pairs::add);
    ImmutableList.Builder<QuotaUsage> usage = ImmutableList.builder();
    int i = 0;
    for (FlavorResource pair : pairs) {
      usage.add(new QuotaUsage(
          pair.flavor(),
          pair.resource().name(),
          tree.nominal(queue.node(), tree.column(pair)),
          queue.usage(pair),
          i < declared ? queue.available(pair) : 0));
      i++;
    }
    return usage.build();
  }

  /** {@return the views of all cohorts above queues, by name} */
  static ImmutableSortedMap<String, CohortView> cohorts(Iterable<QueueState> queues) {
    ListMultimap<String, QueueQuota> members =
        MultimapBuilder.treeKeys().arrayListValues().build();
    for (QueueState queue : queues) {
      queue.quota().cohortsAbove().forEach(cohort -> members.put(cohort, queue.quota()));
    }
    return members.keySet().stream()
        .map(cohort -> cohort(cohort, members.get(cohort)))
        .collect(toImmutableSortedMap(Comparator.naturalOrder(), CohortView::name, view -> view));
  }

  private static CohortView cohort(String name, List<QueueQuota> members) {
    QueueQuota first = members.get(0);
    QuotaTree tree = first.tree();
    ImmutableList<String> above = first.cohortsAbove();
    int height = above.indexOf(name);
    int node = first.node();
    for (int i = 0; i <= height; i++) {
      node = tree.parent(node);
    }
    return new CohortView(
        name,
        above.stream().skip(height + 1L).findFirst(),
        above.get(above.size() - 1),
        Share.of(tree, node).reported(),
        members.stream().map(QueueQuota::name).sorted().collect(toImmutableList()),
        subtreeUsage(tree, node, members));
  }

  private static ImmutableList<SubtreeUsage> subtreeUsage(
      QuotaTree tree, int node, List<QueueQuota> members) {
    Map<FlavorResource, SubtreeUsage> usage = new TreeMap<>();
    for (int column = 0; column < tree.columnCount(); column++) {
      boolean isListed = tree.isDeclared(node, column);
      long used = 0;
      for (QueueQuota member : members) {
        long more = tree.usage(member.node(), column);
        isListed |= more != 0;
        used = Amount.add(used, more);
      }
      if (isListed) {
        FlavorResource pair = tree.pair(column);
        usage.put(
            pair,
            new SubtreeUsage(
                pair.flavor(), pair.resource().name(), tree.subtree(node, column), used));
      }
    }
    return ImmutableList.copyOf(usage.values());
  }
}
