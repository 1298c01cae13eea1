package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopTextTest {
  private static List<RepeatedStop> stops(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> RepeatedStop.of(new Eviction(
            WorkloadId.of("ns", "w" + i), EvictionReason.NODE_FAILURES, Optional.empty(), "")))
        .toList();
  }

  @Test
  void sixStopsAreNamedAndTheOthersCounted() {
    assertThat(LoopText.of(stops(6))).endsWith("ns/w5 is evicted (NodeFailures)");
    assertThat(LoopText.of(stops(7))).endsWith("ns/w5 is evicted (NodeFailures), and 1 more");
  }
}
