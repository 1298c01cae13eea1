package io.kueue4j.core.flavor;

import io.kueue4j.core.resource.Amount;
import java.util.Arrays;

/**
 * Amounts by pair, in the order in which the pairs were first added; few enough to search from the
 * front.
 */
final class PairUsage {
  private int[] pairs = new int[4];
  private long[] amounts = new long[4];
  private int size;

  void add(int pair, long amount) {
    int at = indexOf(pair);
    if (at >= 0) {
      amounts[at] = Amount.add(amounts[at], amount);
      return;
    }
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, 2 * size);
      amounts = Arrays.copyOf(amounts, 2 * size);
    }
    pairs[size] = pair;
    amounts[size] = amount;
    size++;
  }

  long amount(int pair) {
    int at = indexOf(pair);
    return at < 0 ? 0 : amounts[at];
  }

  int[] pairs() {
    return Arrays.copyOf(pairs, size);
  }

  long[] amounts() {
    return Arrays.copyOf(amounts, size);
  }

  private int indexOf(int pair) {
    for (int i = 0; i < size; i++) {
      if (pairs[i] == pair) {
        return i;
      }
    }
    return -1;
  }
}
