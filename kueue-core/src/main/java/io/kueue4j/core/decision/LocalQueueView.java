package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LocalQueue;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A LocalQueue at one moment. Immutable, safe for several threads.
 *
 * <p>What it has used is known only if {@link Settings#admissionFairSharing()} is set and the
 * LocalQueue has taken part.
 *
 * @param spec the LocalQueue as it was applied
 * @param consumed what it has used, to be stored for
 *     {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage}
 * @param pendingPenalty what counts beside that for workloads that hold quota and are not admitted
 *     yet, by resource in base units
 * @param fairSharingUsage both in one figure, with the weights: the LocalQueue with the lowest is
 *     served first; infinite without a weight
 */
public record LocalQueueView(
    LocalQueue spec,
    Optional<ConsumedUsage> consumed,
    ImmutableSortedMap<String, BigDecimal> pendingPenalty,
    OptionalDouble fairSharingUsage) {}
