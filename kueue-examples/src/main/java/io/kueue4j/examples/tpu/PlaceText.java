package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** Describes where slices are. */
final class PlaceText {
  private static final ImmutableList<String> AXES = ImmutableList.of("x", "y", "z");

  private PlaceText() {}

  /** {@return the chips along each axis of the pool, or the cubes: {@code x 0-3, y 8-15}} */
  static String chips(SlicePlacement placement) {
    TpuPool pool = placement.pool();
    boolean ofCubes = pool.kind() == TpuPool.Kind.CUBES_OCS;
    ImmutableList<Integer> cubes = ImmutableList.copyOf(placement.cubes());
    if (ofCubes && isWholeCubes(placement)) {
      return (cubes.size() == 1 ? "cube " : "cubes ") + HostRanges.format(cubes);
    }
    StringJoiner text = new StringJoiner(", ");
    if (ofCubes) {
      text.add("cube " + cubes.get(0));
    }
    int hostsPerMesh = IntStream.range(0, 3).map(pool::hostExtent).reduce(1, (a, b) -> a * b);
    int stride = 1;
    for (int axis = 0; axis < placement.shape().dimensions(); axis++) {
      int host = placement.origin() % hostsPerMesh / stride % pool.hostExtent(axis);
      int first = host * pool.hostBox().extent(axis);
      int last = first + placement.shape().extent(placement.order().sliceAxis(axis)) - 1;
      text.add(AXES.get(axis) + " " + (first == last ? first : first + "-" + last));
      stride *= pool.hostExtent(axis);
    }
    return text.toString();
  }

  private static boolean isWholeCubes(SlicePlacement placement) {
    return placement.shape().chips() >= placement.pool().chips().chips();
  }

  /** {@return the hosts: their names if they have some, else their numbers} */
  static String hosts(SlicePlacement placement) {
    return placement.nodes().isEmpty()
        ? HostRanges.format(placement.hosts())
        : String.join(" ", placement.nodes());
  }

  /** {@return the axes of the slice with wrap-around links} */
  static String rings(SlicePlacement placement) {
    StringJoiner rings = new StringJoiner(" ");
    for (int axis = 0; axis < placement.shape().dimensions(); axis++) {
      if (placement.isRing(axis)) {
        rings.add(AXES.get(axis));
      }
    }
    return rings.length() == 0 ? "<none>" : rings.toString();
  }

  /** {@return pool and chips} */
  static String of(SlicePlacement placement) {
    return placement.pool().id() + " " + chips(placement);
  }

  /** {@return a description of a pool} */
  static String kind(TpuPool pool) {
    SliceShape box = pool.hostBox();
    return switch (pool.kind()) {
          case GRID_2D -> "grid " + pool.chips();
          case GRID_3D_FIXED -> "torus " + pool.chips();
          case CUBES_OCS -> pool.cubes() + (pool.cubes() == 1 ? " cube" : " cubes");
        }
        + ", hosts of " + box;
  }
}
