package io.kueue4j.core.queue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements know their place, so that any of them can be taken out in
 * logarithmic time. An element is in one heap at most.
 *
 * <p>There may be one for each pending workload, so it is an array of its own and not a list.
 */
final class IndexedHeap<E extends IndexedHeap.Element> {
  private static final Element[] NONE = {};

  private final Comparator<? super E> order;

  /** What is in it, and nulls behind. */
  private @Nullable Element[] elements = NONE;

  private int size;

  /** What can be put into a heap. */
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

  /** Takes the counterparts of the elements of another heap in, which stand as they do there. */
  void fillFrom(IndexedHeap<E> other, UnaryOperator<E> counterpart) {
    elements = new Element[other.size];
    for (int i = 0; i < other.size; i++) {
      place(counterpart.apply(other.at(i)), i);
    }
    size = other.size;
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

  /** Only {@link #place} puts elements in. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private E at(int index) {
    return (E) elements[index];
  }

  void add(E element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, size + size / 2 + 1);
    }
    place(element, size);
    size++;
    siftUp(size - 1);
  }

  void remove(E element) {
    Element known = element;
    int index = known.index;
    size--;
    E last = at(size);
    elements[size] = null;
    known.heap = null;
    if (index < size) {
      place(last, index);
      reorder(last);
    }
  }

  /** Restores the order after what {@code element} is compared by has changed. */
  void reorder(E element) {
    Element known = element;
    siftUp(known.index);
    siftDown(known.index);
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
    elements[index] = element;
    Element known = element;
    known.heap = this;
    known.index = index;
  }
}
