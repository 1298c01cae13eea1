package io.kueue4j.core.internal.versioned;

/** A variable of the state. Its values are immutable. Not thread-safe. */
public final class Cell<T> {
  private final Journal journal;
  private T value;

  /** Creates a cell with its first value. */
  public Cell(Journal journal, T value) {
    this.journal = journal;
    this.value = value;
  }

  /** {@return the value} */
  public T get() {
    return value;
  }

  /** Sets the value. */
  public void set(T changed) {
    journal.add(Cell::set, this, value);
    value = changed;
  }

  /** Takes the value of another cell, unrecorded: for a copy of what has this one. */
  public void share(Cell<T> origin) {
    value = origin.value;
  }
}
