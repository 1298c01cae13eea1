package io.kueue4j.core.internal.compiled;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps a few interned objects, compared by identity, to small numbers without boxing. Immutable.
 *
 * <p>The memory depends on the number of keys, and a look-up takes constant time. So trees, queues
 * and inventories do not depend on how many names the rest of the engine uses.
 *
 * @param <K> the type of the keys
 */
public final class ColumnMap<K extends Interned> {
  /** Returned by {@link #get} for a key that is not in the map. */
  public static final int ABSENT = -1;

  /** Spreads similar hashes over all slots: 2^32 divided by the golden ratio. */
  private static final int SPREAD = 0x9E3779B9;

  /** The key of each slot, null if it is free; collisions use the next free slot. */
  private final @Nullable Interned[] keys;

  /** The number of the key of each slot. */
  private final int[] numbers;

  private final int shift;

  private ColumnMap(K[] keys, int[] numbers) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, 2 * keys.length - 1));
    this.keys = new @Nullable Interned[1 << bits];
    this.numbers = new int[1 << bits];
    this.shift = Integer.SIZE - bits;
    for (int i = 0; i < keys.length; i++) {
      put(keys[i], numbers[i]);
    }
  }

  /**
   * {@return a map of each of {@code keys} to the number at the same index; the last number counts
   * for a duplicate key}
   */
  public static <K extends Interned> ColumnMap<K> of(K[] keys, int[] numbers) {
    return new ColumnMap<>(keys, numbers);
  }

  /** {@return a map of each of the distinct {@code keys} to its index} */
  public static <K extends Interned> ColumnMap<K> indexing(K[] keys) {
    int[] indexes = new int[keys.length];
    Arrays.setAll(indexes, index -> index);
    return new ColumnMap<>(keys, indexes);
  }

  private void put(K key, int number) {
    int at = first(key);
    while (keys[at] != null && keys[at] != key) {
      at = next(at);
    }
    keys[at] = key;
    numbers[at] = number;
  }

  /** {@return the number of {@code key}, {@link #ABSENT} if it is not in the map} */
  public int get(K key) {
    for (int at = first(key); ; at = next(at)) {
      Interned found = keys[at];
      if (found == key) {
        return numbers[at];
      }
      if (found == null) {
        return ABSENT;
      }
    }
  }

  private int first(Interned key) {
    return (key.hash * SPREAD) >>> shift;
  }

  private int next(int at) {
    return (at + 1) & (keys.length - 1);
  }
}
