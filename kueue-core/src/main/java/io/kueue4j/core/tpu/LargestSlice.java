package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the slice with the most chips that fits; among equal ones the most compact. Rules: TPU-F-7,
 * B.18.
 */
final class LargestSlice {
  private LargestSlice() {}

  /** {@return the largest slice that fits under the conditions of a request} */
  static Optional<SliceShape> of(SliceFitter fitter, TpuFleet fleet, SliceRequest request) {
    return shapes(fleet)
        .filter(shape -> fitter
            .fit(
                fleet,
                request
                    .withShapes(ImmutableList.of(shape))
                    .withCount(1)
                    .withScope(SliceRequest.Scope.ANY))
            .isPlaced())
        .findFirst();
  }

  /** {@return the shapes that fit the largest pool if it is empty, largest first} */
  private static Stream<SliceShape> shapes(TpuFleet fleet) {
    TpuGeneration generation = fleet.generation();
    int chips = fleet.pools().stream()
        .mapToInt(pool -> Math.min(generation.maxSliceChips(), pool.chips().chips() * pool.cubes()))
        .max()
        .orElseThrow();
    boolean isTurned = !generation.sortedAxes()
        && fleet.pools().stream().anyMatch(pool -> pool.kind() == TpuPool.Kind.GRID_3D_FIXED);
    Stream<SliceShape> ascending =
        generation.layout() == TpuGeneration.Layout.GRID ? Stream.empty() : cubes(chips);
    Stream<SliceShape> cubes =
        isTurned ? ascending.flatMap(LargestSlice::turned).distinct() : ascending;
    return Stream.concat(cubes, generation.shapes().stream())
        .filter(shape -> shape.chips() <= chips)
        .sorted(Comparator.comparingInt(SliceShape::chips)
            .reversed()
            .thenComparingInt(shape -> shape.x() + shape.y() + shape.z()));
  }

  private static Stream<SliceShape> cubes(int chips) {
    int edge = TpuGeneration.CUBE_EDGE;
    int most = chips / TpuGeneration.CUBE_CHIPS;
    int longest = Math.min(most, SliceShape.MAX_EXTENT / edge);
    return IntStream.rangeClosed(1, most)
        .boxed()
        .flatMap(a -> IntStream.rangeClosed(a, most / a)
            .boxed()
            .flatMap(b -> IntStream.rangeClosed(b, Math.min(longest, most / (a * b)))
                .mapToObj(c -> SliceShape.of(edge * a, edge * b, edge * c))));
  }

  /** {@return the shape and, for a torus, those with the same extents in another order} */
  private static Stream<SliceShape> turned(SliceShape shape) {
    return Stream.of(AxisOrder.values()).map(shape::turned);
  }
}
