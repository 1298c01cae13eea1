package io.kueue4j.k8s.status;

import io.kueue4j.core.model.WorkloadId;

/**
 * An event of a workload.
 *
 * @param workload what it is about
 * @param event what is to be told
 */
public record WorkloadEvent(WorkloadId workload, KueueEvent event) {}
