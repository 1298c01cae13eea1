package io.kueue4j.core.internal.operation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kueue4j.core.internal.assertion.StateAssertions;
import io.kueue4j.core.internal.state.EngineState;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The gate of every call of an engine: only one thread at a time passes it, a call that throws is
 * taken back, and the listener receives the events of a call that returns.
 *
 * <p>The lock is a monitor, which the JVM itself releases however a method ends. A
 * {@link java.util.concurrent.locks.Lock} is taken and released by calls, and where the stack is
 * full, a call fails that should release it.
 */
public final class LockedEngine {
  @GuardedBy("this")
  private final EngineCore core;

  @GuardedBy("this")
  private boolean inCall;

  private final EngineState state;

  /** Null unless the state is checked after each call. */
  private final @Nullable StateAssertions assertions;

  LockedEngine(EngineCore core, boolean asserts) {
    this.core = core;
    this.state = core.state();
    this.assertions = asserts ? new StateAssertions(state) : null;
  }

  /**
   * {@return what {@code call} returns, run while no other thread can}
   *
   * <p>A call from inside a call runs as a part of it.
   */
  public synchronized <R> R call(Function<? super EngineCore, ? extends R> call) {
    if (inCall) {
      return call.apply(core);
    }
    R result = callOutermost(call);
    afterwards();
    return result;
  }

  @GuardedBy("this")
  private <R> R callOutermost(Function<? super EngineCore, ? extends R> call) {
    inCall = true;
    try {
      begin();
      R result = call.apply(core);
      done();
      return result;
    } catch (Throwable failure) {
      failed(failure);
      throw failure;
    } finally {
      inCall = false;
    }
  }

  private void begin() {
    if (assertions != null) {
      assertions.beforeCall();
    }
    state.journal().begin();
  }

  /** Ends a call that has returned. */
  private void done() {
    if (assertions != null) {
      assertions.afterCall();
    }
    state.journal().commit();
    state.announcements().commit();
  }

  /** Takes back a call that has thrown. */
  @GuardedBy("this")
  private void failed(Throwable failure) {
    try {
      state.rollback();
    } catch (RuntimeException | Error broken) {
      failure.addSuppressed(broken);
    }
    state.announcements().abandon();
    core.forgetView();
    if (assertions != null) {
      assertions.afterRollback(failure);
    }
  }

  /** Delivers events; calls of the listener are calls of their own. */
  private void afterwards() {
    state.announcements().deliver();
  }
}
