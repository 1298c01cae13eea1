package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The best place according to the default objective in each of the 65,536 states of a cube, for
 * aligned slices smaller than a cube. Computed once by {@link MeshSearch} at first use.
 *
 * <p>States in which the best places of all shapes are equally good have the same signature, so a
 * search among cubes compares only signatures.
 *
 * <p>Rules: TPU-F-11.
 */
final class CubeTable {
  /** The rank of a signature without a place for a shape. */
  static final int NONE = Short.MAX_VALUE;

  private static final int STATES = 1 << 16;
  private static final int BITS = 5;

  private final List<SliceShape> shapes = TpuGeneration.V4.shapes();

  /** By shape: the values of the best places, ascending; see {@link Inside}. */
  private final long[][] values = new long[shapes.size()][];

  /** By shape and state: the host where the best place begins. */
  private final byte[][] hosts = new byte[shapes.size()][STATES];

  private final short[] signatures = new short[STATES];

  /** By shape and signature: the index of the value. */
  private final short[][] ranks = new short[shapes.size()][];

  /** Initializes the table at first use. */
  private static final class Holder {
    static final CubeTable TABLE = new CubeTable();
  }

  static CubeTable get() {
    return Holder.TABLE;
  }

  /** {@return whether the table applies to the cubes of a pool} */
  static boolean isFor(PoolLayout layout) {
    return layout.isMadeOfCubes()
        && layout.isAligned()
        && layout.pool().generation().shapes().containsAll(TpuGeneration.V4.shapes())
        && layout.pool().hostBox().equals(TpuGeneration.V4.hostBox(4));
  }

  private CubeTable() {
    long[][] all = new long[shapes.size()][];
    Map<Long, Integer> known = new HashMap<>();
    long[] keys = new long[STATES];
    for (int shape = 0; shape < shapes.size(); shape++) {
      all[shape] = values(shape);
      long[] distinct = Arrays.stream(all[shape]).sorted().distinct().toArray();
      values[shape] = distinct;
      for (int state = 0; state < STATES; state++) {
        keys[state] =
            (keys[state] << Short.SIZE) + Arrays.binarySearch(distinct, all[shape][state]);
      }
    }
    for (int state = 0; state < STATES; state++) {
      Integer next = known.size();
      Integer before = known.putIfAbsent(keys[state], next);
      signatures[state] = (before == null ? next : before).shortValue();
    }
    for (int shape = 0; shape < shapes.size(); shape++) {
      ranks[shape] = new short[known.size()];
      for (int state = 0; state < STATES; state++) {
        long value = all[shape][state];
        ranks[shape][signatures[state]] =
            value == Long.MAX_VALUE ? NONE : (short) Arrays.binarySearch(values[shape], value);
      }
    }
  }

  private long[] values(int shape) {
    PoolLayout cube = new PoolLayout(TpuPool.cubes("cube", TpuGeneration.V4, 1));
    ImmutableList<Way> ways = cube.ways(new PlaceTable.Key(shapes.get(shape), false, false));
    MeshSearch search = new MeshSearch(cube, null);
    BestPlacement best = new BestPlacement();
    Inside inside = new Inside();
    long[] free = new long[1];
    long[] found = new long[STATES];
    for (int state = 0; state < STATES; state++) {
      free[0] = state;
      best.clear();
      search.load(free, 0, false, false);
      search.search(ways, inside, best);
      found[state] = best.isFound() ? best.value(1) : Long.MAX_VALUE;
      hosts[shape][state] = (byte) (best.isFound() ? best.host() : 0);
    }
    return found;
  }

  /** {@return the number of a shape in the table; -1 if the shape is not smaller than a cube} */
  int shape(SliceShape shape) {
    return shapes.indexOf(shape);
  }

  /** {@return the number of signatures} */
  int signatures() {
    return ranks[0].length;
  }

  /** {@return the signature of the state in which these hosts of a cube are free} */
  int signature(long free) {
    return signatures[(int) free];
  }

  /**
   * {@return the rank of the best place, 0 for the best of all, {@link #NONE} if there is no place}
   */
  int rank(int shape, int signature) {
    return ranks[shape][signature];
  }

  /** {@return the host of the cube where the best place begins} */
  int host(int shape, long free) {
    return hosts[shape][(int) free];
  }

  /**
   * The values of the default objective inside a cube, packed into one number with the same order.
   */
  private static final class Inside implements PlacementObjective {
    @Override
    public int values(int levels) {
      return 1;
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      long rank = 0;
      for (int level = 0; level < candidate.levels(); level++) {
        rank = (rank << BITS) + candidate.alignedLoss(level);
      }
      rank = (rank << BITS) + candidate.tightestBlockHosts();
      return (rank << BITS) + candidate.freeNeighbours();
    }
  }
}
