package io.kueue4j.core.model;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceMove;

/**
 * Why slices of TPU chips have no room, and what would make it.
 *
 * <p>Rules: TPU-F-7, TPU-F-19.
 *
 * @param failure what stands in the way, in figures, with the largest slice that is free
 * @param moves the fewest moves of other slices that would make room, in an order in which each
 *     finds its new hosts free; empty if none were looked for or few are not enough. Only
 *     explanations look for them
 */
public record SliceFigures(FitFailure failure, ImmutableList<SliceMove> moves) {
  /** {@return the figures without moves} */
  public static SliceFigures of(FitFailure failure) {
    return new SliceFigures(failure, ImmutableList.of());
  }

  /** {@return the same with moves that would make room} */
  public SliceFigures withMoves(ImmutableList<SliceMove> found) {
    return new SliceFigures(failure, found);
  }

  /** {@return all of it in words} */
  public String message() {
    String largest =
        failure.largest().map(shape -> "; largest free " + shape).orElse("; nothing is free");
    String help = moves.isEmpty()
        ? ""
        : moves.stream()
            .map(move -> "%s (%s) from host %d of pool %s to host %d of pool %s"
                .formatted(
                    move.slice().owner(),
                    move.to().shape(),
                    move.slice().placement().origin(),
                    move.slice().placement().pool().id(),
                    move.to().origin(),
                    move.to().pool().id()))
            .collect(joining(" and ", "; moving ", " would make room"));
    return failure.message() + largest + help;
  }
}
