package io.kueue4j.core.tpu;

import java.util.Optional;

/**
 * Why a request does not fit.
 *
 * <p>Rules: TPU-F-6, TPU-F-7.
 *
 * @param constraint the constraint that prevents the fit: the first in the order of
 *     {@link Constraint} without which the request would fit
 * @param message the constraint in words and figures
 * @param largest the largest slice that fits now under the request's other conditions, if any
 * @param repair what would make room; only {@link SlicePlanner#explain} searches for it
 * @since 0.1.0
 */
public record FitFailure(
    Constraint constraint,
    String message,
    Optional<SliceShape> largest,
    Optional<SliceRepair> repair) {
  /** What prevents a fit, in the order in which the causes are checked. */
  public enum Constraint {
    /** No requested shape is a valid slice of the fleet's generation. */
    REQUEST,
    /** No pool could hold such a slice even if it were empty. */
    POOLS,
    /** There are too many combinations to try. */
    UNDECIDED,
    /** The request would fit without its excluded or required hosts. */
    SELECTION,
    /** The request would fit if its slices could come from any pools. */
    SCOPE,
    /** The request would fit without its requirement of rings. */
    RINGS,
    /** The request would fit if all hosts and partitions were healthy. */
    HEALTH,
    /** Too few usable hosts are free. */
    CAPACITY,
    /** Enough usable hosts are free, but they are not contiguous. */
    GEOMETRY
  }

  /** Creates a failure without a repair. */
  public FitFailure(Constraint constraint, String message, Optional<SliceShape> largest) {
    this(constraint, message, largest, Optional.empty());
  }

  /** {@return this failure with a repair} */
  FitFailure withRepair(SliceRepair found) {
    return new FitFailure(constraint, message, largest, Optional.of(found));
  }

  /**
   * What would make room for a request that does not fit.
   *
   * <p>Rules: TPU-F-7, TPU-F-18, TPU-F-19.
   *
   * @param moves the fewest moves that make room; absent if no moves help
   * @param eviction the cheapest owners to evict; absent if no permitted eviction helps
   * @since 0.1.0
   */
  public record SliceRepair(Optional<Defragmentation> moves, Optional<SliceEviction> eviction) {}
}
