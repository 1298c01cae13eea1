package io.kueue4j.core.internal.support;

import java.util.ArrayList;
import java.util.List;

/**
 * Records the inverse of every elementary change of the current call, so that a call that fails
 * anywhere leaves the state as it was.
 *
 * <p>Every method that changes state which outlives the call adds the inverse step. An inverse step
 * may call such methods, since nothing is logged during a rollback, and must not throw. Not
 * thread-safe.
 */
public final class UndoLog {
  private final List<Runnable> steps = new ArrayList<>();
  private boolean open;

  /** {@return whether a call is in progress, so that inverse steps are recorded} */
  public boolean isOpen() {
    return open;
  }

  /** Begins a call. */
  public void begin() {
    open = true;
  }

  /** Adds the inverse of a change that has just been made or is about to be made. */
  public void add(Runnable inverse) {
    if (open) {
      steps.add(inverse);
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
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).run();
    }
    steps.clear();
  }
}
