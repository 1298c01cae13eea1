package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;

/**
 * Amounts by pair, in the order in which pairs were first added; few enough for linear search.
 *
 * <p>Rules: F-13, F-28.
 */
public final class PairUsage {
  private static final FlavorResource[] NO_PAIRS = {};
  private static final long[] NO_AMOUNTS = {};

  private FlavorResource[] pairs = NO_PAIRS;
  private long[] amounts = NO_AMOUNTS;
  private int size;

  /** Ensures capacity for {@code count} more pairs. */
  public void reserve(int count) {
    pairs = Arrays.copyOf(pairs, size + count);
    amounts = Arrays.copyOf(amounts, size + count);
  }

  public void add(FlavorResource pair, long amount) {
    int at = indexOf(pair);
    if (at >= 0) {
      amounts[at] = Amount.add(amounts[at], amount);
      return;
    }
    if (size == pairs.length) {
      reserve(size + 1);
    }
    pairs[size] = pair;
    amounts[size] = amount;
    size++;
  }

  public long amount(FlavorResource pair) {
    int at = indexOf(pair);
    return at < 0 ? 0 : amounts[at];
  }

  /** {@return the number of pairs} */
  public int size() {
    return size;
  }

  /** {@return the {@code i}-th pair} */
  public FlavorResource pair(int i) {
    return pairs[i];
  }

  /** {@return the amount of the {@code i}-th pair} */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return the pairs, which must not be changed; no more may be added afterwards} */
  public FlavorResource[] pairs() {
    return size == pairs.length ? pairs : Arrays.copyOf(pairs, size);
  }

  /** {@return the amounts, which must not be changed; no more may be added afterwards} */
  public long[] amounts() {
    return size == amounts.length ? amounts : Arrays.copyOf(amounts, size);
  }

  private int indexOf(FlavorResource pair) {
    for (int i = 0; i < size; i++) {
      if (pairs[i] == pair) {
        return i;
      }
    }
    return -1;
  }
}
