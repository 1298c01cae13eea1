package io.kueue4j.core.internal.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Guards an object that is not thread-safe, so that only one thread at a time can access it. */
public final class Locked<T> {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final T value;

  @GuardedBy("lock")
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
  public <A, R> R call(BiFunction<? super T, ? super A, ? extends R> step, A argument) {
    lock.lock();
    try {
      if (stepping) {
        return step.apply(value, argument);
      }
      R result = callOutermost(step, argument);
      steps.afterwards();
      return result;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
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
