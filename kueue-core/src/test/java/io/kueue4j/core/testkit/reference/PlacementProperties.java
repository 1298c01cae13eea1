package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.testkit.jqwik.Run;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * That the engine places pods where the naive model does, and fails with the same figures: ten
 * workloads on each of many random clusters.
 */
class PlacementProperties {
  @Provide
  Arbitrary<Run> runs() {
    return Run.of(PlacementTrial::play);
  }

  @Provide
  Arbitrary<Run> balancedRuns() {
    return Run.of(PlacementTrial::playBalanced);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelPlaceAlike(@ForAll("runs") Run run) {
    run.check();
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelSpreadAlike(@ForAll("balancedRuns") Run run) {
    run.check();
  }
}
