package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.Quantity;
import java.util.List;

/**
 * The state of the quota of one resource in one flavor, as a ClusterQueue sees it at one moment.
 *
 * <p>Amounts are milli-units of cpu, whole units of everything else.
 *
 * @param requested the amount that the workload requests, including the pod sets before the one
 *     concerned
 * @param used the amount that the ClusterQueue uses
 * @param available the amount that is still available to the ClusterQueue, including borrowing
 * @param nominal the nominal quota of the ClusterQueue
 * @param limit the limit that binds
 * @param holders the workloads whose usage counts against that limit: workloads of the ClusterQueue
 *     first, then the others of its tree, each by amount, largest first; at most
 *     {@value #MAX_HOLDERS}
 * @param otherHolderCount the number of further such workloads
 * @since 0.1.0
 */
public record QuotaFigures(
    long requested,
    long used,
    long available,
    long nominal,
    Limit limit,
    List<Holder> holders,
    int otherHolderCount) {
  /** Copies what it is given. */
  public QuotaFigures {
    holders = ImmutableList.copyOf(holders);
  }

  /** The maximum number of holders listed. */
  public static final int MAX_HOLDERS = 5;

  /** The kind of a limit. */
  public enum LimitKind {
    /** The nominal quota of a ClusterQueue without cohort. */
    CLUSTER_QUEUE_QUOTA("quota of ClusterQueue"),
    /** The borrowing limit of the ClusterQueue. */
    CLUSTER_QUEUE_BORROWING_LIMIT("borrowing limit of ClusterQueue"),
    /** The borrowing limit of a cohort above it. */
    COHORT_BORROWING_LIMIT("borrowing limit of Cohort"),
    /** All quota in the cohort tree that is lent. */
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
   * @param kind the kind
   * @param owner the ClusterQueue or Cohort whose limit it is
   * @param amount the limit itself
   * @param used the amount that counts against it; for a borrowing limit, the borrowed amount
   */
  public record Limit(LimitKind kind, String owner, long amount, long used) {
    /** {@return the limit as part of a sentence for people} */
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
   * @param amount the amount that it holds
   */
  public record Holder(WorkloadId workload, String clusterQueue, long amount) {
    /** {@return the holder as part of a sentence for people} */
    public String message(String resource) {
      return workload + " in " + clusterQueue + " (" + Quantity.format(resource, amount) + ")";
    }
  }
}
