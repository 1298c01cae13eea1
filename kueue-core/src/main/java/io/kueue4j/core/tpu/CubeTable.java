package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;

/**
 * The best place according to the default objective in each of the 65,536 states of a cube, for
 * aligned slices smaller than a cube. Computed once by {@link MeshSearch} at first use.
 *
 * <p>Rules: TPU-F-11.
 */
final class CubeTable {
  /** The rank of a state without a place for a shape. */
  static final int NONE = Short.MAX_VALUE;

  private static final int STATES = 1 << 16;
  private static final int BITS = 5;

  private final List<SliceShape> shapes = TpuGeneration.V4.shapes();

  /** By shape and state: the host where the best place begins. */
  private final byte[][] hosts = new byte[shapes.size()][STATES];

  /** By shape and state: the rank of the value of the best place; see {@link Inside}. */
  private final short[][] ranks = new short[shapes.size()][STATES];

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
    for (int shape = 0; shape < shapes.size(); shape++) {
      long[] values = values(shape);
      long[] distinct = Arrays.stream(values).sorted().distinct().toArray();
      for (int state = 0; state < STATES; state++) {
        ranks[shape][state] = values[state] == Long.MAX_VALUE
            ? NONE
            : (short) Arrays.binarySearch(distinct, values[state]);
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

  /**
   * {@return the rank of the best place if these hosts of a cube are free, 0 for the best of all,
   * {@link #NONE} if there is no place}
   */
  int rank(int shape, long free) {
    return ranks[shape][(int) free];
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
