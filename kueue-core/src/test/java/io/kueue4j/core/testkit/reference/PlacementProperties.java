package io.kueue4j.core.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * That the engine places pods where the naive model does, and fails with the same figures: ten
 * workloads on each of many random clusters.
 */
class PlacementProperties {
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelPlaceAlike(@ForAll long seed) {
    assertThat(PlacementTrial.play(seed)).isEmpty();
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelSpreadAlike(@ForAll long seed) {
    assertThat(PlacementTrial.playBalanced(seed)).isEmpty();
  }
}
