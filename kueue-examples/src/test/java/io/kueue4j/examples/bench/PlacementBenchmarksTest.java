package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlacementBenchmarksTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachPlacementIsWhatItSays(boolean constrained) {
    PlacementBenchmark benchmark = new PlacementBenchmark();
    benchmark.nodes = 1000;
    benchmark.constrained = constrained;
    benchmark.setUp();

    for (int i = 0; i < 3; i++) {
      assertThat(benchmark.placeInBlockAndRelease().isAdmitted()).isTrue();
      assertThat(benchmark.placeNearAndRelease().isAdmitted()).isTrue();
      assertThat(benchmark.placeAnywhereAndRelease().isAdmitted()).isTrue();
      assertThat(((AdmissionResult.Pending) benchmark.refuseTooWide()).reasons().toString())
          .contains("topology \"dc\" allows to fit only");
    }
  }

  @ParameterizedTest
  @EnumSource
  void victimsAreFoundEachTimeAnew(PlacedPreemptionBenchmark.Shape shape) {
    PlacedPreemptionBenchmark benchmark = new PlacedPreemptionBenchmark();
    benchmark.shape = shape;
    benchmark.setUp();

    AdmissionResult first = benchmark.findVictims();
    assertThat(first).isInstanceOf(AdmissionResult.Preempting.class);
    assertThat(benchmark.findVictims()).isEqualTo(first);
  }
}
