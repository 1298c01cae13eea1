package io.kueue4j.core.internal.versioned;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** A list of the state that grows at its end. Not thread-safe. */
public final class VersionedList<E> {
  private final Journal journal;
  private List<E> elements;

  /** Whether a copy shares {@link #elements}. */
  private boolean shared;

  /** Creates an empty list. */
  public VersionedList(Journal journal) {
    this.journal = journal;
    this.elements = new ArrayList<>();
  }

  /** {@return a list with the same elements; changes to either are not visible in the other} */
  public VersionedList<E> copy(Journal journalOfCopy) {
    VersionedList<E> copy = new VersionedList<>(journalOfCopy);
    copy.elements = elements;
    copy.shared = true;
    shared = true;
    return copy;
  }

  /** Adds an element at the end. */
  public void add(E element) {
    if (shared) {
      elements = new ArrayList<>(elements);
      shared = false;
    }
    journal.add(VersionedList<E>::truncate, this, elements.size());
    elements.add(element);
  }

  /** Also if the element could not be added. */
  private void truncate(int size) {
    elements.subList(size, elements.size()).clear();
  }

  /** Replaces all elements. */
  public void set(List<E> others) {
    journal.add(VersionedList<E>::restore, this, elements, shared);
    restore(new ArrayList<>(others), false);
  }

  private void restore(List<E> before, boolean wasShared) {
    elements = before;
    shared = wasShared;
  }

  /** {@return the elements, in order} */
  public ImmutableList<E> all() {
    return ImmutableList.copyOf(elements);
  }

  /** {@return whether there are no elements} */
  public boolean isEmpty() {
    return elements.isEmpty();
  }
}
