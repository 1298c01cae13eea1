package io.kueue4j.core.model;

import java.time.Instant;

/**
 * The condition that a workload was preempted by another one.
 *
 * <p>Kueue: condition {@code Preempted} of {@code Workload.status}, as long as it is True. Rules:
 * P-20, U-5, L-9.
 *
 * @param reason the rule under which it was preempted
 * @param lastTransitionTime the time of the preemption
 * @since 0.1.0
 */
public record PreemptedCondition(PreemptionReason reason, Instant lastTransitionTime) {}
