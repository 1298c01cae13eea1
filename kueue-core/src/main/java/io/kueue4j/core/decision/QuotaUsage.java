package io.kueue4j.core.decision;

/**
 * The quota of one resource in one flavor of a ClusterQueue, and its usage. Amounts are milli-units
 * of cpu, whole units of everything else. Immutable.
 *
 * @param flavor the flavor
 * @param resource the resource
 * @param nominal the nominal quota, 0 if the ClusterQueue no longer declares one
 * @param used the amount that workloads hold
 * @param available the amount available to one more workload, including what it could borrow
 * @since 0.1.0
 */
public record QuotaUsage(String flavor, String resource, long nominal, long used, long available) {
  /** {@return the usage above the nominal quota} */
  public long borrowed() {
    return Math.max(0, used - nominal);
  }
}
