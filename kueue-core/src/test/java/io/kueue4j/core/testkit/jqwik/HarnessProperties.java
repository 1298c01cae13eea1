package io.kueue4j.core.testkit.jqwik;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioOptions;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.Domain;

class HarnessProperties {
  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  @Domain(Scenarios.class)
  void theEngineKeepsAllThatKueueKeeps(@ForAll Scenario scenario) {
    HarnessAssert.of(AdmissionEngineUnderTest::create).holdsIn(scenario);
  }

  @Provide
  Arbitrary<Scenario> compared() {
    ScenarioOptions small = ScenarioOptions.compared();
    ScenarioOptions large = ScenarioOptions.builder()
        .from(small)
        .clusterQueues(8)
        .cohorts(6)
        .flavors(4)
        .steps(80)
        .build();
    return Arbitraries.frequencyOf(
        Tuple.of(4, Scenarios.of(small)), Tuple.of(1, Scenarios.of(large)));
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void theEngineDecidesAsTheReferenceModelDoes(@ForAll("compared") Scenario scenario) {
    HarnessAssert.of(AdmissionEngineUnderTest::asserting)
        .against(ReferenceEngine::new)
        .invariants(ImmutableSet.of())
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
