package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The immutable properties of a pool, in the form that searches need. */
final class PoolLayout {
  private final TpuPool pool;
  private final HostGrid mesh;
  private final int[] blocks;

  /** Filled lazily, by any thread. */
  private final Map<PlaceTable.Key, PlaceTable> places = new ConcurrentHashMap<>();

  PoolLayout(TpuPool pool) {
    this.pool = pool;
    this.mesh = new HostGrid(
        pool.hostExtent(0), pool.hostExtent(1), pool.hostExtent(2), pool.crossesSeams());
    this.blocks = blocks(pool);
  }

  /**
   * The blocks that measure room: three extents in hosts for each level and orientation; zeros
   * where the pool has no such block.
   */
  private static int[] blocks(TpuPool pool) {
    ImmutableList<SliceShape> shapes = pool.generation().blocks();
    int[] blocks = new int[shapes.size() * Orientation.MOST * 3];
    boolean turn = pool.alignment() == TpuPool.Alignment.HOST_ALIGNED;
    for (int level = 0; level < shapes.size(); level++) {
      Orientation turned = new Orientation();
      int next = level * Orientation.MOST * 3;
      for (turned.begin(pool, shapes.get(level), turn); turned.next(); ) {
        blocks[next++] = turned.width();
        blocks[next++] = turned.height();
        blocks[next++] = turned.depth();
      }
    }
    return blocks;
  }

  TpuPool pool() {
    return pool;
  }

  /** {@return the grid of the pool, or of each of its cubes} */
  HostGrid mesh() {
    return mesh;
  }

  /** {@return the places of a box in an empty mesh} */
  PlaceTable places(PlaceTable.Key key) {
    PlaceTable known = places.get(key);
    return known != null ? known : places.computeIfAbsent(key, each -> new PlaceTable(this, each));
  }

  int words() {
    return (pool.hosts() + Long.SIZE - 1) / Long.SIZE;
  }

  boolean isAligned() {
    return pool.alignment() == TpuPool.Alignment.ALIGNED_IDS;
  }

  boolean isMadeOfCubes() {
    return pool.kind() == TpuPool.Kind.CUBES_OCS;
  }

  int levels() {
    return blocks.length / (Orientation.MOST * 3);
  }

  /** {@return an extent of a block in hosts, 0 if it has fewer orientations} */
  int block(int level, int way, int axis) {
    return blocks[(level * Orientation.MOST + way) * 3 + axis];
  }
}
