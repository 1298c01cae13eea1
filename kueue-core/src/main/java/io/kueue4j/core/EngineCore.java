package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.annotations.VisibleForTesting;
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
    this(clock, state, new Admissions(state));
  }

  @VisibleForTesting
  EngineCore(InstantSource clock, EngineState state, Admissions admissions) {
    this.clock = clock;
    this.state = state;
    this.admissions = admissions;
  }

  /** {@return what may be called by one thread at a time} */
  Exclusive<EngineCore> exclusive() {
    return new Exclusive<>(this, new Exclusive.Steps() {
      @Override
      public void begin() {
        state.undo().begin();
      }

      @Override
      public void done() {
        state.undo().commit();
        state.recycling().afterCall();
        state.announcements().commit();
      }

      @Override
      public void failed(Throwable failure) {
        state.announcements().abandon();
        try {
          state.rollback();
        } catch (RuntimeException | Error broken) {
          failure.addSuppressed(broken);
        }
      }

      @Override
      public void afterwards() {
        state.announcements().tell();
      }
    });
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
