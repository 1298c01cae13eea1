package io.kueue4j.examples.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever was decided on the published configurations, to the number that Kueue itself came to.
 */
class PublishedTracesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BASELINE | trace baseline: workloads=15000 ticks=1076 cycles=823 admitted=17970 preempted=2970"
            + " finished=15000"
            + " | class small: n=10500 avg_time_to_admission_ms=70442.6"
            + " | class medium: n=3000 avg_time_to_admission_ms=39984.0"
            + " | class large: n=1500 avg_time_to_admission_ms=99.3",
        "LARGE | trace large: workloads=50000 ticks=78 cycles=67 admitted=51000 preempted=1000"
            + " finished=50000"
            + " | class small: n=35000 avg_time_to_admission_ms=4268.6"
            + " | class medium: n=11000 avg_time_to_admission_ms=1554.5"
            + " | class large: n=4000 avg_time_to_admission_ms=50.0"
      })
  void decisionsAreThoseOfKueue(
      PublishedTraces trace, String decisions, String small, String medium, String large) {
    TraceReport report = TracePlayer.play(trace.trace());

    assertThat(report.decisions()).isEqualTo(decisions);
    assertThat(report.classes()).containsExactly(small, medium, large);
  }
}
