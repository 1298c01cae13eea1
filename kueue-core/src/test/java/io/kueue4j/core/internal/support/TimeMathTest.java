package io.kueue4j.core.internal.support;

import static io.kueue4j.core.internal.support.TimeMath.boundedQuotient;
import static io.kueue4j.core.internal.support.TimeMath.remainder;
import static io.kueue4j.core.internal.support.TimeMath.saturatedAdd;
import static io.kueue4j.core.internal.support.TimeMath.saturatedMillis;
import static io.kueue4j.core.internal.support.TimeMath.saturatedMultiply;
import static io.kueue4j.core.internal.support.TimeMath.saturatedSubtract;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class TimeMathTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final Duration SHORTEST = Duration.ofSeconds(Long.MIN_VALUE);
  private static final Duration ALL_TIME = Duration.between(Instant.MIN, Instant.MAX);

  @Test
  void instantsSaturateAtBothEnds() {
    assertThat(saturatedAdd(Instant.EPOCH, Duration.ofSeconds(3)))
        .isEqualTo(Instant.ofEpochSecond(3));
    assertThat(saturatedAdd(Instant.EPOCH, Duration.ofSeconds(-3)))
        .isEqualTo(Instant.ofEpochSecond(-3));
    assertThat(saturatedAdd(Instant.EPOCH, FOREVER)).isEqualTo(Instant.MAX);
    assertThat(saturatedAdd(Instant.EPOCH, SHORTEST)).isEqualTo(Instant.MIN);
    assertThat(saturatedAdd(Instant.MAX, Duration.ofNanos(1))).isEqualTo(Instant.MAX);
    assertThat(saturatedAdd(Instant.MIN, Duration.ofNanos(-1))).isEqualTo(Instant.MIN);
    assertThat(saturatedAdd(Instant.MIN, ALL_TIME)).isEqualTo(Instant.MAX);
    assertThat(saturatedAdd(Instant.MIN, ALL_TIME.minusNanos(1)))
        .isEqualTo(Instant.MAX.minusNanos(1));
    assertThat(saturatedAdd(Instant.MIN, Duration.ZERO)).isEqualTo(Instant.MIN);
  }

  @Test
  void durationsSaturateAtBothEnds() {
    assertThat(saturatedAdd(Duration.ofDays(1), Duration.ofDays(2))).isEqualTo(Duration.ofDays(3));
    assertThat(saturatedAdd(FOREVER, Duration.ofNanos(1))).isEqualTo(FOREVER);
    assertThat(saturatedAdd(SHORTEST, Duration.ofNanos(-1))).isEqualTo(SHORTEST);
    assertThat(saturatedSubtract(Duration.ofDays(1), Duration.ofDays(2)))
        .isEqualTo(Duration.ofDays(-1));
    assertThat(saturatedSubtract(FOREVER, Duration.ofNanos(-1))).isEqualTo(FOREVER);
    assertThat(saturatedSubtract(SHORTEST, FOREVER)).isEqualTo(SHORTEST);
    assertThat(saturatedMultiply(Duration.ofDays(2), 3)).isEqualTo(Duration.ofDays(6));
    assertThat(saturatedMultiply(FOREVER, 2)).isEqualTo(FOREVER);
    assertThat(saturatedMultiply(FOREVER, -2)).isEqualTo(SHORTEST);
    assertThat(saturatedMillis(FOREVER)).isEqualTo(Long.MAX_VALUE);
    assertThat(saturatedMillis(SHORTEST)).isEqualTo(Long.MIN_VALUE);
    assertThat(saturatedMillis(Duration.ofSeconds(2))).isEqualTo(2000);
  }

  @Test
  void quotientsAreBoundedAndRemaindersExact() {
    assertThat(boundedQuotient(Duration.ofSeconds(7), Duration.ofSeconds(2), 100))
        .isEqualTo(3);
    assertThat(boundedQuotient(Duration.ofSeconds(7), Duration.ofSeconds(2), 2)).isEqualTo(2);
    assertThat(boundedQuotient(FOREVER, Duration.ofNanos(1), Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(remainder(Duration.ofMillis(7300), Duration.ofSeconds(2)))
        .isEqualTo(Duration.ofMillis(1300));
    assertThat(remainder(ALL_TIME, Duration.ofNanos(1))).isEqualTo(Duration.ZERO);
  }
}
