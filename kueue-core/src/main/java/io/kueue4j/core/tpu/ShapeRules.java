package io.kueue4j.core.tpu;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Decides which shapes are valid slices, and suggests the one that was probably meant. Rules:
 * TPU-U-5, TPU-U-6, TPU-U-7, TPU-F-6.
 */
final class ShapeRules {
  private ShapeRules() {}

  static Optional<String> problem(TpuGeneration generation, SliceShape shape) {
    if (shape.dimensions() != generation.dimensions()) {
      return Optional.of("%s has %d dimensions, slices of %s have %d, for example %s"
          .formatted(
              shape,
              shape.dimensions(),
              generation.name(),
              generation.dimensions(),
              generation.shapes().get(1)));
    }
    if (generation.shapes().contains(shape)
        || (generation.layout() == TpuGeneration.Layout.CUBES && isOfCubes(generation, shape))) {
      return Optional.empty();
    }
    return generation.layout() == TpuGeneration.Layout.GRID
        ? Optional.of(ofList(generation, shape))
        : Optional.of(ofCubes(generation, shape));
  }

  private static boolean isOfCubes(TpuGeneration generation, SliceShape shape) {
    int edge = TpuGeneration.CUBE_EDGE;
    return shape.x() % edge == 0
        && shape.y() % edge == 0
        && shape.z() % edge == 0
        && shape.chips() <= generation.maxSliceChips()
        && (!generation.sortedAxes() || (shape.x() <= shape.y() && shape.y() <= shape.z()));
  }

  /**
   * For a shape that is not in the list, suggests the smallest one in the list that contains it.
   */
  private static String ofList(TpuGeneration generation, SliceShape shape) {
    Optional<SliceShape> next = next(generation, shape);
    String hint = next.map(found ->
            found.chips() == shape.chips() ? "write " + found : "the next larger one is " + found)
        .orElse("the largest is " + last(generation));
    return "%s is no slice of %s: %s; there are %s"
        .formatted(shape, generation.name(), hint, generation.shapes());
  }

  private static Optional<SliceShape> next(TpuGeneration generation, SliceShape shape) {
    int[] wanted = sorted(shape);
    return generation.shapes().stream()
        .filter(each -> {
          int[] offered = sorted(each);
          return IntStream.range(0, 3).allMatch(axis -> offered[axis] >= wanted[axis]);
        })
        .min(Comparator.comparingInt(SliceShape::chips));
  }

  private static SliceShape last(TpuGeneration generation) {
    return generation.shapes().get(generation.shapes().size() - 1);
  }

  private static String ofCubes(TpuGeneration generation, SliceShape shape) {
    Optional<SliceShape> part = next(generation, shape);
    if (part.isPresent()) {
      return ofList(generation, shape);
    }
    SliceShape cubes =
        SliceShape.of(roundedUp(shape.x()), roundedUp(shape.y()), roundedUp(shape.z()));
    if (cubes.chips() > generation.maxSliceChips()) {
      return "%s is no slice of %s: it has %d chips, at most %d are possible"
          .formatted(shape, generation.name(), cubes.chips(), generation.maxSliceChips());
    }
    int[] ascending = sorted(cubes);
    SliceShape right =
        generation.sortedAxes() ? SliceShape.of(ascending[0], ascending[1], ascending[2]) : cubes;
    String rule = cubes.equals(shape)
        ? "its extents must not decrease"
        : "slices from 4x4x4 on have extents that are multiples of 4";
    return "%s is no slice of %s: %s; write %s".formatted(shape, generation.name(), rule, right);
  }

  private static int roundedUp(int extent) {
    int edge = TpuGeneration.CUBE_EDGE;
    return (extent + edge - 1) / edge * edge;
  }

  private static int[] sorted(SliceShape shape) {
    return IntStream.of(shape.x(), shape.y(), shape.z()).sorted().toArray();
  }
}
