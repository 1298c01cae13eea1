package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LocalQueue;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A LocalQueue at the moment of an {@link io.kueue4j.core.EngineView}. Immutable, safe for several
 * threads.
 *
 * <p>Usage over time is known only if {@link Settings#admissionFairSharing()} is set and the
 * LocalQueue has taken part in admission fair sharing.
 *
 * @param spec the LocalQueue as it was applied
 * @param consumed what it has used over time, to be stored for
 *     {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage}
 * @param pendingPenalty what is added to that for workloads that hold quota and are not admitted
 *     yet, by resource in base units (cores, bytes)
 * @param fairSharingUsage both as one weighted figure: the LocalQueue with the lowest is served
 *     first; infinite for weight 0
 * @since 0.1.0
 */
public record LocalQueueView(
    LocalQueue spec,
    Optional<ConsumedUsage> consumed,
    ImmutableSortedMap<String, BigDecimal> pendingPenalty,
    OptionalDouble fairSharingUsage) {}
