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

  private final Consumer<? super T> afterwards;

  Exclusive(T value) {
    this(value, unused -> {});
  }

  /**
   * Makes {@code value} exclusive; {@code afterwards} runs after each step that is not part of
   * another.
   */
  Exclusive(T value, Consumer<? super T> afterwards) {
    this.value = value;
    this.afterwards = afterwards;
  }

  /** {@return what {@code step} returns, run while nobody else can} */
  <R> R call(Function<? super T, ? extends R> step) {
    lock.lock();
    try {
      try {
        return step.apply(value);
      } finally {
        if (lock.getHoldCount() == 1) {
          afterwards.accept(value);
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
