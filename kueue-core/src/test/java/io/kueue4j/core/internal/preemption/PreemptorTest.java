package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.Preemption;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreemptorTest {
  /** The preemptor has priority 5 and came at second 10. */
  @ParameterizedTest
  @CsvSource({
    "NEVER, 4, 20, false",
    "LOWER_PRIORITY, 4, 5, true",
    "LOWER_PRIORITY, 5, 20, false",
    "LOWER_PRIORITY, 6, 20, false",
    "LOWER_OR_NEWER_EQUAL_PRIORITY, 4, 5, true",
    "LOWER_OR_NEWER_EQUAL_PRIORITY, 5, 9, false",
    "LOWER_OR_NEWER_EQUAL_PRIORITY, 5, 10, false",
    "LOWER_OR_NEWER_EQUAL_PRIORITY, 5, 11, true",
    "LOWER_OR_NEWER_EQUAL_PRIORITY, 6, 20, false",
    "ANY, 6, 5, true"
  })
  void mayPreemptByPolicyPriorityAndAge(
      Preemption.Policy policy, int priority, long second, boolean expected) {
    PreemptionFixture fixture = new PreemptionFixture();
    fixture.cohorts.with(queue("q", "c", 4));
    fixture.runningSince(second * 1000, "other", "other", "q", priority, Map.of("gpu", 1L));

    Preemptor preemptor = fixture.preemptor("q", 5, 10_000);

    assertThat(preemptor.mayPreempt(fixture.holder("other"), policy)).isEqualTo(expected);
  }
}
