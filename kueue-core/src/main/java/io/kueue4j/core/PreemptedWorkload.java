package io.kueue4j.core;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * A workload that was told to stop for another. It holds its quota until
 * {@link AdmissionEngine#podsStopped} is told.
 *
 * @param workload the workload
 * @param clusterQueue the ClusterQueue whose quota it holds
 * @param preemptor the workload that it makes room for
 * @param reason under which rule
 */
public record PreemptedWorkload(
    WorkloadId workload, String clusterQueue, WorkloadId preemptor, PreemptionReason reason) {}
