package io.kueue4j.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleStateTest {
  private static Instant at(long seconds) {
    return Instant.EPOCH.plusSeconds(seconds);
  }

  private static AdmissionCheckState check(CheckState state, long since, long delay) {
    return AdmissionCheckState.builder()
        .name(state + "-" + delay)
        .state(state)
        .lastTransitionTime(at(since))
        .requeueAfter(Duration.ofSeconds(delay))
        .build();
  }

  @ParameterizedTest
  @CsvSource({"24, 10, 25", "24, 25, 25", "24, 26, 26", "25, 10, 10"})
  void theLastRetryCountsUnlessABackoffEndsLater(long now, long backoff, long expected) {
    LifecycleState state = LifecycleState.NEW
        .withChecks(CheckList.of(ImmutableList.of(
            check(CheckState.RETRY, 0, 10),
            check(CheckState.RETRY, 5, 20),
            check(CheckState.READY, 0, 99))))
        .withRequeue(1, at(backoff));

    assertThat(state.waitingForRetry(at(now)).requeueAt()).isEqualTo(at(expected));
  }

  @Test
  void evictionsAreCountedByReasonAndCause() {
    LifecycleState state = LifecycleState.NEW
        .evicted(EvictionReason.NODE_FAILURES, Optional.empty(), "", at(0))
        .evicted(EvictionReason.DEACTIVATED, Optional.empty(), "", at(1))
        .evicted(EvictionReason.DEACTIVATED, Optional.of(EvictionCause.ADMISSION_CHECK), "", at(2))
        .preempted("InClusterQueue", "", at(3))
        .preempted("InClusterQueue", "", at(4));

    assertThat(state.evictions()).extracting(EvictionCount::count).containsExactly(1, 1, 1, 2);
    assertThat(state.preemptions()).isEqualTo(2);
  }

  /** Upstream's controllers of checks read how often they were retried. */
  @Test
  void onlyRetriesOfChecksAreCounted() {
    CheckList reset = CheckList.of(ImmutableList.of(
            check(CheckState.READY, 0, 1),
            check(CheckState.REJECTED, 0, 1),
            check(CheckState.RETRY, 0, 1)))
        .reset(at(1));

    assertThat(reset.byName()).extracting(AdmissionCheckState::retryCount).containsExactly(0, 0, 1);

    CheckList again = reset.with(check(CheckState.RETRY, 2, 1), at(2)).reset(at(3));
    assertThat(again.byName()).extracting(AdmissionCheckState::retryCount).containsExactly(0, 0, 2);
  }

  @Test
  void anEvictionEndsTheWaitForAGate() {
    LifecycleState evicted = LifecycleState.NEW
        .blockedOnGates(at(0))
        .evicted(EvictionReason.DEACTIVATED, Optional.empty(), "", at(1));

    assertThat(evicted.conditions().isTrue(ConditionType.BLOCKED_ON_PREEMPTION_GATES))
        .isFalse();
  }

  @Test
  void aGateHasOneState() {
    LifecycleState closed =
        LifecycleState.NEW.withGate("gate", true, at(0)).withGate("gate", false, at(1));

    assertThat(closed.isOpen("gate")).isFalse();
    assertThat(closed.gates()).hasSize(1);
    assertThat(closed.withGate("gate", false, at(2))).isEqualTo(closed);
  }
}
