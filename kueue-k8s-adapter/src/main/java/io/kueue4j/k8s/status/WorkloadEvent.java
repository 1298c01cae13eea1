package io.kueue4j.k8s.status;

import io.kueue4j.core.model.WorkloadId;

/**
 * An event of a workload.
 *
 * @param workload the workload
 * @param event its event
 * @since 0.1.0
 */
public record WorkloadEvent(WorkloadId workload, KueueEvent event) {}
