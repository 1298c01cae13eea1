package io.kueue4j.core.internal.versioned;

import java.util.Arrays;

/**
 * What elements of arrays of amounts were before each change, the latest change last. Not
 * thread-safe.
 */
public final class AmountLog {
  private int[] index = new int[64];
  private long[] amount = new long[64];
  private int size;

  /** {@return the number of changes} */
  public int size() {
    return size;
  }

  /** Adds the amount at an index before a change. */
  public void add(int at, long before) {
    if (size == index.length) {
      index = Arrays.copyOf(index, 2 * size);
      amount = Arrays.copyOf(amount, 2 * size);
    }
    index[size] = at;
    amount[size] = before;
    size++;
  }

  /** Forgets all changes. */
  public void clear() {
    size = 0;
  }

  /** Forgets the latest change. */
  public void removeLast() {
    size--;
  }

  /** {@return the index of the latest change} */
  public int lastIndex() {
    return index[size - 1];
  }

  /** {@return the amount before the latest change} */
  public long lastAmount() {
    return amount[size - 1];
  }
}
