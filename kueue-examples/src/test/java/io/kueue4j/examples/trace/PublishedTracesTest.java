package io.kueue4j.examples.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.Collectors;
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
        "BASELINE | workloads=15000 ticks=1076 cycles=823 admitted=17970 preempted=2970"
            + " finished=15000 | small 70442.6, medium 39984.0, large 99.3",
        "LARGE | workloads=50000 ticks=78 cycles=67 admitted=51000 preempted=1000"
            + " finished=50000 | small 4268.6, medium 1554.5, large 50.0",
        "TAS | workloads=15000 ticks=1076 cycles=1023 admitted=17970 preempted=2970"
            + " finished=15000 | small 70442.6, medium 39984.0, large 99.3"
      })
  void decisionsAreThoseOfKueue(PublishedTraces trace, String decisions, String waits) {
    TraceReport report = TracePlayer.play(trace.trace());

    assertThat(report.decisions()).isEqualTo(decisions);
    assertThat(report.waits().stream()
            .map(wait -> String.format(Locale.ROOT, "%s %.1f", wait.sizeClass(), wait.meanMillis()))
            .collect(Collectors.joining(", ")))
        .isEqualTo(waits);
    assertThat(report.waits().stream().mapToLong(TraceReport.Wait::count).sum())
        .isEqualTo(report.workloads());
  }
}
