package io.kueue4j.core.quota;

import java.util.Arrays;

/** What usage was before each trial change, the latest last. */
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

  void removeLast() {
    size--;
  }

  /** {@return where the latest change was} */
  int lastIndex() {
    return index[size - 1];
  }

  /** {@return what usage was there before the latest change} */
  long lastUsage() {
    return usage[size - 1];
  }
}
