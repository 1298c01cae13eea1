package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.Quantity;

/**
 * The state of the quota of one resource in one flavor, as a ClusterQueue sees it at one moment.
 *
 * <p>Amounts are those of the resource: milli-units of cpu, whole units of everything else.
 *
 * @param requested what the workload asks for, the sets before the one concerned included
 * @param used what the ClusterQueue uses
 * @param available what the ClusterQueue could take, borrowing included
 * @param nominal the nominal quota of the ClusterQueue
 * @param limit the limit that keeps it from having more
 * @param holders who uses what counts against that limit: workloads of the ClusterQueue first, then
 *     the others of its tree, both by amount, largest first; {@value #MAX_HOLDERS} at most
 * @param otherHolderCount how many more there are
 */
public record QuotaFigures(
    long requested,
    long used,
    long available,
    long nominal,
    Limit limit,
    ImmutableList<Holder> holders,
    int otherHolderCount) {
  /** How many holders are named. */
  public static final int MAX_HOLDERS = 5;

  /** What a limit is. */
  public enum LimitKind {
    /** The quota of the ClusterQueue, which is in no cohort. */
    CLUSTER_QUEUE_QUOTA("quota of ClusterQueue"),
    /** The borrowing limit of the ClusterQueue. */
    CLUSTER_QUEUE_BORROWING_LIMIT("borrowing limit of ClusterQueue"),
    /** The borrowing limit of a cohort above it. */
    COHORT_BORROWING_LIMIT("borrowing limit of Cohort"),
    /** All quota in the tree of cohorts, as far as it is lent. */
    COHORT_QUOTA("quota of Cohort");

    private final String text;

    LimitKind(String text) {
      this.text = text;
    }

    /** {@return the kind in words, to be followed by a name} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A limit.
   *
   * @param kind what it is
   * @param owner the ClusterQueue or Cohort whose limit it is
   * @param amount how much it is
   * @param used how much of it is used; of a borrowing limit, what is borrowed
   */
  public record Limit(LimitKind kind, String owner, long amount, long used) {
    /** {@return the limit as a sentence part for people} */
    public String message(String resource) {
      return kind + " " + owner + ": " + Quantity.format(resource, used) + " of "
          + Quantity.format(resource, amount) + " in use";
    }
  }

  /**
   * A workload that holds quota.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue whose quota it holds
   * @param amount how much
   */
  public record Holder(WorkloadId workload, String clusterQueue, long amount) {
    /** {@return the holder as a sentence part for people} */
    public String message(String resource) {
      return workload + " in " + clusterQueue + " (" + Quantity.format(resource, amount) + ")";
    }
  }
}
