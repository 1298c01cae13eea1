package io.kueue4j.core.testkit;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * The preemption of a workload.
 *
 * @param victim the workload that has to stop
 * @param preemptor the workload that it makes room for
 * @param reason the reason
 */
public record ObservedPreemption(
    WorkloadId victim, WorkloadId preemptor, PreemptionReason reason) {}
