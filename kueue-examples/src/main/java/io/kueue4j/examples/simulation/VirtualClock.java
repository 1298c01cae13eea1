package io.kueue4j.examples.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is advanced. Not thread-safe. */
public final class VirtualClock implements InstantSource {
  /** The start of a simulation unless it names another one. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now;

  private VirtualClock(Instant now) {
    this.now = now;
  }

  /** {@return a clock at {@link #START}} */
  public static VirtualClock create() {
    return at(START);
  }

  /** {@return a clock at a time} */
  static VirtualClock at(Instant time) {
    return new VirtualClock(time);
  }

  /** {@return an independent clock with the same time} */
  public VirtualClock copy() {
    return new VirtualClock(now);
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Advances to a time, if it is later. */
  void advanceTo(Instant time) {
    if (time.isAfter(now)) {
      now = time;
    }
  }

  /** Advances the time. */
  public void advance(Duration duration) {
    now = now.plus(duration);
  }
}
