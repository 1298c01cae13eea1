package io.kueue4j.core.model;

import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import java.util.OptionalLong;

/**
 * The quota of one resource in one flavor. Its figures are amounts: milli-units of {@code cpu},
 * whole units of every other resource, {@link Amount#UNLIMITED} for no bound.
 *
 * <pre>{@code
 * ResourceQuota.of("cpu", "10")             // 10 cores
 * ResourceQuota.ofAmount("cpu", 10_000)     // the same
 * ResourceQuota.of("memory", "64Gi").withBorrowingLimit("16Gi")
 * }</pre>
 *
 * <p>Kueue: {@code resourceGroups[].flavors[].resources[]}. Rules: N-3, Q-1, Q-2, Q-7.
 *
 * @param resource the resource
 * @param nominalQuota the amount that belongs to the ClusterQueue or Cohort itself
 * @param borrowingLimit how much it may borrow from its cohort beyond that, absent for no limit
 * @param lendingLimit how much unused nominal quota it lends to its cohort, absent for all
 * @since 0.1.0
 */
public record ResourceQuota(
    String resource, long nominalQuota, OptionalLong borrowingLimit, OptionalLong lendingLimit) {

  /**
   * {@return a quota without limits, in Kubernetes notation}
   *
   * @param resource the resource
   * @param nominalQuota the quota, such as {@code 10} (cores, if of cpu), {@code 500m} or
   *     {@code 64Gi}
   * @throws IllegalArgumentException if {@code nominalQuota} is not a quantity
   */
  public static ResourceQuota of(String resource, String nominalQuota) {
    return ofAmount(resource, Quantity.quota(resource, nominalQuota));
  }

  /**
   * {@return a quota without limits, as an amount}
   *
   * @param resource the resource
   * @param amount the quota in milli-units of {@code cpu}, whole units of every other resource
   */
  public static ResourceQuota ofAmount(String resource, long amount) {
    return new ResourceQuota(resource, amount, OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * {@return this quota with a borrowing limit in Kubernetes notation}
   *
   * @throws IllegalArgumentException if {@code limit} is not a quantity
   */
  public ResourceQuota withBorrowingLimit(String limit) {
    return new ResourceQuota(
        resource, nominalQuota, OptionalLong.of(Quantity.quota(resource, limit)), lendingLimit);
  }

  /**
   * {@return this quota with a lending limit in Kubernetes notation}
   *
   * @throws IllegalArgumentException if {@code limit} is not a quantity
   */
  public ResourceQuota withLendingLimit(String limit) {
    return new ResourceQuota(
        resource, nominalQuota, borrowingLimit, OptionalLong.of(Quantity.quota(resource, limit)));
  }
}
