package io.kueue4j.core.internal.versioned;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** A list of the state that grows at its end. Not thread-safe. */
public final class VersionedList<E> {
  private final Journal journal;
  private List<E> elements;

  /** Creates a list with its first elements. */
  public VersionedList(Journal journal, Iterable<? extends E> elements) {
    this.journal = journal;
    this.elements = new ArrayList<>();
    elements.forEach(this.elements::add);
  }

  /** Adds an element at the end. */
  public void add(E element) {
    journal.add(VersionedList::truncate, this, elements.size());
    elements.add(element);
  }

  /** Also if the element could not be added. */
  private void truncate(int size) {
    elements.subList(size, elements.size()).clear();
  }

  /** Replaces all elements. */
  public void set(List<E> others) {
    journal.add(VersionedList::restore, this, elements);
    elements = new ArrayList<>(others);
  }

  private void restore(List<E> before) {
    elements = before;
  }

  /** {@return the elements, in order} */
  public ImmutableList<E> all() {
    return ImmutableList.copyOf(elements);
  }
}
