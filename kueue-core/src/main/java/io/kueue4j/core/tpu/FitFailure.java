package io.kueue4j.core.tpu;

import java.util.Optional;

/**
 * Why a request does not fit.
 *
 * <p>Rules: TPU-F-6, TPU-F-7.
 *
 * @param constraint what stands in the way: without it the request would fit, or nothing weaker
 *     than itself would help
 * @param message the same in words and figures
 * @param largest the largest slice that fits now under the request's other conditions, if any
 * @param repair what would make room, as far as it was asked for; see {@link SlicePlanner#explain}
 */
public record FitFailure(
    Constraint constraint,
    String message,
    Optional<SliceShape> largest,
    Optional<SliceRepair> repair) {
  /** What stands in the way, in the order in which it is looked for. */
  public enum Constraint {
    /** No shape of the request is a slice of the fleet's generation. */
    REQUEST,
    /** No pool could hold even one such slice if it were empty. */
    POOLS,
    /** Too many combinations to try them all. */
    UNDECIDED,
    /** It would fit without the request's hosts to avoid or to be confined to. */
    SELECTION,
    /** It would fit if the slices could come from any pools. */
    SCOPE,
    /** It would fit if rings did not matter. */
    RINGS,
    /** It would fit if all hosts were healthy. */
    HEALTH,
    /** Fewer usable hosts are free than it takes. */
    CAPACITY,
    /** Enough usable hosts are free, but they do not lie together. */
    GEOMETRY
  }

  /** A failure without a repair. */
  public FitFailure(Constraint constraint, String message, Optional<SliceShape> largest) {
    this(constraint, message, largest, Optional.empty());
  }

  /** {@return this failure with what would make room} */
  FitFailure withRepair(SliceRepair found) {
    return new FitFailure(constraint, message, largest, Optional.of(found));
  }
}
