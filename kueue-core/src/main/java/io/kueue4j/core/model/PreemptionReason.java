package io.kueue4j.core.model;

import java.util.Arrays;
import java.util.Optional;

/**
 * Under which rule a workload is preempted; named as in Kueue's condition {@code Preempted}.
 *
 * <p>Rules: P-20.
 */
public enum PreemptionReason {
  /** For a workload of the same ClusterQueue. */
  IN_CLUSTER_QUEUE("InClusterQueue"),
  /** For a workload that takes back quota which its queue had lent. */
  IN_COHORT_RECLAMATION("InCohortReclamation"),
  /** For a workload whose queue has the smaller share of the cohort. */
  IN_COHORT_FAIR_SHARING("InCohortFairSharing"),
  /** For a workload of higher priority whose queue borrows itself. */
  IN_COHORT_RECLAIM_WHILE_BORROWING("InCohortReclaimWhileBorrowing");

  private final String text;

  PreemptionReason(String text) {
    this.text = text;
  }

  /** {@return the rule with that name in Kueue's conditions} */
  public static Optional<PreemptionReason> named(String name) {
    return Arrays.stream(values()).filter(reason -> reason.text.equals(name)).findFirst();
  }

  /** {@return the name in Kueue's conditions} */
  @Override
  public String toString() {
    return text;
  }
}
