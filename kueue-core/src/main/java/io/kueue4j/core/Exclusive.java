package io.kueue4j.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** Something that is not safe for several threads, within reach of one at a time only. */
final class Exclusive<T> {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final T value;

  @GuardedBy("lock")
  private boolean stepping;

  private final Consumer<? super T> onSuccess;
  private final Consumer<? super T> onFailure;

  Exclusive(T value) {
    this(value, unused -> {}, unused -> {});
  }

  /**
   * Makes {@code value} exclusive.
   *
   * @param onSuccess runs after each step that is not part of another; what it calls are steps of
   *     their own
   * @param onFailure runs instead if the step throws
   */
  Exclusive(T value, Consumer<? super T> onSuccess, Consumer<? super T> onFailure) {
    this.value = value;
    this.onSuccess = onSuccess;
    this.onFailure = onFailure;
  }

  /** {@return what {@code step} returns, run while no other thread can} */
  <R> R call(Function<? super T, ? extends R> step) {
    lock.lock();
    try {
      if (stepping) {
        return step.apply(value);
      }
      R result = callOutermost(step);
      onSuccess.accept(value);
      return result;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private <R> R callOutermost(Function<? super T, ? extends R> step) {
    stepping = true;
    boolean done = false;
    try {
      R result = step.apply(value);
      done = true;
      return result;
    } finally {
      stepping = false;
      if (!done) {
        onFailure.accept(value);
      }
    }
  }
}
