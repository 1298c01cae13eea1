package io.kueue4j.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules L-17, U-25. */
class BackoffTest {
  private static final WorkloadId ID = WorkloadId.of("ns", "w");

  private static String delays(PodsReadyPolicy policy, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(n -> String.valueOf(Backoff.delay(policy, ID, n).toSeconds()))
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }

  private static PodsReadyPolicy policy(long base, long max) {
    return PodsReadyPolicy.builder()
        .backoffBase(Duration.ofSeconds(base))
        .backoffMax(Duration.ofSeconds(max))
        .build();
  }

  @Test
  void doublesUpToTheLargest() {
    assertThat(delays(PodsReadyPolicy.defaults(), 8))
        .isEqualTo("60 120 240 480 960 1920 3600 3600");
  }

  @Test
  void theFirstIsNotCapped() {
    assertThat(delays(policy(60, 30), 3)).isEqualTo("60 30 30");
  }

  @Test
  void withoutALargestItGoesOn() {
    assertThat(delays(policy(1000, 0), 4)).isEqualTo("1000 2000 4000 8000");
  }

  @Test
  void noCountIsTooLarge() {
    assertThat(Backoff.delay(policy(1, 0), ID, Integer.MAX_VALUE)).isPositive();
    assertThat(Backoff.delay(policy(0, 0), ID, Integer.MAX_VALUE)).isZero();
    assertThat(Backoff.delay(policy(1, 7), ID, Integer.MAX_VALUE)).hasSeconds(7);
  }

  @Test
  void jitterMakesItLongerByAFraction() {
    PodsReadyPolicy policy = PodsReadyPolicy.builder()
        .jitter((workload, count) -> workload.equals(ID) && count == 2 ? 0.0001 : 0)
        .build();

    assertThat(Backoff.delay(policy, ID, 1)).hasMillis(60_000);
    assertThat(Backoff.delay(policy, ID, 2)).hasMillis(120_012);
  }

  @Test
  void jitterOutOfBoundsIsRefused() {
    for (double jitter : new double[] {-0.1, 0.1, Double.NaN}) {
      PodsReadyPolicy policy =
          PodsReadyPolicy.builder().jitter((workload, count) -> jitter).build();
      assertThatThrownBy(() -> Backoff.delay(policy, ID, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected 0 to 1.0E-4");
    }
  }

  @Test
  void negativeDurationsAreRefused() {
    assertThatThrownBy(() -> policy(-1, 0)).hasMessageContaining("backoffBase");
    assertThatThrownBy(() -> policy(0, -1)).hasMessageContaining("backoffMax");
    assertThatThrownBy(() -> PodsReadyPolicy.builder().backoffLimitCount(-1).build())
        .hasMessageContaining("backoffLimitCount");
  }

  @Test
  void aSecondPassIsTriedLessAndLessOften() {
    SecondPass pass = SecondPass.first(Instant.EPOCH);
    StringBuilder delays = new StringBuilder();
    for (int i = 0; i < 7; i++) {
      SecondPass next = pass.next(pass.retryTime());
      delays
          .append(Duration.between(pass.retryTime(), next.retryTime()).toSeconds())
          .append(' ');
      pass = next;
    }

    assertThat(delays).hasToString("1 2 4 8 16 30 30 ");
    assertThat(pass.attempts()).isEqualTo(7);
    assertThat(SecondPass.first(Instant.EPOCH).isDue(Instant.EPOCH)).isTrue();
    assertThat(pass.isDue(pass.retryTime().minusNanos(1))).isFalse();
  }
}
