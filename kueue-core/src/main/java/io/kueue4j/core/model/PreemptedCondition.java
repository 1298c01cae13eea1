package io.kueue4j.core.model;

import java.time.Instant;

/**
 * That a workload was told to stop for another one.
 *
 * <p>Kueue: condition {@code Preempted} of {@code Workload.status}, as long as it is True. Rules:
 * P-20, U-5, L-9.
 *
 * @param reason under which rule
 * @param lastTransitionTime when it was told
 */
public record PreemptedCondition(PreemptionReason reason, Instant lastTransitionTime) {}
