package io.kueue4j.core.support;

import java.util.ArrayList;
import java.util.List;

/**
 * The elementary changes of the call at hand, each with the step that takes it back, so that a call
 * which fails anywhere leaves nothing behind.
 *
 * <p>Whatever changes something that outlives a call adds the inverse step. An inverse step may use
 * the changing methods themselves, since nothing is logged while steps are taken back; it does not
 * throw. Not safe for several threads.
 */
public final class UndoLog {
  private final List<Runnable> steps = new ArrayList<>();
  private boolean open;

  /** {@return whether a call is being made, so that inverse steps are kept} */
  public boolean isOpen() {
    return open;
  }

  /** Begins a call. */
  public void begin() {
    open = true;
  }

  /** Adds what takes back a change that has just been made or is about to be. */
  public void add(Runnable inverse) {
    if (open) {
      steps.add(inverse);
    }
  }

  /** Makes changes that are not taken back if the call fails. */
  public void keep(Runnable changes) {
    boolean wasOpen = open;
    open = false;
    try {
      changes.run();
    } finally {
      open = wasOpen;
    }
  }

  /** Ends a call that is done. */
  public void commit() {
    open = false;
    steps.clear();
  }

  /** Ends a call that has failed: takes its changes back, the last one first. */
  public void rollback() {
    open = false;
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).run();
    }
    steps.clear();
  }
}
