package io.kueue4j.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.tpu.TpuFleet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SliceFitBenchmarkTest {
  /** The results of each state are unchanged, and both kinds occur. */
  @ParameterizedTest
  @EnumSource(names = {"POD", "POD_ALIGNED", "PART_OF_16_CUBES"})
  void statesAreUsedAndStay(ChurnedFleets.Kind kind) {
    SliceFitBenchmark benchmark = new SliceFitBenchmark();
    benchmark.kind = kind;
    benchmark.setUp();

    int placed = 0;
    for (int i = 0; i < 64; i++) {
      placed += benchmark.fit().isPlaced() ? 1 : 0;
    }
    assertThat(placed).isBetween(5, 64);
    int again = 0;
    for (int i = 0; i < 64; i++) {
      again += benchmark.fit().isPlaced() ? 1 : 0;
    }
    assertThat(again).isEqualTo(placed);
    assertThat(benchmark.victims()).isPresent();
    assertThat(benchmark.twoMoves()).isNotNull();
  }

  @Test
  void slicesComeAndGo() {
    ChurnedFleets churned = new ChurnedFleets(ChurnedFleets.Kind.TORUS, new Random(1));
    TpuFleet one = churned.next();
    assertThat(one.slices()).hasSizeGreaterThan(20);
    assertThat(churned.next()).isNotEqualTo(one);
  }
}
