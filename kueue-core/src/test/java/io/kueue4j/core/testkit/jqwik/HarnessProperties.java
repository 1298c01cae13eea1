package io.kueue4j.core.testkit.jqwik;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.domains.Domain;

class HarnessProperties {
  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  @Domain(Scenarios.class)
  void theEngineKeepsAllThatKueueKeeps(@ForAll Scenario scenario) {
    HarnessAssert.of(AdmissionEngineUnderTest::create).holdsIn(scenario);
  }

  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  @Domain(Scenarios.class)
  void theEngineDecidesAsTheReferenceModelDoes(@ForAll Scenario scenario) {
    HarnessAssert.of(AdmissionEngineUnderTest::asserting)
        .against(ReferenceEngine::new)
        .holdsIn(scenario);
  }

  @Property(tries = 20, edgeCases = EdgeCasesMode.NONE)
  @Domain(Scenarios.class)
  void whatFailsIsShrunkByDroppingSteps(@ForAll Scenario scenario) {
    Shrinkable<Scenario> shrinkable = new ShrinkableScenario(scenario);

    assertThat(shrinkable.shrink()).isNotEmpty().allSatisfy(smaller -> {
      assertThat(smaller.distance()).isLessThan(shrinkable.distance());
      assertThat(smaller.value().steps().size())
          .isLessThanOrEqualTo(scenario.steps().size());
    });
  }

  @Property(tries = 5, edgeCases = EdgeCasesMode.NONE)
  @Domain(Scenarios.class)
  void aFailureEndsWithTheLineThatReproducesIt(@ForAll Scenario scenario) {
    HarnessAssert broken = HarnessAssert.of((settings, clock) -> {
      throw new IllegalStateException("no engine today");
    });

    assertThatThrownBy(() -> broken.holdsIn(scenario))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no engine today")
        .hasMessageEndingWith("reproduce with: " + scenario);
  }
}
