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

  /**
   * Takes the elements of another list, unrecorded; later changes to either are not visible in the
   * other.
   */
  public void share(VersionedList<E> origin) {
    elements = origin.elements;
    shared = true;
    origin.shared = true;
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
