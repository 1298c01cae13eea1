package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {
  @ParameterizedTest
  @CsvSource({
    "P365000D,    true",
    "P365001D,    false",
    "-P365000D,   true",
    "-P365001D,   false",
    "an hour,     false",
  })
  void durationsHaveALimit(String text, boolean isOne) {
    assertThat(TimeText.duration(text).isPresent()).isEqualTo(isOne);
  }

  @ParameterizedTest
  @CsvSource({
    "0000-01-01T00:00:00Z,           true",
    "-0001-12-31T23:59:59Z,          false",
    "9999-12-31T23:59:59.999999999Z, true",
    "+10000-01-01T00:00:00Z,         false",
    "today,                          false",
  })
  void timesAreOfYearsWithFourDigits(String text, boolean isOne) {
    assertThat(TimeText.time(text).isPresent()).isEqualTo(isOne);
  }

  @Test
  void aVirtualClockNeverGoesBack() {
    VirtualClock clock = VirtualClock.create();
    Instant now = clock.instant();
    clock.advanceTo(now.minusSeconds(1));

    assertThat(clock.instant()).isEqualTo(now);
    clock.advance(Duration.ofSeconds(1));
    assertThat(clock.instant()).isEqualTo(now.plusSeconds(1));
  }
}
