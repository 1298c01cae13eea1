package io.kueue4j.examples.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is advanced. Not safe for several threads. */
public final class VirtualClock implements InstantSource {
  /** When every simulation begins. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now;

  private VirtualClock(Instant now) {
    this.now = now;
  }

  /** {@return a clock that shows {@link #START}} */
  public static VirtualClock create() {
    return new VirtualClock(START);
  }

  /** {@return a clock that shows the same time, and goes on apart from this one} */
  public VirtualClock copy() {
    return new VirtualClock(now);
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Lets time pass. */
  public void advance(Duration duration) {
    now = now.plus(duration);
  }
}
