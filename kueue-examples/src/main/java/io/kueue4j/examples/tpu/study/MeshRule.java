package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.Random;

/**
 * Which of all places that are free a slice takes: the one that costs least, of equal ones the
 * first by mesh and place.
 */
interface MeshRule {
  /**
   * {@return what it costs to take a place}
   *
   * @param mesh the mesh
   * @param free the free hosts of it
   * @param place the place, all of whose hosts are free
   * @param shape the slice
   */
  long cost(Mesh mesh, long free, Mesh.Place place, SliceShape shape);

  /** The first place there is. */
  MeshRule FIRST = (mesh, free, place, shape) -> 0;

  /** The smallest block that is free as a whole is split; of equal ones in the fullest mesh. */
  MeshRule BUDDY = (mesh, free, place, shape) ->
      mesh.largestFreeBlockHosts(free, place.hosts()) * 100L + Long.bitCount(free);

  /** The emptiest mesh. */
  MeshRule SPREAD = (mesh, free, place, shape) -> -Long.bitCount(free);

  /** The fewest free hosts around the slice. */
  MeshRule CONTACT = (mesh, free, place, shape) -> Long.bitCount(place.around() & free);

  /** The largest free rectangle shrinks least (Krevat, Castanos, Moreira 2002). */
  MeshRule LARGEST_RECTANGLE = (mesh, free, place, shape) ->
      largestRectangle(mesh, free) - largestRectangle(mesh, free & ~place.hosts());

  /**
   * The fewest places are lost to other slices, at any host, each shape counted by its chips: the
   * gradient of fragmentation (Weng and others 2023) for a mix that nobody knows.
   */
  MeshRule GRADIENT = (mesh, free, place, shape) -> {
    long lost = 0;
    for (SliceShape other : mesh.shapes()) {
      int places = 0;
      for (Mesh.Place each : mesh.anywhere(other)) {
        if ((each.hosts() & free) == each.hosts() && (each.hosts() & place.hosts()) != 0) {
          places++;
        }
      }
      lost += (long) places * other.chips();
    }
    return lost;
  };

  /**
   * What topology-aware scheduling does with a level of labels for each block: at each level, the
   * domain with the fewest free blocks of the slice's shape.
   */
  MeshRule LEVEL_BY_LEVEL = (mesh, free, place, shape) -> {
    long cost = freeBlocks(mesh, free, -1L, shape);
    for (SliceShape level : mesh.shapes().reverse()) {
      for (Mesh.Place block : mesh.aligned(level)) {
        if ((block.hosts() & place.hosts()) == place.hosts()) {
          cost = cost * 32 + freeBlocks(mesh, free, block.hosts(), shape);
        }
      }
    }
    return cost;
  };

  /** {@return a rule that takes any place, with equal odds} */
  static MeshRule random(long seed) {
    Random random = new Random(seed);
    return (mesh, free, place, shape) -> random.nextInt();
  }

  private static long freeBlocks(Mesh mesh, long free, long within, SliceShape shape) {
    long blocks = 0;
    for (Mesh.Place each : mesh.aligned(shape)) {
      if ((each.hosts() & free & within) == each.hosts()) {
        blocks++;
      }
    }
    return blocks;
  }

  /** {@return the hosts of the largest free rectangle of a grid eight hosts wide} */
  private static int largestRectangle(Mesh mesh, long free) {
    int largest = 0;
    long rows = free;
    for (int height = 1; rows != 0 && height <= mesh.height(); height++) {
      long runs = rows;
      for (int width = 1; runs != 0 && width <= mesh.width(); width++) {
        largest = Math.max(largest, width * height);
        // A run goes on in the next column, which is not the first one.
        runs &= (rows >>> width) & (COLUMNS.get(width));
      }
      rows &= height < mesh.height() ? free >>> (height * mesh.width()) : 0;
    }
    return largest;
  }

  /** The hosts at which a run of so many more than one can begin. */
  ImmutableList<Long> COLUMNS = ImmutableList.of(
      -1L,
      0x7f7f7f7f7f7f7f7fL,
      0x3f3f3f3f3f3f3f3fL,
      0x1f1f1f1f1f1f1f1fL,
      0x0f0f0f0f0f0f0f0fL,
      0x0707070707070707L,
      0x0303030303030303L,
      0x0101010101010101L,
      0L);
}
