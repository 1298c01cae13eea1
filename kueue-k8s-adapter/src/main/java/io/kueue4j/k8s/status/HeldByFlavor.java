package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Table;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.k8s.internal.kueue.ResourceLists;
import java.util.Comparator;
import java.util.function.Predicate;

/**
 * The usage of a ClusterQueue by a set of workloads, for each flavor and resource that it has quota
 * for, in the order of its flavors; resources by name. Usage of other flavors and resources is left
 * out.
 *
 * <p>Kueue: {@code flavorsReservation} and {@code flavorsUsage}. Rules: J-23.
 */
final class HeldByFlavor {
  private final ImmutableList<FlavorQuotas> flavors;
  private final boolean borrows;
  private final Table<String, String, Long> held = HashBasedTable.create();
  private int workloadCount;

  private HeldByFlavor(ImmutableList<FlavorQuotas> flavors, boolean borrows) {
    this.flavors = flavors;
    this.borrows = borrows;
  }

  /** {@return the usage of the workloads with quota in the queue that {@code which} accepts} */
  static HeldByFlavor of(ClusterQueueView view, Predicate<HoldingWorkload> which) {
    HeldByFlavor sum = new HeldByFlavor(
        view.spec().resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .collect(toImmutableList()),
        view.spec().cohort().isPresent());
    view.holders().stream().filter(which).forEach(sum::add);
    return sum;
  }

  /** {@return empty usage, for a LocalQueue without ClusterQueue} */
  static HeldByFlavor nothing() {
    return new HeldByFlavor(ImmutableList.of(), false);
  }

  private void add(HoldingWorkload holder) {
    workloadCount++;
    for (HeldQuota part : holder.held()) {
      long before = amount(part.flavor(), part.resource());
      held.put(part.flavor(), part.resource(), Amount.add(before, part.amount()));
    }
  }

  int workloadCount() {
    return workloadCount;
  }

  /** {@return the totals, with the borrowed part, which exceeds the nominal quota} */
  ImmutableList<Object> ofClusterQueue() {
    return flavors.stream().map(this::withBorrowed).collect(toImmutableList());
  }

  /** {@return the totals} */
  ImmutableList<Object> ofLocalQueue() {
    return flavors.stream()
        .map(flavor -> entry(
            flavor,
            quota -> ImmutableMap.of("name", quota.resource(), "total", total(flavor, quota))))
        .collect(toImmutableList());
  }

  private Object withBorrowed(FlavorQuotas flavor) {
    return entry(flavor, quota -> {
      long used = amount(flavor.flavor(), quota.resource());
      long borrowed =
          borrows && used > quota.nominalQuota() ? Amount.subtract(used, quota.nominalQuota()) : 0;
      return ImmutableMap.of(
          "name",
          quota.resource(),
          "total",
          total(flavor, quota),
          "borrowed",
          ResourceLists.quantity(quota.resource(), borrowed));
    });
  }

  private interface Entry {
    Object of(ResourceQuota quota);
  }

  private static Object entry(FlavorQuotas flavor, Entry entry) {
    return ImmutableMap.of(
        "name",
        flavor.flavor(),
        "resources",
        flavor.resources().stream()
            .sorted(Comparator.comparing(ResourceQuota::resource))
            .map(entry::of)
            .collect(toImmutableList()));
  }

  private String total(FlavorQuotas flavor, ResourceQuota quota) {
    return ResourceLists.quantity(quota.resource(), amount(flavor.flavor(), quota.resource()));
  }

  private long amount(String flavor, String resource) {
    Long amount = held.get(flavor, resource);
    return amount == null ? 0 : amount;
  }
}
