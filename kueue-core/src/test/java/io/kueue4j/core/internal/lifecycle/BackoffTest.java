package io.kueue4j.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules L-17, U-25. */
class BackoffTest {
  private static final WorkloadId ID = WorkloadId.of("ns", "w");

  private static Duration delay(PodsReadyPolicy policy, int count) {
    return Backoff.delay(policy, ID, count, failure -> {
      throw failure;
    });
  }

  private static String delays(PodsReadyPolicy policy, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(n -> String.valueOf(delay(policy, n).toSeconds()))
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
    assertThat(delay(policy(1, 0), Integer.MAX_VALUE)).isPositive();
    assertThat(delay(policy(0, 0), Integer.MAX_VALUE)).isZero();
    assertThat(delay(policy(1, 7), Integer.MAX_VALUE)).hasSeconds(7);
  }

  @Test
  void jitterMakesItLongerByAFraction() {
    PodsReadyPolicy policy = PodsReadyPolicy.builder()
        .jitter((workload, count) -> workload.equals(ID) && count == 2 ? 0.0001 : 0)
        .build();

    assertThat(delay(policy, 1)).hasMillis(60_000);
    assertThat(delay(policy, 2)).hasMillis(120_012);
  }

  @Test
  void aJitterOutOfBoundsIsReportedAndLeftOut() {
    for (double jitter : new double[] {-1, 5, Double.NaN, Double.POSITIVE_INFINITY}) {
      PodsReadyPolicy policy =
          PodsReadyPolicy.builder().jitter((workload, count) -> jitter).build();
      List<RuntimeException> failures = new ArrayList<>();

      assertThat(Backoff.delay(policy, ID, 3, failures::add)).hasSeconds(240);
      assertThat(failures).singleElement().isInstanceOf(IllegalArgumentException.class);
      assertThat(failures.get(0))
          .hasMessage("the jitter of workload ns/w for requeue 3 is " + jitter
              + "; expected 0 to 1.0E-4; the delay has no jitter");
    }
  }

  @Test
  void aJitterThatThrowsIsReportedAndLeftOut() {
    for (Throwable thrown : List.of(new IllegalStateException("x"), new AssertionError("y"))) {
      PodsReadyPolicy policy = PodsReadyPolicy.builder()
          .jitter((workload, count) -> sneakyThrow(thrown))
          .build();
      List<RuntimeException> failures = new ArrayList<>();

      assertThat(Backoff.delay(policy, ID, 1, failures::add)).hasSeconds(60);
      assertThat(failures)
          .singleElement()
          .satisfies(failure -> assertThat(failure).hasCause(thrown))
          .hasToString("java.lang.IllegalStateException: the jitter of workload ns/w for requeue 1"
              + " threw an exception; the delay has no jitter");
    }
  }

  @Test
  void anErrorOfTheVirtualMachinePasses() {
    PodsReadyPolicy policy = PodsReadyPolicy.builder()
        .jitter((workload, count) -> sneakyThrow(new StackOverflowError()))
        .build();

    assertThatThrownBy(() -> delay(policy, 1)).isInstanceOf(StackOverflowError.class);
  }

  @Test
  void noDurationIsTooLong() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    PodsReadyPolicy policy = PodsReadyPolicy.builder()
        .backoffBase(forever)
        .jitter((workload, count) -> PodsReadyPolicy.MAX_JITTER)
        .build();
    PodsReadyPolicy capped = PodsReadyPolicy.builder()
        .backoffBase(forever.minusDays(1))
        .backoffMax(forever)
        .build();

    assertThat(delay(policy, 1)).isEqualTo(forever);
    assertThat(delay(capped, 1)).isEqualTo(forever.minusDays(1));
    assertThat(delay(capped, 2)).isEqualTo(forever);
    assertThat(new SecondPass(3, Instant.MAX).next(Instant.MAX).retryTime()).isEqualTo(Instant.MAX);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> double sneakyThrow(Throwable thrown) throws E {
    throw (E) thrown;
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
