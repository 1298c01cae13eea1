package io.kueue4j.core.decision;

import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A decision: a workload has to stop for another reason than preemption. It holds its quota until
 * the caller reports {@link io.kueue4j.core.AdmissionEngine#podsStopped}; the quota of a
 * deactivated workload is free at once, unless {@link Settings#holdsQuotaUntilStopped} says
 * otherwise. Immutable.
 *
 * @param workload the workload
 * @param reason why it is evicted
 * @param cause the underlying cause, absent if the reason alone is complete
 * @param message the reason as a sentence, in Kueue's words
 * @since 0.1.0
 */
public record Eviction(
    WorkloadId workload, EvictionReason reason, Optional<EvictionCause> cause, String message)
    implements Decision {}
