package io.kueue4j.core.tpu;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How good the best place of a part of a cube is in each of the 65,536 states of a cube, for
 * aligned slices and the default objective. Found by {@link MeshSearch}, once for each shape when
 * it is first needed; with it a search looks into one cube only.
 *
 * <p>Rules: TPU-F-11.
 */
final class CubeTable {
  /** The rank of a state that has no place. */
  static final int NONE = Short.MAX_VALUE;

  private static final int STATES = 1 << 16;
  private static final int BITS = 5;

  private static final ImmutableMap<SliceShape, Supplier<CubeTable>> TABLES =
      TpuGeneration.V4.shapes().stream()
          .collect(ImmutableMap.toImmutableMap(
              shape -> shape, shape -> Suppliers.memoize(() -> new CubeTable(shape))));

  private final short[] ranks = new short[STATES];

  /** {@return the table of a part of a cube; nothing for other shapes} */
  static @Nullable CubeTable of(SliceShape shape) {
    Supplier<CubeTable> table = TABLES.get(shape);
    return table == null ? null : table.get();
  }

  private CubeTable(SliceShape shape) {
    MeshSearch search = new MeshSearch(new PoolLayout(TpuPool.cubes("cube", TpuGeneration.V4, 1)));
    Best best = new Best();
    Inside inside = new Inside();
    long[] free = new long[1];
    long[] values = new long[STATES];
    for (int state = 0; state < STATES; state++) {
      free[0] = state;
      best.clear();
      search.load(free, 0, false, false);
      search.search(shape, SliceRequest.Rings.ANY, false, inside, best, 0, 0);
      values[state] = best.isFound() ? best.value(1) : Long.MAX_VALUE;
    }
    long[] distinct = Arrays.stream(values).sorted().distinct().toArray();
    for (int state = 0; state < STATES; state++) {
      ranks[state] = values[state] == Long.MAX_VALUE
          ? NONE
          : (short) Arrays.binarySearch(distinct, values[state]);
    }
  }

  /**
   * {@return how good the best place is, 0 for the best of all, {@link #NONE} if there is none}
   *
   * @param free the free hosts of the cube
   */
  int rank(long free) {
    return ranks[(int) free];
  }

  /** What the default objective looks at inside a cube, in one number that orders as it does. */
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
