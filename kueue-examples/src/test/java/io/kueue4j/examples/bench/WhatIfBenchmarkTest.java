package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WhatIfBenchmarkTest {
  @Test
  void eachMeasurementMeasuresWhatItSays() {
    WhatIfBenchmark benchmark = new WhatIfBenchmark();
    benchmark.clusterQueues = 20;
    benchmark.cohorts = 4;
    benchmark.setUp();

    for (int i = 0; i < 30; i++) {
      assertThat(benchmark.forkAndTryAdmit().isAdmitted()).isTrue();
      assertThat(benchmark.forkAndRunCycle().isEmpty()).isTrue();
      assertThat(benchmark.fork()).hasToString("AdmissionEngine [clusterQueues 20, workloads 200]");
      assertThat(benchmark.changeAndView().clusterQueues()).hasSize(20);
    }
  }
}
