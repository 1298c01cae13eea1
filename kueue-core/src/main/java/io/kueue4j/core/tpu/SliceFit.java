package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The answer whether a request fits, and where.
 *
 * <p>Rules: TPU-F-7, TPU-F-12.
 *
 * @since 0.1.0
 */
public sealed interface SliceFit {
  /** {@return whether the request fits} */
  default boolean isPlaced() {
    return this instanceof Placed;
  }

  /** {@return the placements of all slices; empty unless the request fits} */
  default List<SlicePlacement> slices() {
    return ImmutableList.of();
  }

  /**
   * The request fits.
   *
   * @param slices the placements of all slices
   */
  record Placed(List<SlicePlacement> slices) implements SliceFit {
    /** Copies what it is given. */
    public Placed {
      slices = ImmutableList.copyOf(slices);
    }
  }

  /** The request certainly does not fit; {@link SliceFitter#explain} says why. */
  record NoRoom() implements SliceFit {
    static final NoRoom INSTANCE = new NoRoom();
  }

  /**
   * Placing several slices one after another failed, and there are too many combinations to try.
   * The request may fit.
   *
   * @param searchedNodes the number of steps tried
   */
  record Undecided(long searchedNodes) implements SliceFit {}
}
