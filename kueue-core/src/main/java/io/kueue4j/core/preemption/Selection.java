package io.kueue4j.core.preemption;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Elements in order, put in order only as far as they are read: of many candidates few are taken.
 *
 * <p>Costs the number of elements to make, and its logarithm for each element that is read for the
 * first time.
 */
final class Selection<E> {
  private final Comparator<? super E> order;

  /** What has not been read yet, each element before those at twice its index plus 1 and 2. */
  private final List<E> rest;

  private final List<E> read;

  /**
   * Creates the selection.
   *
   * @param elements the elements in any order; the selection keeps and changes the list
   * @param order the order, in which no two are equal
   */
  Selection(List<E> elements, Comparator<? super E> order) {
    this.order = order;
    this.rest = elements;
    this.read = new ArrayList<>();
    for (int i = elements.size() / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  private Selection(Comparator<? super E> order, List<E> read) {
    this.order = order;
    this.rest = new ArrayList<>();
    this.read = read;
  }

  /** {@return the selection of elements that are in {@code order} already} */
  static <E> Selection<E> inOrder(List<E> elements, Comparator<? super E> order) {
    return new Selection<>(order, elements);
  }

  boolean isEmpty() {
    return size() == 0;
  }

  int size() {
    return read.size() + rest.size();
  }

  /** {@return the {@code i}-th element in order} */
  E get(int i) {
    while (read.size() <= i) {
      E first = rest.get(0);
      E last = rest.remove(rest.size() - 1);
      if (!rest.isEmpty()) {
        rest.set(0, last);
        siftDown(0);
      }
      read.add(first);
    }
    return read.get(i);
  }

  private void siftDown(int from) {
    E element = rest.get(from);
    int index = from;
    for (int below = 2 * index + 1; below < rest.size(); below = 2 * index + 1) {
      if (below + 1 < rest.size() && order.compare(rest.get(below + 1), rest.get(below)) < 0) {
        below++;
      }
      if (order.compare(element, rest.get(below)) <= 0) {
        break;
      }
      rest.set(index, rest.get(below));
      index = below;
    }
    rest.set(index, element);
  }
}
