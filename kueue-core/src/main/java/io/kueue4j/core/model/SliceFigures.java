package io.kueue4j.core.model;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceMove;
import java.util.List;

/**
 * Why TPU slices do not fit, and which moves of other slices would make room.
 *
 * <p>Rules: TPU-F-7, TPU-F-19.
 *
 * @param failure what prevents the fit, in figures, with the largest free slice
 * @param moves the fewest moves of other slices that would make room, in an order in which the new
 *     hosts of each are free; empty if none were searched or a few do not suffice. Only
 *     explanations search for them
 * @since 0.1.0
 */
public record SliceFigures(FitFailure failure, List<SliceMove> moves) {
  /** Copies what it is given. */
  public SliceFigures {
    moves = ImmutableList.copyOf(moves);
  }

  /** {@return the figures without moves} */
  public static SliceFigures of(FitFailure failure) {
    return new SliceFigures(failure, ImmutableList.of());
  }

  /** {@return these figures with moves that would make room} */
  public SliceFigures withMoves(List<SliceMove> found) {
    return new SliceFigures(failure, found);
  }

  /** {@return the figures as a sentence for people} */
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
