package io.kueue4j.examples.controller.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {
  @Test
  void delaysDoubleUpToTheLongest() {
    Duration first = Duration.ofSeconds(10);
    Duration longest = Duration.ofMinutes(10);

    assertThat(IntStream.rangeClosed(1, 8)
            .mapToObj(failures -> RetryDelays.after(failures, first, longest).toSeconds()))
        .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L);
    assertThat(RetryDelays.after(Integer.MAX_VALUE, first, longest)).isEqualTo(longest);
  }
}
