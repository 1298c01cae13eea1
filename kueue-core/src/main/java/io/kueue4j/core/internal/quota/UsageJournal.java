package io.kueue4j.core.internal.quota;

import java.util.Arrays;

/** The usage before each change, the latest change last. */
final class UsageJournal {
  private int[] index = new int[64];
  private long[] usage = new long[64];
  private int size;

  int size() {
    return size;
  }

  void add(int at, long before) {
    if (size == index.length) {
      index = Arrays.copyOf(index, 2 * size);
      usage = Arrays.copyOf(usage, 2 * size);
    }
    index[size] = at;
    usage[size] = before;
    size++;
  }

  void clear() {
    size = 0;
  }

  void removeLast() {
    size--;
  }

  /** {@return the index of the latest change} */
  int lastIndex() {
    return index[size - 1];
  }

  /** {@return the usage before the latest change} */
  long lastUsage() {
    return usage[size - 1];
  }
}
