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
    return set(element, true);
  }

  /**
   * Removes an element.
   *
   * @return whether it was present
   */
  @CanIgnoreReturnValue
  public boolean remove(E element) {
    return set(element, false);
  }

  /**
   * Adds or removes an element.
   *
   * @return whether the set has changed
   */
  @CanIgnoreReturnValue
  public boolean set(E element, boolean present) {
    boolean changes = elements.contains(element) != present;
    if (changes) {
      // First, so that nothing changes unrecorded.
      if (present) {
        journal.add(VersionedSet::take, this, element);
        put(element);
      } else {
        journal.add(VersionedSet::put, this, element);
        take(element);
      }
    }
    return changes;
  }

  private void put(E element) {
    elements.add(element);
  }

  private void take(E element) {
    elements.remove(element);
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
