package io.kueue4j.examples.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.function.Function;

/**
 * Ends a command early, and in order, when its process is asked to end, as by Ctrl-C: the process
 * waits until the command has printed what there is, but not longer than {@link #GRACE}.
 *
 * <pre>{@code
 * try (Interruption interruption = Interruption.watch()) {
 *   result = simulation.run(status -> !interruption.isRequested());
 *   print(result);
 * }
 * }</pre>
 */
final class Interruption implements AutoCloseable {
  /** How long the end of the process waits for a command, which may be in a long calculation. */
  static final Duration GRACE = Duration.ofMillis(1_500);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::request, "interruption");
  private volatile boolean requested;

  private Interruption() {}

  /** {@return one that the end of the process requests} */
  static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** {@return whether the process is to end} */
  boolean isRequested() {
    return requested;
  }

  /** Requests the end, and waits until the command has ended or {@link #GRACE} is over. */
  void request() {
    requested = true;
    try {
      boolean unused = ended.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * {@return what a computation makes, empty if it was abandoned because the end was requested
   * meanwhile} If it was requested before, the computation is the end in order, and goes on.
   *
   * @param progress receives how far the computation is
   * @param computation gets the receiver of its progress, which ends it by an exception
   */
  <T> Optional<T> unlessRequested(
      DoubleConsumer progress, Function<DoubleConsumer, T> computation) {
    boolean requestedBefore = requested;
    try {
      return Optional.of(computation.apply(part -> {
        progress.accept(part);
        if (requested && !requestedBefore) {
          throw new Abandoned();
        }
      }));
    } catch (Abandoned e) {
      return Optional.empty();
    }
  }

  /** Ends a computation. */
  private static final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public void close() {
    ended.countDown();
    if (!requested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is about to end, and the hook does no harm.
      }
    }
  }
}
