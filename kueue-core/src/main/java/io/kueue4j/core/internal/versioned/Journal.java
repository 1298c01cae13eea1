package io.kueue4j.core.internal.versioned;

import org.jspecify.annotations.Nullable;

/**
 * Records the inverse of every elementary change of the current call, so that a call that fails
 * anywhere leaves the state as it was.
 *
 * <p>Every method that changes state which outlives the call adds the inverse step. An inverse step
 * may call such methods, since nothing is recorded during a rollback, and must not throw. Not
 * thread-safe.
 */
public final class Journal {
  /** The last step of the current call. A chain, because an array of steps costs more to fill. */
  private @Nullable Step last;

  private boolean open;
  private long changeCount;

  /** Grows with each call, and with each fork within a call. */
  private long moment;

  /** Grows when the state is forked; what was created before is shared with the fork. */
  private long era;

  /**
   * The inverse of a change.
   *
   * @param <S> what has changed
   * @param <A> where it has changed, or what was there
   * @param <B> what was there
   */
  public interface Inverse<S, A, B> {
    /** Takes the change back. */
    void run(S subject, A detail, B more);
  }

  /** The inverse of a change that one object describes. */
  public interface SimpleInverse<S, A> {
    /** Takes the change back. */
    void run(S subject, A detail);
  }

  /** An inverse step with the objects that it is called with. */
  private record Step(
      @Nullable Step previous,
      Object inverse,
      Object subject,
      @Nullable Object detail,
      @Nullable Object more) {
    @SuppressWarnings({"unchecked", "NullAway"}) // as it was added
    void undo() {
      if (inverse instanceof SimpleInverse<?, ?>) {
        ((SimpleInverse<Object, Object>) inverse).run(subject, detail);
      } else {
        ((Inverse<Object, Object, Object>) inverse).run(subject, detail, more);
      }
    }
  }

  /** {@return the journal of a fork, which begins after all moments of this one} */
  public Journal fork() {
    Journal fork = new Journal();
    fork.moment = moment + 1;
    return fork;
  }

  /** {@return whether a call is in progress, so that inverse steps are recorded} */
  public boolean isOpen() {
    return open;
  }

  /** {@return the number of changes in calls so far, to find out whether something has changed} */
  public long changeCount() {
    return changeCount;
  }

  /** Begins a call. */
  public void begin() {
    open = true;
    moment++;
  }

  /** Adds the inverse of a change that has just been made or is about to be made. */
  public void add(Runnable inverse) {
    add((Runnable step, @Nullable Object unused) -> step.run(), inverse, null);
  }

  /**
   * Adds the inverse of a change that has just been made or is about to be made.
   *
   * @param inverse the inverse step
   * @param subject what it is called with first, as a rule what has changed
   * @param detail what it is called with second, as a rule what was there before
   */
  public <S, A> void add(
      SimpleInverse<? super S, ? super A> inverse, S subject, @Nullable A detail) {
    if (open) {
      record(new Step(last, inverse, subject, detail, null));
    }
  }

  /**
   * Adds the inverse of a change that has just been made or is about to be made.
   *
   * <p>A method reference that captures nothing is one object for ever; a lambda that captures what
   * it needs is made for each change, which takes longer than most changes.
   *
   * @param inverse the inverse step
   * @param subject what it is called with first, as a rule what has changed
   * @param detail what it is called with second
   * @param more what it is called with third
   */
  public <S, A, B> void add(
      Inverse<? super S, ? super A, ? super B> inverse,
      S subject,
      @Nullable A detail,
      @Nullable B more) {
    if (open) {
      record(new Step(last, inverse, subject, detail, more));
    }
  }

  private void record(Step step) {
    changeCount++;
    last = step;
  }

  /**
   * {@return a number that grows with each call and each fork: what was created at this moment
   * needs no copy before it is changed, and no step that changes it back}
   */
  public long moment() {
    return moment;
  }

  /** {@return a number that grows with each {@link #share}} */
  long era() {
    return era;
  }

  /**
   * Shares all present {@link Part}s of the state with a fork. If the current call fails later, the
   * rollback changes them once more, so nobody may use the fork then.
   */
  public void share() {
    era++;
    moment++;
  }

  /** Ends a successful call and forgets the inverse steps. */
  public void commit() {
    open = false;
    last = null;
  }

  /** Ends a failed call and undoes its changes, the last one first. */
  public void rollback() {
    open = false;
    try {
      for (Step step = last; step != null; step = step.previous) {
        step.undo();
      }
    } finally {
      last = null;
    }
  }
}
