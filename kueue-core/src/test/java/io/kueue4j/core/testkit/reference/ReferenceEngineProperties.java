package io.kueue4j.core.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** That the engine and the reference model decide the same, whatever is done to them. */
class ReferenceEngineProperties {
  private static final int STEPS = 60;

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelAgreeAfterEveryStep(@ForAll long seed) {
    assertThat(SideBySide.play(seed, STEPS)).isEmpty();
  }

  /** In the middle of one change two cohorts are below each other. */
  @Example
  void cohortsMayStandInACircleUntilAChangeIsComplete() {
    assertThat(SideBySide.play(-617, STEPS)).isEmpty();
  }
}
