package io.kueue4j.core.internal.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Function;

/**
 * Guards an object that is not thread-safe, so that only one thread at a time can access it.
 *
 * <p>By a monitor, which the JVM itself releases however a method ends. A
 * {@link java.util.concurrent.locks.Lock} is taken and released by calls, and where the stack is
 * full, a call fails that should release it.
 */
public final class Locked<T> {
  @GuardedBy("this")
  private final T value;

  @GuardedBy("this")
  private boolean stepping;

  private final Steps steps;

  /** Callbacks around each outermost step. */
  public interface Steps {
    /** Runs before the step. */
    void begin();

    /** Ends a step that has returned. */
    void done();

    /** Ends a step that has thrown. */
    void failed(Throwable failure);

    /** Runs after a step that has returned; calls from here are steps of their own. */
    void afterwards();
  }

  public Locked(T value, Steps steps) {
    this.value = value;
    this.steps = steps;
  }

  /** {@return what {@code step} returns, run while no other thread can} */
  public synchronized <R> R call(Function<? super T, ? extends R> step) {
    if (stepping) {
      return step.apply(value);
    }
    R result = callOutermost(step);
    steps.afterwards();
    return result;
  }

  @GuardedBy("this")
  private <R> R callOutermost(Function<? super T, ? extends R> step) {
    stepping = true;
    try {
      steps.begin();
      R result = step.apply(value);
      steps.done();
      return result;
    } catch (Throwable failure) {
      steps.failed(failure);
      throw failure;
    } finally {
      stepping = false;
    }
  }
}
