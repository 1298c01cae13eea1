package io.kueue4j.examples.tpu;

import io.kueue4j.core.tpu.Defragmentation;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceEviction;
import io.kueue4j.core.tpu.SlicePlacement;
import java.util.List;
import java.util.Optional;

/**
 * The result of one request.
 *
 * @param request the request
 * @param placements the places of its slices; empty if they did not fit
 * @param moves the moves that made it fit, if moves are allowed
 * @param failure why it does not fit, empty if it does
 * @param fewerFit how many of several slices would fit; 0 if none, or if only one was requested
 * @param repair moves after which it would fit, if any
 * @param eviction the cheapest owners to stop so that it fits, if any
 */
public record FitAnswer(
    NamedRequest request,
    List<SlicePlacement> placements,
    Optional<Defragmentation> moves,
    Optional<FitFailure> failure,
    int fewerFit,
    Optional<Defragmentation> repair,
    Optional<SliceEviction> eviction) {
  /** {@return the answer that it fits} */
  static FitAnswer placed(
      NamedRequest request, List<SlicePlacement> placements, Optional<Defragmentation> moves) {
    return new FitAnswer(
        request, placements, moves, Optional.empty(), 0, Optional.empty(), Optional.empty());
  }
}
