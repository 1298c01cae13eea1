package io.kueue4j.core.model;

import java.time.Instant;

/**
 * The state of a preemption gate of a workload.
 *
 * <p>Kueue: {@code Workload.status.preemptionGates[]}. Rules: L-25.
 *
 * @param name the gate
 * @param isOpen whether the gate lets the workload preempt others
 * @param lastTransitionTime the time of the last change
 * @since 0.1.0
 */
public record PreemptionGateState(String name, boolean isOpen, Instant lastTransitionTime) {}
