package io.kueue4j.core.tpu;

import java.util.Arrays;
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

  /** The number of cubes in one word of a bit set of hosts. */
  private static final int CUBES_PER_WORD = 4;

  /** Class times the number of signatures, plus the signature; ascending. */
  private final int[] keys;

  /** The cubes of each bucket as a bit set; never empty. */
  private final long[][] cubes;

  private CubeIndex(NavigableMap<Integer, long[]> buckets) {
    keys = new int[buckets.size()];
    cubes = new long[buckets.size()][];
    int next = 0;
    for (var bucket : buckets.entrySet()) {
      keys[next] = bucket.getKey();
      cubes[next++] = bucket.getValue();
    }
  }

  static CubeIndex of(PoolState state) {
    NavigableMap<Integer, long[]> buckets = new TreeMap<>();
    int words = words(state);
    for (int cube = 0; cube < state.layout().pool().cubes(); cube++) {
      long[] bucket = buckets.computeIfAbsent(key(state, cube), key -> new long[words]);
      bucket[cube >> 6] |= 1L << cube;
    }
    return new CubeIndex(buckets);
  }

  private static int words(PoolState state) {
    return (state.layout().pool().cubes() + Long.SIZE - 1) / Long.SIZE;
  }

  private static int key(PoolState state, int cube) {
    CubeTable table = CubeTable.get();
    int kind = state.isDamaged(cube) ? 0 : state.isTouched(cube) ? 1 : CLASSES - 1;
    return kind * table.signatures() + table.signature(HostBits.lane(state.free(), cube));
  }

  /**
   * {@return the index of {@code after}, which differs only a little from {@code before}, the state
   * of this index}
   */
  CubeIndex changed(PoolState before, PoolState after) {
    NavigableMap<Integer, long[]> buckets = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      buckets.put(keys[i], cubes[i]);
    }
    int all = after.layout().pool().cubes();
    for (int first = 0; first < all; first += CUBES_PER_WORD) {
      if (!before.hasEqualWord(after, first / CUBES_PER_WORD)) {
        for (int cube = first; cube < Math.min(first + CUBES_PER_WORD, all); cube++) {
          move(buckets, cube, before, after);
        }
      }
    }
    buckets.values().removeIf(bucket -> Arrays.stream(bucket).allMatch(word -> word == 0));
    return new CubeIndex(buckets);
  }

  private static void move(
      NavigableMap<Integer, long[]> buckets, int cube, PoolState before, PoolState after) {
    int from = key(before, cube);
    int to = key(after, cube);
    if (from != to) {
      buckets.put(from, toggled(buckets.get(from), words(after), cube));
      buckets.put(to, toggled(buckets.get(to), words(after), cube));
    }
  }

  private static long[] toggled(long @Nullable [] bucket, int words, int cube) {
    long[] changed = bucket == null ? new long[words] : bucket.clone();
    changed[cube >> 6] ^= 1L << cube;
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
        int cube = first(cubes[i]);
        best = value < bestValue || cube < best ? cube : best;
        bestValue = value;
      }
    }
    return best;
  }

  private static int first(long[] bucket) {
    int word = 0;
    while (bucket[word] == 0) {
      word++;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(bucket[word]);
  }

  /** {@return the number of buckets} */
  int buckets() {
    return keys.length;
  }
}
