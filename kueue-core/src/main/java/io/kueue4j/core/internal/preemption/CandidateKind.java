package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;

/**
 * The kinds of candidates, in the order of preemption; {@link #WITHOUT_BORROWING} and
 * {@link #WHILE_BORROWING} share a place.
 *
 * <p>Rules: P-7, P-8, P-20.
 */
enum CandidateKind {
  /** Of another queue, when the preemptor's side of the cohort has enough quota of its own. */
  HIERARCHICAL(PreemptionReason.IN_COHORT_RECLAMATION),
  /** Of another queue; only while the preemptor's queue does not borrow. */
  WITHOUT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
  /** Of another queue, low enough in priority to be preempted while borrowing. */
  WHILE_BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING),
  /** Of the same queue. */
  OWN(PreemptionReason.IN_CLUSTER_QUEUE);

  private final PreemptionReason reason;

  CandidateKind(PreemptionReason reason) {
    this.reason = reason;
  }

  PreemptionReason reason() {
    return reason;
  }

  /**
   * {@return the kind of {@code holder} if this is the kind of its level: the same, but
   * {@link #WHILE_BORROWING} instead of {@link #WITHOUT_BORROWING} if its priority is low enough}
   */
  CandidateKind of(QuotaHolder holder, Preemptor preemptor) {
    if (this != WITHOUT_BORROWING) {
      return this;
    }
    Preemption preemption = preemptor.queue().spec().preemption();
    boolean tooHigh = holder.priority() >= preemptor.workload().priority()
        || (preemption.maxPriorityThreshold().isPresent()
            && holder.priority() > preemption.maxPriorityThreshold().getAsInt());
    return preemption.borrowWithinCohort() == Preemption.Policy.NEVER || tooHigh
        ? WITHOUT_BORROWING
        : WHILE_BORROWING;
  }
}
