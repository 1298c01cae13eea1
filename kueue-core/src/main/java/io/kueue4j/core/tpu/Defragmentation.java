package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A plan of moves of slices that makes room for a request.
 *
 * <p>Rules: TPU-F-19.
 *
 * @param moves the moves, in an order in which the new hosts of each are free once the slices with
 *     {@link SliceMove#stopsFirst()} have stopped
 * @param placements where the slices of the request fit after the moves
 * @since 0.1.0
 */
public record Defragmentation(List<SliceMove> moves, List<SlicePlacement> placements) {
  /**
   * The move of a slice to other hosts.
   *
   * @param slice the slice at its present place
   * @param to the new place
   * @param stopsFirst whether the slice must stop before it starts at the new place and before
   *     another move needs its hosts, because old and new hosts overlap or because moves swap
   *     hosts; otherwise both copies may run for a while
   * @since 0.1.0
   */
  public record SliceMove(TpuSlice slice, SlicePlacement to, boolean stopsFirst) {}

  /** Copies what it is given. */
  public Defragmentation {
    moves = ImmutableList.copyOf(moves);
    placements = ImmutableList.copyOf(placements);
  }

  /** {@return where the slice, or the first of several, fits after the moves} */
  public SlicePlacement placement() {
    return placements.get(0);
  }

  /** {@return the number of chips of all slices that move} */
  public int movedChips() {
    return moves.stream()
        .mapToInt(move -> move.slice().placement().shape().chips())
        .sum();
  }

  /**
   * {@return the fleet after the moves, without the new slices}
   *
   * @throws IllegalArgumentException if {@code fleet} lacks a slice that moves, or other slices use
   *     hosts that slices move to
   */
  public TpuFleet applyTo(TpuFleet fleet) {
    TpuFleet after = fleet;
    for (SliceMove move : moves) {
      after = move.stopsFirst() ? after.release(move.slice().id()) : after;
    }
    for (SliceMove move : moves) {
      after = move.stopsFirst() ? after : after.release(move.slice().id());
      after = after.allocate(move.slice().withPlacement(move.to()));
    }
    return after;
  }
}
