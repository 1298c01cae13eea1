package io.kueue4j.core.compiled;

import java.util.BitSet;

/** Gives out the smallest ids that are not taken. */
final class FreeIds {
  private final BitSet taken;

  /** No smaller id is free. */
  private int first;

  FreeIds() {
    this(new BitSet());
  }

  /** Creates the ids of which all but {@code taken} are free. */
  FreeIds(BitSet taken) {
    this.taken = (BitSet) taken.clone();
  }

  FreeIds copy() {
    FreeIds copy = new FreeIds(taken);
    copy.first = first;
    return copy;
  }

  int take() {
    int id = taken.nextClearBit(first);
    taken.set(id);
    first = id + 1;
    return id;
  }

  boolean isTaken(int id) {
    return taken.get(id);
  }

  /** {@return one above the greatest id that is taken} */
  int end() {
    return taken.length();
  }
}
