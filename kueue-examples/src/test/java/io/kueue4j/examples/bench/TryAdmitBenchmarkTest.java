package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TryAdmitBenchmarkTest {
  @Test
  void eachMeasurementMeasuresWhatItSays() {
    TryAdmitBenchmark benchmark = new TryAdmitBenchmark();
    benchmark.clusterQueues = 100;
    benchmark.setUp();

    for (int i = 0; i < 50; i++) {
      assertThat(benchmark.tryAdmitFittingAndRelease().isAdmitted()).isTrue();
      assertThat(benchmark.tryAdmitBorrowingAndRelease().isAdmitted()).isTrue();
      assertThat(benchmark.tryAdmitTooLarge().isAdmitted()).isFalse();
    }
  }
}
