package io.kueue4j.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Something that is not safe for several threads, within reach of one at a time only. */
final class Exclusive<T> {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final T value;

  Exclusive(T value) {
    this.value = value;
  }

  /** {@return what {@code step} returns, run while nobody else can} */
  <R> R call(Function<? super T, ? extends R> step) {
    lock.lock();
    try {
      return step.apply(value);
    } finally {
      lock.unlock();
    }
  }
}
