package io.kueue4j.core.internal.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.BiFunction;
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
  public <R> R call(Function<? super T, ? extends R> step) {
    return call((held, each) -> each.apply(held), step);
  }

  /** {@return what {@code step} returns for {@code argument}, run while no other thread can} */
  public synchronized <A, R> R call(
      BiFunction<? super T, ? super A, ? extends R> step, A argument) {
    if (stepping) {
      return step.apply(value, argument);
    }
    R result = callOutermost(step, argument);
    steps.afterwards();
    return result;
  }

  @GuardedBy("this")
  private <A, R> R callOutermost(BiFunction<? super T, ? super A, ? extends R> step, A argument) {
    stepping = true;
    try {
      steps.begin();
      R result = step.apply(value, argument);
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
