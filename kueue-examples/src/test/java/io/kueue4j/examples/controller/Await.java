package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/** Waits for what other threads and processes do. */
public final class Await {
  /** The longest time to wait, for a machine under load. */
  public static final Duration DEADLINE = Duration.ofSeconds(90);

  private static final Duration INTERVAL = Duration.ofMillis(20);

  private Await() {}

  /**
   * Waits until a condition holds.
   *
   * @param what names the condition in the failure
   * @throws AssertionError if it does not hold within {@link #DEADLINE}, or throws
   */
  public static void until(String what, Callable<Boolean> condition) {
    Instant end = Instant.now().plus(DEADLINE);
    try {
      while (!condition.call()) {
        assertThat(Instant.now()).as("deadline for: " + what).isBefore(end);
        Thread.sleep(INTERVAL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted: " + what, e);
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }
}
