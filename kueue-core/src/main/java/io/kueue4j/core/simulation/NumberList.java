package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkElementIndex;

import java.util.AbstractList;
import java.util.RandomAccess;

/** The numbers from 0, for lists whose elements are created when they are read. */
final class NumberList extends AbstractList<Integer> implements RandomAccess {
  private final int size;

  NumberList(int size) {
    this.size = size;
  }

  @Override
  public Integer get(int index) {
    return checkElementIndex(index, size);
  }

  @Override
  public int size() {
    return size;
  }
}
