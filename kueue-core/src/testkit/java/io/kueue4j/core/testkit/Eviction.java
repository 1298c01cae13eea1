package io.kueue4j.core.testkit;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * That a workload has to stop for another.
 *
 * @param victim the workload that has to stop
 * @param preemptor the workload that it makes room for
 * @param reason under which rule
 */
public record Eviction(WorkloadId victim, WorkloadId preemptor, PreemptionReason reason) {}
