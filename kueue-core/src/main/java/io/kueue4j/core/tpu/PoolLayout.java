package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The immutable properties of a pool, in the form that searches need. */
final class PoolLayout {
  private final TpuPool pool;
  private final HostGrid mesh;
  private final int[][][] blocks;

  /* Both filled lazily, by any thread. */
  private final Map<PlaceTable.Key, PlaceTable> places = new ConcurrentHashMap<>();

  private final Map<PlaceTable.Key, ImmutableList<Way>> ways = new ConcurrentHashMap<>();

  PoolLayout(TpuPool pool) {
    this.pool = pool;
    this.mesh = new HostGrid(
        pool.hostExtent(0), pool.hostExtent(1), pool.hostExtent(2), pool.crossesSeams());
    this.blocks = blocks(pool);
  }

  private static int[][][] blocks(TpuPool pool) {
    return pool.generation().blocks().stream()
        .map(shape -> Way.all(pool, new PlaceTable.Key(shape, true, false)).stream()
            .map(Way::extents)
            .toArray(int[][]::new))
        .toArray(int[][][]::new);
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

  /** {@return the table of the only place of a whole cube} */
  PlaceTable wholeCube() {
    return places(new PlaceTable.Key(pool.chips(), false, false));
  }

  /** {@return the orientations of a box that fit an empty mesh} */
  ImmutableList<Way> ways(PlaceTable.Key key) {
    ImmutableList<Way> known = ways.get(key);
    return known != null ? known : ways.computeIfAbsent(key, each -> Way.all(pool, each));
  }

  /** {@return a copy of the hosts of a set that are in one mesh} */
  long[] hostsOf(long[] set, int number) {
    return Arrays.copyOfRange(set, number * mesh.words(), (number + 1) * mesh.words());
  }

  /** {@return the number of aligned boxes of hosts of a set, in all meshes} */
  int countAligned(long[] set, int[] length) {
    int count = 0;
    for (int number = 0; number < pool.cubes(); number++) {
      long[] corners = hostsOf(set, number);
      mesh.corners(corners, length, true, corners);
      count += HostBits.size(corners);
    }
    return count;
  }

  /** {@return the number of words of a set of the hosts of all meshes} */
  int words() {
    return pool.cubes() * mesh.words();
  }

  /** {@return the number of the bit of a host in a set of the hosts of all meshes} */
  int bit(int host) {
    int hosts = mesh.hosts();
    return host / hosts * mesh.words() * Long.SIZE + host % hosts;
  }

  boolean isAligned() {
    return pool.alignment() == TpuPool.Alignment.ALIGNED_IDS;
  }

  boolean isMadeOfCubes() {
    return pool.kind() == TpuPool.Kind.CUBES_OCS;
  }

  int levels() {
    return blocks.length;
  }

  /**
   * {@return the blocks that measure room at a level: the extents in hosts for each orientation;
   * none if the pool has no such block}
   */
  int[][] blocks(int level) {
    return blocks[level];
  }
}
