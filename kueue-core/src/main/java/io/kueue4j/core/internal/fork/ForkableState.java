package io.kueue4j.core.internal.fork;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.ForkLoader;

/**
 * A state of which snapshots can be taken, and which may be the fork of another one.
 *
 * @param state the state
 * @param tracker gives copies to snapshots before the state changes
 */
public record ForkableState(EngineState state, SnapshotTracker tracker) {
  /** {@return a state that knows nothing yet} */
  public static ForkableState of(Settings settings) {
    EngineState state = new EngineState(settings);
    SnapshotTracker tracker = new SnapshotTracker(state);
    state.attach(tracker, ForkLoader.NONE);
    return new ForkableState(state, tracker);
  }

  /** {@return a state that goes on from {@code snapshot}} */
  public static ForkableState of(Snapshot snapshot) {
    EngineState state = new EngineState(snapshot.undivided());
    SnapshotTracker tracker = new SnapshotTracker(state);
    state.attach(tracker, new LazyForkLoader(state, snapshot));
    return new ForkableState(state, tracker);
  }
}
