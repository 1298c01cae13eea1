package io.kueue4j.core.internal.versioned;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the inverse of every elementary change of the current call, so that a call that fails
 * anywhere leaves the state as it was.
 *
 * <p>Every method that changes state which outlives the call adds the inverse step. An inverse step
 * may call such methods, since nothing is logged during a rollback, and must not throw. Not
 * thread-safe.
 */
public final class Journal {
  /** Each inverse step, with the two objects that it is called with. */
  private final List<@Nullable Object> steps = new ArrayList<>();

  private boolean open;

  /** {@return whether a call is in progress, so that inverse steps are recorded} */
  public boolean isOpen() {
    return open;
  }

  /** {@return whether nothing has changed in the current call} */
  public boolean isEmpty() {
    return steps.isEmpty();
  }

  /** Begins a call. */
  public void begin() {
    open = true;
  }

  /** Adds the inverse of a change that has just been made or is about to be made. */
  public void add(Runnable inverse) {
    add(Journal::run, inverse, null);
  }

  private static void run(Runnable step, @Nullable Object unused) {
    step.run();
  }

  /**
   * Adds the inverse of a change that has just been made or is about to be made.
   *
   * <p>A method reference that captures nothing is one object for ever; a lambda that captures what
   * it needs is made for each change, which takes longer than most changes.
   *
   * @param inverse the inverse step
   * @param subject what it is called with first, as a rule what has changed
   * @param detail what it is called with second, as a rule what was there before
   */
  public <A, B> void add(BiConsumer<? super A, ? super B> inverse, A subject, @Nullable B detail) {
    if (open) {
      steps.add(inverse);
      steps.add(subject);
      steps.add(detail);
    }
  }

  /** Makes changes that a rollback does not undo. */
  public void keep(Runnable changes) {
    boolean wasOpen = open;
    open = false;
    try {
      changes.run();
    } finally {
      open = wasOpen;
    }
  }

  /** Ends a successful call and forgets the inverse steps. */
  public void commit() {
    open = false;
    steps.clear();
  }

  /** Ends a failed call and undoes its changes, the last one first. */
  public void rollback() {
    open = false;
    try {
      // Of a step that could not be added for lack of memory, a part may be there.
      for (int i = (steps.size() / 3 - 1) * 3; i >= 0; i -= 3) {
        @SuppressWarnings("unchecked") // as it was added
        BiConsumer<@Nullable Object, @Nullable Object> inverse =
            (BiConsumer<@Nullable Object, @Nullable Object>) steps.get(i);
        inverse.accept(steps.get(i + 1), steps.get(i + 2));
      }
    } finally {
      steps.clear();
    }
  }
}
