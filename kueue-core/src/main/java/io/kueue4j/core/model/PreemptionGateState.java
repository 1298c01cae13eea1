package io.kueue4j.core.model;

import java.time.Instant;

/**
 * Where a preemption gate of a workload stands.
 *
 * <p>Kueue: {@code Workload.status.preemptionGates[]}. Rules: L-25.
 *
 * @param name the gate
 * @param isOpen whether it lets the workload preempt others
 * @param lastTransitionTime since when it is open or closed
 */
public record PreemptionGateState(String name, boolean isOpen, Instant lastTransitionTime) {}
