package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock of a controller whose machine gets another time. */
final class SteadyClockTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant system = START;
  private long nanos = -5;
  private final SteadyClock clock = new SteadyClock(() -> system, () -> nanos);

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    system = system.plusSeconds(seconds);
  }

  private void set(Duration change) {
    system = system.plus(change);
  }

  @Test
  void itFollowsTheSystem() {
    assertThat(clock.instant()).isEqualTo(START);
    pass(7);
    assertThat(clock.instant()).isEqualTo(START.plusSeconds(7));
    set(Duration.ofHours(1));
    assertThat(clock.instant()).isEqualTo(START.plusSeconds(3607));
  }

  @Test
  void afterTheSystemWasPutBackItGoesOnMoreSlowly() {
    Instant before = clock.instant();
    set(Duration.ofMinutes(-1));
    assertThat(clock.instant()).isEqualTo(before);
    pass(20);
    assertThat(clock.instant()).isEqualTo(before.plusSeconds(10));
    pass(99);
    assertThat(clock.instant()).isAfter(system);
    pass(1);
    assertThat(clock.instant()).isEqualTo(system);
    pass(10);
    assertThat(clock.instant()).isEqualTo(system);
  }
}
