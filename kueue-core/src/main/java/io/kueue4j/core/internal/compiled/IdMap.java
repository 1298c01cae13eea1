package io.kueue4j.core.internal.compiled;

import java.util.Arrays;

/**
 * Maps a few ids of a {@link Catalog} to small numbers, without boxing. Immutable.
 *
 * <p>The memory depends on the number of ids, not on their size, and a look-up takes constant time.
 * So trees, queues and inventories do not depend on how many names the rest of the engine uses.
 */
public final class IdMap {
  /** Returned by {@link #get} for an id that is not in the map. */
  public static final int ABSENT = -1;

  private static final long FREE = -1;

  /** Spreads consecutive ids over all slots: 2^32 divided by the golden ratio. */
  private static final int SPREAD = 0x9E3779B9;

  /**
   * Each slot has an id in the upper half and its number in the lower half; collisions use the next
   * free slot.
   */
  private final long[] slots;

  private final int shift;

  private IdMap(int[] ids, int[] numbers) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, 2 * ids.length - 1));
    this.slots = new long[1 << bits];
    this.shift = Integer.SIZE - bits;
    Arrays.fill(slots, FREE);
    for (int i = 0; i < ids.length; i++) {
      put(ids[i], numbers[i]);
    }
  }

  /**
   * {@return a map of each of {@code ids}, which are not negative, to the number at the same index;
   * the last number counts for a duplicate id}
   */
  public static IdMap of(int[] ids, int[] numbers) {
    return new IdMap(ids, numbers);
  }

  /** {@return a map of each of the distinct {@code ids} to its index} */
  public static IdMap indexing(int[] ids) {
    int[] indexes = new int[ids.length];
    Arrays.setAll(indexes, index -> index);
    return new IdMap(ids, indexes);
  }

  private void put(int id, int number) {
    int at = first(id);
    while (slots[at] != FREE && id(slots[at]) != id) {
      at = next(at);
    }
    slots[at] = ((long) id << Integer.SIZE) | number;
  }

  /** {@return the number of {@code id}, {@link #ABSENT} if it is not in the map} */
  public int get(int id) {
    for (int at = first(id); ; at = next(at)) {
      long slot = slots[at];
      if (id(slot) == id) {
        return (int) slot;
      }
      if (slot == FREE) {
        return ABSENT;
      }
    }
  }

  /** {@return the number of slots, to which the memory is proportional} */
  public int capacity() {
    return slots.length;
  }

  private int first(int id) {
    return (id * SPREAD) >>> shift;
  }

  private int next(int at) {
    return (at + 1) & (slots.length - 1);
  }

  private static int id(long slot) {
    return (int) (slot >> Integer.SIZE);
  }
}
