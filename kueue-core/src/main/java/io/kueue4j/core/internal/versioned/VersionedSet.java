package io.kueue4j.core.internal.versioned;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;

/** A sorted set of the state. Not thread-safe. */
public final class VersionedSet<E extends Comparable<E>> {
  private final Journal journal;
  private final NavigableSet<E> elements;

  /** Creates a set with its first elements. */
  public VersionedSet(Journal journal, Iterable<? extends E> elements) {
    this.journal = journal;
    this.elements = new TreeSet<>();
    elements.forEach(this.elements::add);
  }

  /**
   * Adds an element.
   *
   * @return whether it was absent
   */
  @CanIgnoreReturnValue
  public boolean add(E element) {
    boolean absent = elements.add(element);
    if (absent) {
      journal.add(NavigableSet::remove, elements, element);
    }
    return absent;
  }

  /**
   * Removes an element.
   *
   * @return whether it was present
   */
  @CanIgnoreReturnValue
  public boolean remove(E element) {
    boolean present = elements.remove(element);
    if (present) {
      journal.add(NavigableSet::add, elements, element);
    }
    return present;
  }

  /** Adds or removes an element. */
  public void set(E element, boolean present) {
    if (present) {
      add(element);
    } else {
      remove(element);
    }
  }

  /** {@return the elements, in order; a view} */
  public NavigableSet<E> all() {
    return Collections.unmodifiableNavigableSet(elements);
  }

  /** {@return whether there are no elements} */
  public boolean isEmpty() {
    return elements.isEmpty();
  }
}
