package io.kueue4j.core.internal.compiled;

import java.util.BitSet;

/** Assigns the smallest free ids. */
final class FreeIds {
  private final BitSet taken;

  /** All smaller ids are taken. */
  private int first;

  FreeIds() {
    this(new BitSet());
  }

  /** Creates an instance in which all ids except {@code taken} are free. */
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

  /** {@return the greatest taken id plus 1} */
  int end() {
    return taken.length();
  }
}
