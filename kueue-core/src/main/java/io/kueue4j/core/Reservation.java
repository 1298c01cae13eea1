package io.kueue4j.core;

import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.resource.Amount;
import java.util.Map;
import java.util.TreeMap;

/**
 * The quota that an admitted workload holds.
 *
 * <p>Rules.
 *
 * @param queue whose quota
 * @param admission the decision
 * @param pairs flavors and resources
 * @param amounts how much of each
 */
@SuppressWarnings(
    "ArrayRecordComponent") // never compared; the arrays are charged and uncharged as they are
record Reservation(QueueState queue, Admission admission, int[] pairs, long[] amounts) {
  /**
   * {@return the reservation of {@code admission}, less what pods give back that are reclaimable}
   */
  static Reservation of(
      QueueState queue,
      Admission admission,
      Workload workload,
      boolean reclaimsPods,
      Catalog catalog) {
    Map<Integer, Long> usage = new TreeMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      int count = reclaimsPods ? countAfterReclaim(podSet, workload) : podSet.count();
      podSet.flavors().forEach((resource, flavor) -> {
        int pair = catalog.pair(catalog.flavor(flavor), catalog.resource(resource));
        long charged = podSet.resourceUsage().getOrDefault(resource, 0L);
        long amount =
            count < podSet.count() ? Amount.multiply(charged / podSet.count(), count) : charged;
        usage.merge(pair, amount, Amount::add);
      });
    }
    int[] pairs = usage.keySet().stream().mapToInt(Integer::intValue).toArray();
    long[] amounts = usage.values().stream().mapToLong(Long::longValue).toArray();
    return new Reservation(queue, admission, pairs, amounts);
  }

  private static int countAfterReclaim(PodSetAssignment assignment, Workload workload) {
    int reclaimable = workload.reclaimablePods().getOrDefault(assignment.name(), 0);
    return workload.podSets().stream()
        .filter(podSet -> podSet.name().equals(assignment.name()))
        .mapToInt(podSet -> podSet.count() - Math.min(reclaimable, podSet.count()))
        .map(count -> Math.min(count, assignment.count()))
        .findFirst()
        .orElse(assignment.count());
  }

  void charge() {
    QueueQuota quota = queue.quota();
    for (int i = 0; i < pairs.length; i++) {
      quota.tree().add(quota.node(), quota.tree().column(pairs[i]), amounts[i]);
    }
  }

  void uncharge() {
    QueueQuota quota = queue.quota();
    for (int i = 0; i < pairs.length; i++) {
      int column = quota.tree().column(pairs[i]);
      // A pair that nobody declares any more and of which nothing is used has no column.
      if (column >= 0) {
        quota.tree().remove(quota.node(), column, amounts[i]);
      }
    }
    quota.advanceGeneration();
  }
}
