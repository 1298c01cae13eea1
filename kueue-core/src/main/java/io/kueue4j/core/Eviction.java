package io.kueue4j.core;

import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * A workload that is to stop, though not for another one. It holds its quota until
 * {@link AdmissionEngine#podsStopped} tells that it has.
 *
 * @param workload the workload
 * @param reason why
 * @param message the same in Kueue's words, with the particulars
 */
public record Eviction(WorkloadId workload, EvictionReason reason, String message) {}
