package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.BitSet;
import java.util.List;

/**
 * The place of one slice: a box of hosts in a grid, torus or cube, or an ordered list of whole
 * cubes.
 *
 * <p>Rules: TPU-F-7, TPU-U-10, TPU-U-14.
 *
 * @param pool the pool
 * @param shape the shape of the slice as requested, in chips
 * @param order its orientation in the pool
 * @param origin the host at coordinate (0, 0, 0) of the slice, by its number in the pool
 * @param cubes the cubes that contain hosts of the slice, in the order of their coordinates in the
 *     slice, x fastest; empty if the pool does not consist of cubes
 * @since 0.1.0
 */
public record SlicePlacement(
    TpuPool pool, SliceShape shape, AxisOrder order, int origin, List<Integer> cubes) {

  /**
   * Creates the placement.
   *
   * @throws IllegalArgumentException if the slice does not lie in the pool
   */
  public SlicePlacement {
    if (origin < 0 || origin >= pool.hosts()) {
      throw new IllegalArgumentException("slice %s at host %d of pool %s, expected 0 to %d"
          .formatted(shape, origin, pool.id(), pool.hosts() - 1));
    }
    cubes = ImmutableIntArray.copyOf(cubes).asList();
    int needed = pool.kind() != TpuPool.Kind.CUBES_OCS
        ? 0
        : pool.takesWholeCubes(shape) ? shape.chips() / TpuGeneration.CUBE_CHIPS : 1;
    if (cubes.size() != needed || !areDistinct(pool, cubes)) {
      throw new IllegalArgumentException(
          "slice %s in cubes %s of pool %s, expected %d distinct ones from 0 to %d"
              .formatted(shape, cubes, pool.id(), needed, pool.cubes() - 1));
    }
    if (!pool.takesWholeCubes(shape) && !isInside(pool, shape, order, origin)) {
      throw new IllegalArgumentException("slice %s %s at host %d reaches out of pool %s of %s"
          .formatted(shape, order, origin, pool.id(), pool.chips()));
    }
  }

  private static boolean areDistinct(TpuPool pool, List<Integer> cubes) {
    BitSet seen = new BitSet();
    for (int cube : cubes) {
      if (cube < 0 || cube >= pool.cubes() || seen.get(cube)) {
        return false;
      }
      seen.set(cube);
    }
    return true;
  }

  /**
   * {@return the placement of a slice on whole cubes, in the order of their coordinates}
   *
   * @throws IllegalArgumentException if the slice does not consist of that many cubes, or they are
   *     not distinct cubes of the pool
   */
  public static SlicePlacement ofCubes(TpuPool pool, SliceShape shape, List<Integer> cubes) {
    int origin = cubes.isEmpty() ? 0 : cubes.get(0) * pool.hostsPerMesh();
    return new SlicePlacement(pool, shape, AxisOrder.XYZ, origin, cubes);
  }

  /**
   * {@return the placement of a box with its lowest corner at host {@code origin}}
   *
   * @throws IllegalArgumentException if the slice does not lie in the pool, or takes several cubes
   */
  public static SlicePlacement ofBox(TpuPool pool, SliceShape shape, AxisOrder order, int origin) {
    List<Integer> cubes =
        pool.kind() == TpuPool.Kind.CUBES_OCS ? List.of(origin / pool.hostsPerMesh()) : List.of();
    return new SlicePlacement(pool, shape, order, origin, cubes);
  }

  private static boolean isInside(TpuPool pool, SliceShape shape, AxisOrder order, int origin) {
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int extent = pool.hostExtent(axis);
      int chips = shape.extent(order.sliceAxis(axis));
      int start = pool.crossesSeams() ? 0 : origin % pool.hostsPerMesh() / stride % extent;
      if (chips % pool.hostBox().extent(axis) != 0
          || start + chips / pool.hostBox().extent(axis) > extent) {
        return false;
      }
      stride *= extent;
    }
    return true;
  }

  /**
   * {@return the partitions that the slice consists of: its cubes, or one part of a cube; empty if
   * the pool does not consist of cubes}
   */
  public List<TpuPool.Block> partitions() {
    if (pool.kind() != TpuPool.Kind.CUBES_OCS) {
      return ImmutableList.of();
    }
    return blocks(shape);
  }

  private List<TpuPool.Block> blocks(SliceShape box) {
    return pool.takesWholeCubes(shape)
        ? cubes.stream()
            .map(cube -> new TpuPool.Block(pool.chips(), cube * pool.hostsPerMesh()))
            .collect(ImmutableList.toImmutableList())
        : ImmutableList.of(new TpuPool.Block(box, origin));
  }

  /** {@return the number of hosts along an axis of the slice; 0 for x} */
  public int hostExtent(int sliceAxis) {
    return shape.extent(sliceAxis) / pool.hostBox().extent(order.poolAxis(sliceAxis));
  }

  /**
   * {@return the number of the host at a coordinate, given in hosts along the axes of the slice}
   */
  public int host(int x, int y, int z) {
    if (pool.takesWholeCubes(shape)) {
      int width = pool.hostExtent(0);
      int height = pool.hostExtent(1);
      int depth = pool.hostExtent(2);
      int cubesWide = hostExtent(0) / width;
      int cubesHigh = hostExtent(1) / height;
      int cube = x / width + cubesWide * (y / height + cubesHigh * (z / depth));
      int inside = x % width + width * (y % height + height * (z % depth));
      return cubes.get(cube) * pool.hostsPerMesh() + inside;
    }
    int[] at = {x, y, z};
    int host = origin / pool.hostsPerMesh() * pool.hostsPerMesh();
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int extent = pool.hostExtent(axis);
      int start = origin % pool.hostsPerMesh() / stride % extent;
      host += (start + at[order.sliceAxis(axis)]) % extent * stride;
      stride *= extent;
    }
    return host;
  }

  /**
   * {@return the numbers of the hosts in the order of their coordinates in the slice, x fastest}
   */
  public List<Integer> hosts() {
    int width = hostExtent(0);
    int height = hostExtent(1);
    int depth = hostExtent(2);
    ImmutableIntArray.Builder hosts = ImmutableIntArray.builder(width * height * depth);
    for (int z = 0; z < depth; z++) {
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          hosts.add(host(x, y, z));
        }
      }
    }
    return hosts.build().asList();
  }

  /**
   * {@return the names of the hosts in the order of {@link #hosts()}; empty if the hosts have no
   * names}
   */
  public List<String> nodes() {
    if (pool.nodes().isEmpty()) {
      return ImmutableList.of();
    }
    return hosts().stream().map(pool.nodes()::get).collect(ImmutableList.toImmutableList());
  }

  /** {@return whether the slice closes a ring along one of its axes; 0 for x} */
  public boolean isRing(int sliceAxis) {
    return pool.isRing(shape, order, sliceAxis);
  }

  /**
   * {@return the names of the partitions that form the slice: one for each cube, or the one of the
   * box itself; empty if one of them has no name}
   */
  public List<String> partitionIds() {
    List<TpuPool.Block> blocks = blocks(shape.turned(order));
    return pool.partitionIds().keySet().containsAll(blocks)
        ? blocks.stream().map(pool.partitionIds()::get).collect(ImmutableList.toImmutableList())
        : ImmutableList.of();
  }
}
