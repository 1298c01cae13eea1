package io.kueue4j.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.state.PreemptionHistory.Counter;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreemptionHistoryTest {
  private static final Instant SOON = Instant.ofEpochSecond(100);
  private static final Instant LATER = Instant.ofEpochSecond(200);

  private final PreemptionHistory history = new PreemptionHistory(Optional.empty(), new Journal());

  @Test
  void aQueueIsTriedAgainAtTheEarliestTime() {
    history.retry("a", LATER);
    history.retry("a", SOON);
    history.retry("b", SOON);
    history.retry("b", LATER);

    assertThat(history.retries().get("a")).isEqualTo(SOON);
    assertThat(history.retries().get("b")).isEqualTo(SOON);
  }

  @Test
  void theLimitsOfARemovedQueueAreForgotten() {
    history.setLimits("a", PreemptionLimits.none());
    assertThat(history.isUsed()).isTrue();

    history.remove("a");

    assertThat(history.isUsed()).isFalse();
  }

  @Test
  void ofManyRestoredPreemptionsAsManyAreKeptAsAnyLimitCounts() {
    PreemptionHistory used =
        new PreemptionHistory(Optional.of(PreemptionLimits.none()), new Journal());

    used.restore(WorkloadId.of("ns", "w"), Long.MAX_VALUE, SOON);

    assertThat(used.times(new Counter(RateScope.PREEMPTED_WORKLOAD, "ns/w")).length())
        .isEqualTo(Rate.MAX_LIMIT);
  }
}
