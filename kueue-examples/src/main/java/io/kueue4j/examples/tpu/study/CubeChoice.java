package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.stream.IntStream;

/** Selects the whole cubes of a slice that consists of several. */
interface CubeChoice {
  /** A cube whose hosts are all free. */
  long WHOLE = 0xFFFF;

  /** {@return the cubes; empty if there are not enough} */
  ImmutableList<Integer> choose(long[] free, SliceShape shape);

  /** Optical switches join any cubes: takes the first ones. */
  CubeChoice ANY = (free, shape) -> {
    int needed = shape.chips() / 64;
    ImmutableList<Integer> cubes = IntStream.range(0, free.length)
        .filter(cube -> free[cube] == WHOLE)
        .limit(needed)
        .boxed()
        .collect(ImmutableList.toImmutableList());
    return cubes.size() == needed ? cubes : ImmutableList.of();
  };

  /**
   * {@return the first box of neighbours in a torus of cubes, in any orientation: a machine without
   * optical switches}
   *
   * @param width cubes along x
   * @param height cubes along y
   * @param depth cubes along z
   */
  static CubeChoice torus(int width, int height, int depth) {
    return (free, shape) -> {
      int[] edge = {shape.x() / 4, shape.y() / 4, shape.z() / 4};
      for (int[] turn :
          new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
        int x = edge[turn[0]];
        int y = edge[turn[1]];
        int z = edge[turn[2]];
        for (int at = 0; x <= width && y <= height && z <= depth && at < free.length; at++) {
          int corner = at;
          ImmutableList<Integer> box = IntStream.range(0, x * y * z)
              .map(i -> (corner % width + i % x) % width
                  + width
                      * ((corner / width % height + i / x % y) % height
                          + height * ((corner / width / height + i / x / y) % depth)))
              .takeWhile(cube -> free[cube] == WHOLE)
              .boxed()
              .collect(ImmutableList.toImmutableList());
          if (box.size() == x * y * z) {
            return box;
          }
        }
      }
      return ImmutableList.of();
    };
  }
}
