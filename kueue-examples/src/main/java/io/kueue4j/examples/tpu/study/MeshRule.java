package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.examples.tpu.study.Mesh.Place;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Selects one of the free places for a slice: the one with the lowest cost, of equal ones the first
 * by mesh and place.
 */
interface MeshRule {
  /**
   * {@return the cost of each free place in one mesh}
   *
   * @param mesh the mesh
   * @param free the free hosts of it
   * @param shape the slice
   */
  ToLongFunction<Place> costs(Mesh mesh, long free, SliceShape shape);

  /** First fit. */
  MeshRule FIRST = (mesh, free, shape) -> place -> 0;

  /**
   * Buddy allocation: splits the smallest block that is completely free; of equal ones the first.
   * Preferring the fullest mesh was tried and is no better.
   */
  MeshRule BUDDY = (mesh, free, shape) -> place -> mesh.largestFreeBlockHosts(free, place.hosts());

  /** The emptiest mesh. */
  MeshRule SPREAD = (mesh, free, shape) -> place -> -Long.bitCount(free);

  /** The fewest free hosts around the slice. */
  MeshRule CONTACT = (mesh, free, shape) -> place -> Long.bitCount(place.around() & free);

  /** The largest free rectangle shrinks least (Krevat, Castanos, Moreira 2002). */
  MeshRule LARGEST_RECTANGLE = (mesh, free, shape) -> {
    int before = largestRectangle(mesh, free);
    return place -> before - largestRectangle(mesh, free & ~place.hosts());
  };

  /**
   * The fewest places are lost to other slices, at any host, each shape weighted by its chips: the
   * gradient of fragmentation (Weng and others 2023) for an unknown mix.
   */
  MeshRule GRADIENT = (mesh, free, shape) -> {
    List<List<Place>> open = mesh.shapes().stream()
        .map(other -> mesh.anywhere(other).stream()
            .filter(each -> (each.hosts() & free) == each.hosts())
            .toList())
        .toList();
    return place -> {
      long lost = 0;
      for (int level = 0; level < open.size(); level++) {
        int places = 0;
        for (Place each : open.get(level)) {
          places += (each.hosts() & place.hosts()) == 0 ? 0 : 1;
        }
        lost += (long) places * mesh.shapes().get(level).chips();
      }
      return lost;
    };
  };

  /**
   * Topology-aware scheduling with a level of labels for each block: at each level, the domain with
   * the fewest free blocks of the slice's shape.
   */
  MeshRule LEVEL_BY_LEVEL = (mesh, free, shape) -> {
    List<Place> open = mesh.aligned(shape).stream()
        .filter(each -> (each.hosts() & free) == each.hosts())
        .toList();
    return place -> {
      long cost = open.size();
      for (SliceShape level : mesh.shapes().reverse()) {
        for (Place block : mesh.aligned(level)) {
          if ((block.hosts() & place.hosts()) == place.hosts()) {
            cost = cost * 32;
            for (Place each : open) {
              cost += (each.hosts() & block.hosts()) == each.hosts() ? 1 : 0;
            }
          }
        }
      }
      return cost;
    };
  };

  /** {@return a rule that selects any place with equal probability} */
  static MeshRule random(long seed) {
    Random random = new Random(seed);
    return (mesh, free, shape) -> place -> random.nextInt();
  }

  /** The hosts of a grid eight hosts wide where a run of a given length can start. */
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

  /** {@return the hosts of the largest free rectangle of a grid eight hosts wide and high} */
  private static int largestRectangle(Mesh mesh, long free) {
    int largest = 0;
    long rows = free;
    for (int height = 1; rows != 0; height++) {
      long runs = rows;
      for (int width = 1; runs != 0; width++) {
        largest = Math.max(largest, width * height);
        runs &= (rows >>> width) & COLUMNS.get(width);
      }
      rows &= height < mesh.height() ? free >>> (height * mesh.width()) : 0;
    }
    return largest;
  }
}
