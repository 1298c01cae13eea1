package io.kueue4j.core.model;

import io.kueue4j.core.resource.Quantity;
import java.util.OptionalLong;

/**
 * The quota of one resource in one flavor.
 *
 * <p>Kueue: {@code resourceGroups[].flavors[].resources[]}. Rules: N-3, Q-1, Q-2, Q-7.
 *
 * @param resource the resource
 * @param nominalQuota the quota that belongs to the ClusterQueue or Cohort itself
 * @param borrowingLimit how much it may borrow from its cohort beyond that, absent for no limit
 * @param lendingLimit how much unused nominal quota it lends to its cohort, absent for all
 * @since 0.1.0
 */
public record ResourceQuota(
    String resource, long nominalQuota, OptionalLong borrowingLimit, OptionalLong lendingLimit) {

  /** {@return a quota without limits, in Kubernetes notation such as {@code 10} or {@code 64Gi}} */
  public static ResourceQuota of(String resource, String nominalQuota) {
    return of(resource, Quantity.quota(resource, nominalQuota));
  }

  /** {@return a quota without limits, in milli-units of cpu or whole units of everything else} */
  public static ResourceQuota of(String resource, long nominalQuota) {
    return new ResourceQuota(resource, nominalQuota, OptionalLong.empty(), OptionalLong.empty());
  }

  /** {@return this quota with a borrowing limit in Kubernetes notation} */
  public ResourceQuota withBorrowingLimit(String limit) {
    return new ResourceQuota(
        resource, nominalQuota, OptionalLong.of(Quantity.quota(resource, limit)), lendingLimit);
  }

  /** {@return this quota with a lending limit in Kubernetes notation} */
  public ResourceQuota withLendingLimit(String limit) {
    return new ResourceQuota(
        resource, nominalQuota, borrowingLimit, OptionalLong.of(Quantity.quota(resource, limit)));
  }
}
