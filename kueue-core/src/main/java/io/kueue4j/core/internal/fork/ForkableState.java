package io.kueue4j.core.internal.fork;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.ForkLoader;

/**
 * A state that supports snapshots, and that may be a fork of another one.
 *
 * @param state the state
 * @param tracker copies parts to snapshots before the state changes
 */
public record ForkableState(EngineState state, SnapshotTracker tracker) {
  /** {@return an empty state} */
  public static ForkableState of(Settings settings) {
    EngineState state = new EngineState(settings);
    SnapshotTracker tracker = new SnapshotTracker(state);
    state.attach(tracker, ForkLoader.NONE);
    return new ForkableState(state, tracker);
  }

  /** {@return a fork that starts from {@code snapshot}} */
  public static ForkableState of(Snapshot snapshot) {
    EngineState state = new EngineState(snapshot.undivided());
    SnapshotTracker tracker = new SnapshotTracker(state);
    state.attach(tracker, new LazyForkLoader(state, snapshot));
    return new ForkableState(state, tracker);
  }
}
