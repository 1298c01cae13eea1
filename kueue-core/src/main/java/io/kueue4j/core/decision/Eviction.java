package io.kueue4j.core.decision;

import io.kueue4j.core.model.EvictionCause;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A workload that is to stop, though not for another one. It holds its quota until
 * {@link io.kueue4j.core.AdmissionEngine#podsStopped} tells that it has; only the quota of a
 * deactivated one is free at once.
 *
 * @param workload the workload
 * @param reason why
 * @param cause what is behind that, absent if the reason says all
 * @param message the same in Kueue's words, with the particulars
 */
public record Eviction(
    WorkloadId workload, EvictionReason reason, Optional<EvictionCause> cause, String message)
    implements Decision {}
