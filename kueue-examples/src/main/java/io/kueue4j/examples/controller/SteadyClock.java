package io.kueue4j.examples.controller;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of the system, except that it never goes back: after the clock of the system was put
 * back, it runs at half speed until both agree. So no delay lasts longer than twice its time.
 *
 * <p>Thread-safe.
 */
final class SteadyClock implements InstantSource {
  private final InstantSource system;
  private final LongSupplier nanoTime;
  private Instant last = Instant.MIN;
  private long lastNanos;

  SteadyClock(InstantSource system, LongSupplier nanoTime) {
    this.system = system;
    this.nanoTime = nanoTime;
    lastNanos = nanoTime.getAsLong();
  }

  @Override
  public synchronized Instant instant() {
    long nanos = nanoTime.getAsLong();
    Instant earliest = last.plusNanos((nanos - lastNanos) / 2);
    Instant now = system.instant();
    last = now.isBefore(earliest) ? earliest : now;
    lastNanos = nanos;
    return last;
  }
}
