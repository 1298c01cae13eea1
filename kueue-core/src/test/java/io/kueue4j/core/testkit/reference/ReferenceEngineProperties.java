package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.HarnessAssert;
import io.kueue4j.core.testkit.jqwik.Run;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** That the engine and the reference model decide the same, whatever is done to them. */
class ReferenceEngineProperties {
  private static final int STEPS = 60;

  @Provide
  Arbitrary<Run> runs() {
    return Run.of(choices -> SideBySide.play(choices, STEPS));
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void theEngineAndTheModelAgreeAfterEveryStep(@ForAll("runs") Run run) {
    run.check();
  }

  /** In the middle of one change two cohorts are below each other. */
  @Example
  void cohortsMayStandInACircleUntilAChangeIsComplete() {
    Step before = new Step.Apply(ImmutableList.of(
        Cohort.builder().name("c0").build(),
        Cohort.builder().name("c1").parent("c0").build()));
    Step turned = new Step.Apply(ImmutableList.of(
        Cohort.builder().name("c0").parent("c1").build(),
        Cohort.builder().name("c1").build()));

    HarnessAssert.of(AdmissionEngineUnderTest::create)
        .against(ReferenceEngine::new)
        .holdsIn(Scenario.of(before, turned, new Step.Cycle()));
  }
}
