package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;

/**
 * Whether a request fits, and where.
 *
 * <p>Rules: TPU-F-7, TPU-F-12.
 */
public sealed interface SliceFit {
  /** {@return whether there is room} */
  default boolean isPlaced() {
    return this instanceof Placed;
  }

  /** {@return the places of all slices; empty unless there is room} */
  default ImmutableList<SlicePlacement> slices() {
    return ImmutableList.of();
  }

  /**
   * There is room.
   *
   * @param slices the places of all slices
   */
  record Placed(ImmutableList<SlicePlacement> slices) implements SliceFit {}

  /** There is no room, which is certain; {@link SliceFitter#explain} says why. */
  record NoRoom() implements SliceFit {
    static final NoRoom INSTANCE = new NoRoom();
  }

  /**
   * Several slices were not found room for by placing one after the other, and too many
   * combinations are left to try them all. There may be room.
   *
   * @param searchedNodes how many steps were tried
   */
  record Undecided(long searchedNodes) implements SliceFit {}
}
