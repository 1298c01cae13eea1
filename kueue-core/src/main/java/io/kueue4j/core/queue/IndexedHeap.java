package io.kueue4j.core.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose elements know their place, so that any of them can be taken out in
 * logarithmic time. An element is in one heap at most.
 */
final class IndexedHeap<E extends IndexedHeap.Element> {
  private final Comparator<? super E> order;
  private final List<E> elements = new ArrayList<>(0);

  /** What can be put into a heap. */
  abstract static class Element {
    private @Nullable IndexedHeap<?> heap;
    private int index;

    final boolean isIn(IndexedHeap<?> some) {
      return heap == some;
    }
  }

  IndexedHeap(Comparator<? super E> order) {
    this.order = order;
  }

  /** Takes the counterparts of the elements of another heap in, which stand as they do there. */
  void fillFrom(IndexedHeap<E> other, UnaryOperator<E> counterpart) {
    for (E element : other.elements) {
      elements.add(counterpart.apply(element));
      place(elements.get(elements.size() - 1), elements.size() - 1);
    }
  }

  int size() {
    return elements.size();
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  E first() {
    return elements.get(0);
  }

  void add(E element) {
    elements.add(element);
    siftUp(elements.size() - 1);
  }

  void remove(E element) {
    Element known = element;
    int index = known.index;
    E last = elements.remove(elements.size() - 1);
    known.heap = null;
    if (index < elements.size()) {
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
    elements.forEach(action);
  }

  private void siftUp(int from) {
    int index = from;
    E element = elements.get(index);
    while (index > 0) {
      int above = (index - 1) / 2;
      if (order.compare(element, elements.get(above)) >= 0) {
        break;
      }
      place(elements.get(above), index);
      index = above;
    }
    place(element, index);
  }

  private void siftDown(int from) {
    int index = from;
    E element = elements.get(index);
    while (2 * index + 1 < elements.size()) {
      int below = 2 * index + 1;
      if (below + 1 < elements.size()
          && order.compare(elements.get(below + 1), elements.get(below)) < 0) {
        below++;
      }
      if (order.compare(element, elements.get(below)) <= 0) {
        break;
      }
      place(elements.get(below), index);
      index = below;
    }
    place(element, index);
  }

  private void place(E element, int index) {
    elements.set(index, element);
    Element known = element;
    known.heap = this;
    known.index = index;
  }
}
