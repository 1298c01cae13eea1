package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.PreemptionReason;

/**
 * The kinds of candidates, in the order of preemption.
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

  /** {@return the number of its list: hierarchical, by priority, or own queue} */
  int list() {
    return this == HIERARCHICAL ? 0 : this == OWN ? 2 : 1;
  }

  /**
   * {@return the kind of a candidate of another queue}
   *
   * @param advantage whether the preemptor's side of the cohort has enough quota of its own
   */
  static CandidateKind ofOther(QuotaHolder holder, Preemptor preemptor, boolean advantage) {
    if (advantage) {
      return HIERARCHICAL;
    }
    Preemption preemption = preemptor.queue().compiled().source().preemption();
    long priority = holder.workload().priority();
    boolean tooHigh = priority >= preemptor.workload().priority()
        || (preemption.maxPriorityThreshold().isPresent()
            && priority > preemption.maxPriorityThreshold().getAsInt());
    return preemption.borrowWithinCohort() == PreemptionPolicy.NEVER || tooHigh
        ? WITHOUT_BORROWING
        : WHILE_BORROWING;
  }
}
