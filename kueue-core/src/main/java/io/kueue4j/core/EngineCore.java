package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkState;

import java.time.Instant;
import java.time.InstantSource;

/**
 * What the lock of an engine protects: its state, the calls on it, and its clock. Not safe for
 * several threads.
 */
final class EngineCore {
  private final InstantSource clock;
  private final EngineState state;
  private final Admissions admissions;

  EngineCore(InstantSource clock, EngineState state) {
    this.clock = clock;
    this.state = state;
    this.admissions = new Admissions(state);
  }

  /** {@return what may be called by one thread at a time} */
  Exclusive<EngineCore> exclusive() {
    return new Exclusive<>(
        this,
        held -> {
          held.state.recycling().afterCall();
          held.state.announcements().tell();
        },
        held -> held.state.announcements().abandon());
  }

  EngineState state() {
    return state;
  }

  /** {@return the calls that concern workloads} */
  Admissions admissions() {
    return admissions;
  }

  InstantSource clock() {
    return clock;
  }

  /**
   * {@return the time of a call}
   *
   * <p>Each call reads the clock once, before it changes anything: a clock is user code and may
   * throw.
   */
  Instant now() {
    Instant now = clock.instant();
    checkState(now != null, "the clock %s returned null; expected an Instant", clock);
    return now;
  }
}
