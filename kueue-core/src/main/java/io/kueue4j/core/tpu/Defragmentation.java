package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;

/**
 * Moves that make room for a request.
 *
 * @param moves the moves, in an order in which each finds its new hosts free
 * @param placement where the slice fits then
 */
public record Defragmentation(ImmutableList<SliceMove> moves, SlicePlacement placement) {
  /** {@return the chips of all slices that move} */
  public int movedChips() {
    return moves.stream()
        .mapToInt(move -> move.slice().placement().shape().chips())
        .sum();
  }

  /** {@return the fleet after the moves, without the new slice} */
  public TpuFleet applyTo(TpuFleet fleet) {
    TpuFleet after = fleet;
    for (SliceMove move : moves) {
      after = after.release(move.slice().id()).allocate(move.slice().withPlacement(move.to()));
    }
    return after;
  }
}
