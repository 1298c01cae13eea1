package io.kueue4j.core.tpu;

import java.util.BitSet;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cubes of a pool, grouped into buckets of cubes that are equally good for slices smaller than
 * a cube, so that a search examines one cube per bucket. Immutable; a change creates a new index
 * that shares unchanged buckets.
 *
 * <p>Rules: TPU-F-11, TPU-F-14.
 */
final class CubeIndex {
  /** Cubes that cannot be joined anyway come first, then those in use, then the others. */
  private static final int CLASSES = 3;

  /** Class times the number of signatures, plus the signature; ascending. */
  private final int[] keys;

  /** The cubes of each bucket; never empty. */
  private final BitSet[] cubes;

  private CubeIndex(NavigableMap<Integer, BitSet> buckets) {
    keys = new int[buckets.size()];
    cubes = new BitSet[buckets.size()];
    int next = 0;
    for (var bucket : buckets.entrySet()) {
      keys[next] = bucket.getKey();
      cubes[next++] = bucket.getValue();
    }
  }

  static CubeIndex of(PoolState state) {
    NavigableMap<Integer, BitSet> buckets = new TreeMap<>();
    for (int cube = 0; cube < state.layout().pool().cubes(); cube++) {
      buckets.computeIfAbsent(key(state, cube), key -> new BitSet()).set(cube);
    }
    return new CubeIndex(buckets);
  }

  private static int key(PoolState state, int cube) {
    CubeTable table = CubeTable.get();
    int kind = state.isDamaged(cube) ? 0 : state.isTouched(cube) ? 1 : CLASSES - 1;
    return kind * table.signatures() + table.signature(state.free()[cube]);
  }

  /**
   * {@return the index of {@code after}, which differs only a little from {@code before}, the state
   * of this index}
   */
  CubeIndex changed(PoolState before, PoolState after) {
    NavigableMap<Integer, BitSet> buckets = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      buckets.put(keys[i], cubes[i]);
    }
    for (int cube = 0; cube < after.layout().pool().cubes(); cube++) {
      if (!before.isEqualCube(after, cube)) {
        move(buckets, cube, before, after);
      }
    }
    buckets.values().removeIf(BitSet::isEmpty);
    return new CubeIndex(buckets);
  }

  private static void move(
      NavigableMap<Integer, BitSet> buckets, int cube, PoolState before, PoolState after) {
    int from = key(before, cube);
    int to = key(after, cube);
    if (from != to) {
      buckets.put(from, flipped(buckets.get(from), cube));
      buckets.put(to, flipped(buckets.get(to), cube));
    }
  }

  private static BitSet flipped(@Nullable BitSet bucket, int cube) {
    BitSet changed = bucket == null ? new BitSet() : (BitSet) bucket.clone();
    changed.flip(cube);
    return changed;
  }

  /**
   * {@return the cube that the default objective chooses, the first among equal ones; -1 if there
   * is none}
   *
   * @param shape the number of a shape in the table
   */
  int best(int shape) {
    CubeTable table = CubeTable.get();
    int signatures = table.signatures();
    int best = -1;
    int bestValue = Integer.MAX_VALUE;
    int base = 0;
    int kind = 0;
    for (int i = 0; i < keys.length; i++) {
      while (keys[i] >= base + signatures) {
        base += signatures;
        kind++;
      }
      int rank = table.rank(shape, keys[i] - base);
      int value = (kind << Short.SIZE) + rank;
      if (rank != CubeTable.NONE && value <= bestValue) {
        int cube = cubes[i].nextSetBit(0);
        best = value < bestValue || cube < best ? cube : best;
        bestValue = value;
      }
    }
    return best;
  }

  /** {@return the number of buckets} */
  int buckets() {
    return keys.length;
  }
}
