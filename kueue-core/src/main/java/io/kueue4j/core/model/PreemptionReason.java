package io.kueue4j.core.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * The rule under which a workload is preempted; named as in Kueue's condition {@code Preempted}.
 *
 * <p>Rules: P-20.
 *
 * @since 0.1.0
 */
public enum PreemptionReason {
  /** By a workload of the same ClusterQueue. */
  IN_CLUSTER_QUEUE("InClusterQueue"),
  /** By a workload that reclaims quota which its queue had lent. */
  IN_COHORT_RECLAMATION("InCohortReclamation"),
  /** By a workload whose queue has a smaller share of the cohort. */
  IN_COHORT_FAIR_SHARING("InCohortFairSharing"),
  /** By a workload of higher priority whose queue borrows itself. */
  IN_COHORT_RECLAIM_WHILE_BORROWING("InCohortReclaimWhileBorrowing");

  private final String text;

  PreemptionReason(String text) {
    this.text = text;
  }

  /** {@return the rule with this name in Kueue's conditions, empty if there is none} */
  public static Optional<PreemptionReason> named(String name) {
    return Arrays.stream(values()).filter(reason -> reason.text.equals(name)).findFirst();
  }

  /** {@return the name in Kueue's conditions} */
  @Override
  public String toString() {
    return text;
  }
}
