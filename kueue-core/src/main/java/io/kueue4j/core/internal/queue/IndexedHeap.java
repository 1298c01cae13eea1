package io.kueue4j.core.internal.queue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements know their position, so that any of them can be removed in
 * logarithmic time. An element is in at most one heap.
 *
 * <p>As long as elements are added in order and removed from either end, no other element is
 * touched, because every suffix of a sorted array is a heap.
 *
 * <p>There may be a heap for each pending workload, so it uses an array directly instead of a list.
 */
final class IndexedHeap<E extends IndexedHeap.Element> {
  private static final Element[] NONE = {};

  private final Comparator<? super E> order;

  /** The elements from {@link #start} on, surrounded by nulls. */
  private @Nullable Element[] elements = NONE;

  /** The index of the first element. */
  private int start;

  private int size;

  /** Whether the elements are known to be completely sorted. */
  private boolean inOrder = true;

  /** An element of a heap. */
  abstract static class Element {
    private @Nullable IndexedHeap<?> heap;
    private int index;

    final boolean isIn(@Nullable IndexedHeap<?> some) {
      return some != null && heap == some;
    }
  }

  IndexedHeap(Comparator<? super E> order) {
    this.order = order;
  }

  /** Adds the counterparts of the elements of another heap at the same positions. */
  void fillFrom(IndexedHeap<E> other, UnaryOperator<E> counterpart) {
    elements = new Element[other.size];
    start = 0;
    for (int i = 0; i < other.size; i++) {
      place(counterpart.apply(other.at(i)), i);
    }
    size = other.size;
    inOrder = other.inOrder;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  E first() {
    return at(0);
  }

  /** The cast is safe, since only {@link #place} stores elements. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private E at(int index) {
    return (E) elements[start + index];
  }

  void add(E element) {
    if (inOrder && start > 0 && size > 0 && order.compare(element, first()) <= 0) {
      start--;
      place(element, 0);
      size++;
      return;
    }
    if (start + size == elements.length) {
      makeRoom();
    }
    inOrder &= size == 0 || order.compare(at(size - 1), element) <= 0;
    place(element, size);
    size++;
    if (!inOrder) {
      siftUp(size - 1);
    }
  }

  /**
   * Makes room at the end: shifts the elements to the front if at least half of the array is unused
   * there, else grows it.
   */
  private void makeRoom() {
    if (start <= size) {
      elements = Arrays.copyOf(elements, elements.length + size / 2 + 1);
      return;
    }
    int from = start;
    start = 0;
    for (int i = 0; i < size; i++) {
      place(at(from + i), i);
      elements[from + i] = null;
    }
  }

  void remove(E element) {
    Element known = element;
    int index = known.index - start;
    known.heap = null;
    size--;
    if (inOrder && index == 0) {
      elements[start] = null;
      start = size == 0 ? 0 : start + 1;
      return;
    }
    E last = at(size);
    elements[start + size] = null;
    if (index < size) {
      inOrder = false;
      place(last, index);
      reorder(last);
    }
    inOrder |= size < 2;
  }

  /** Restores the order after the sort key of {@code element} has changed. */
  void reorder(E element) {
    Element known = element;
    inOrder = size < 2;
    siftUp(known.index - start);
    siftDown(known.index - start);
  }

  void forEach(Consumer<? super E> action) {
    for (int i = 0; i < size; i++) {
      action.accept(at(i));
    }
  }

  private void siftUp(int from) {
    int index = from;
    E element = at(index);
    while (index > 0) {
      int above = (index - 1) / 2;
      if (order.compare(element, at(above)) >= 0) {
        break;
      }
      place(at(above), index);
      index = above;
    }
    place(element, index);
  }

  private void siftDown(int from) {
    int index = from;
    E element = at(index);
    while (2 * index + 1 < size) {
      int below = 2 * index + 1;
      if (below + 1 < size && order.compare(at(below + 1), at(below)) < 0) {
        below++;
      }
      if (order.compare(element, at(below)) <= 0) {
        break;
      }
      place(at(below), index);
      index = below;
    }
    place(element, index);
  }

  private void place(E element, int index) {
    elements[start + index] = element;
    Element known = element;
    known.heap = this;
    known.index = start + index;
  }
}
