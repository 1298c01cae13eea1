package io.kueue4j.core.internal.versioned;

import static com.google.common.base.Preconditions.checkState;

/**
 * A part of a state that forks share until one side changes it: the owner of the part replaces it
 * by a copy first. A shared part never changes again.
 */
public abstract class Part {
  private final Journal journal;
  private final long era;

  /** Creates a part that only the state of {@code journal} has. */
  protected Part(Journal journal) {
    this.journal = journal;
    this.era = journal.era();
  }

  /** {@return whether a fork may have it, so that it must be copied before it is changed} */
  public final boolean isShared() {
    return era != journal.era();
  }

  /** {@return the journal, for a change} */
  protected final Journal changing() {
    checkState(!isShared(), "a part that forks share was about to change: %s", this);
    return journal;
  }
}
