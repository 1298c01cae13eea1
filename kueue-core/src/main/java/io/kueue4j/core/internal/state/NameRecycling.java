package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.compiled.IdsInUse;

/**
 * Recycles the ids of names that are no longer referred to, so that the memory of an engine is
 * bounded by its current content, not by its history. Not thread-safe.
 *
 * <p>Recycling collects the ids in use from everything that keeps ids between calls, and runs only
 * between two calls. It runs when the number of new names reaches the number of ids found in use
 * the last time, so its amortized cost per name is constant. Views and forks are not affected: they
 * have their own catalog, and share only objects that refer to ids in use.
 */
public final class NameRecycling {
  private static final int LEAST_GROWTH = 1024;

  private final EngineState state;
  private long due = LEAST_GROWTH;
  private boolean eager;

  public NameRecycling(EngineState state) {
    this.state = state;
  }

  /** Recycles after every call. For tests only, because of its cost. */
  public void beEager() {
    eager = true;
  }

  /**
   * Recycles unused ids if enough names have been added. To be called between calls of the engine.
   */
  public void afterCall() {
    if (eager || state.catalog().growth() >= due) {
      run();
    }
  }

  public void run() {
    // Parts that are not loaded yet refer to ids as well.
    state.loader().takeAll();
    IdsInUse inUse = new IdsInUse();
    state.addIds(inUse);
    state.catalog().retain(inUse);
    due = Math.max(LEAST_GROWTH, inUse.added());
  }
}
