package io.kueue4j.core.decision;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LocalQueue;
import java.math.BigDecimal;
import java.time.Instant;
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
  /**
   * The past usage of a LocalQueue, which decays by half in each half-life of
   * {@link Settings#admissionFairSharing()}. Store it and pass it to
   * {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage} after a restart. Kueue does not
   * count the time of its own restart; give the time of the restart as {@code lastUpdate} for the
   * same decisions. Penalties are not restored. Immutable.
   *
   * <p>Kueue: {@code LocalQueue.status.fairSharing.admissionFairSharingStatus}. Rules: W-9.
   *
   * @param resources the usage by resource in base units (cores, bytes), with up to nine decimals;
   *     a resource that is absent has 0
   * @param lastUpdate the time for which the usage was computed
   * @since 0.1.0
   */
  public record ConsumedUsage(SortedMap<String, BigDecimal> resources, Instant lastUpdate) {
    /**
     * Creates the value.
     *
     * @throws IllegalArgumentException if an amount is negative
     */
    public ConsumedUsage {
      resources = ImmutableSortedMap.copyOf(resources);
      resources.forEach((resource, amount) -> checkArgument(
          amount.signum() >= 0,
          "the consumed amount of %s is %s; expected 0 or more",
          resource,
          amount));
    }
  }

  /** Copies what it is given. */
  public LocalQueueView {
    pendingPenalty = ImmutableSortedMap.copyOf(pendingPenalty);
  }
}
