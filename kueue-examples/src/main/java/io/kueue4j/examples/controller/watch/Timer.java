package io.kueue4j.examples.controller.watch;

import java.time.Duration;

/** Runs tasks later. */
@FunctionalInterface
interface Timer {
  /** Runs {@code task} after {@code delay}, in another thread than the thread of the caller. */
  void schedule(Runnable task, Duration delay);
}
