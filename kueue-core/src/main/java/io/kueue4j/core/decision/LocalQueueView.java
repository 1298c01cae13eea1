package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LocalQueue;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * A LocalQueue as of an {@link io.kueue4j.core.EngineView}. Immutable and thread-safe.
 *
 * <p>Past usage is known only if {@link Settings#admissionFairSharing()} is set and the LocalQueue
 * has taken part in admission fair sharing.
 *
 * @param spec the LocalQueue as it was applied
 * @param consumed its past usage, to be stored for
 *     {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage}
 * @param pendingPenalty the amount added to that for workloads that hold quota but do not count
 *     yet: before Kueue 0.20 until they are admitted; by resource in base units (cores, bytes)
 * @param fairSharingUsage the weighted sum of both; the LocalQueue with the lowest value is served
 *     first; infinite for weight 0
 * @since 0.1.0
 */
public record LocalQueueView(
    LocalQueue spec,
    Optional<ConsumedUsage> consumed,
    SortedMap<String, BigDecimal> pendingPenalty,
    OptionalDouble fairSharingUsage) {
  /** Copies what it is given. */
  public LocalQueueView {
    pendingPenalty = ImmutableSortedMap.copyOf(pendingPenalty);
  }
}
