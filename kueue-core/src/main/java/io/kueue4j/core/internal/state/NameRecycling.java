package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.compiled.IdsInUse;

/**
 * Takes back the ids of names that nothing refers to any more, so that an engine needs memory for
 * what it knows and not for what it has ever known. Not safe for several threads.
 *
 * <p>Ids are collected from everything that keeps them from one call to the next, and only between
 * two calls, when no decision is under way. That happens when as many names are new as there were
 * ids to collect the last time, so it adds a constant to the cost of a name. Views and forks are
 * not affected: they have a catalog of their own, and share only what refers to ids in use.
 */
public final class NameRecycling {
  private static final int LEAST_GROWTH = 1024;

  private final EngineState state;
  private long due = LEAST_GROWTH;
  private boolean eager;

  public NameRecycling(EngineState state) {
    this.state = state;
  }

  /** Takes back what is no longer used after every call, which only tests can afford. */
  public void beEager() {
    eager = true;
  }

  /** Takes back what is no longer used, if enough has been added; to be called between calls. */
  public void afterCall() {
    if (eager || state.catalog().growth() >= due) {
      run();
    }
  }

  public void run() {
    // What has not been taken over yet refers to ids as well.
    state.loader().takeAll();
    IdsInUse inUse = new IdsInUse();
    state.addIds(inUse);
    state.catalog().retain(inUse);
    due = Math.max(LEAST_GROWTH, inUse.added());
  }
}
