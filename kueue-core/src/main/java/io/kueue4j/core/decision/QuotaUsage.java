package io.kueue4j.core.decision;

/**
 * The quota of one resource in one flavor of a ClusterQueue, and what is in use of it. Amounts are
 * milli-units of cpu, whole units of everything else.
 *
 * @param flavor the flavor
 * @param resource the resource
 * @param nominal the nominal quota, 0 if the queue has none for it any more
 * @param used what admitted workloads hold
 * @param available what one more workload could have now, borrowing included
 */
public record QuotaUsage(String flavor, String resource, long nominal, long used, long available) {
  /** {@return what is held above the nominal quota} */
  public long borrowed() {
    return Math.max(0, used - nominal);
  }
}
