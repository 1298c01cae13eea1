package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HarnessRunTest {
  @Test
  void theEngineDecidesAsTheReferenceModelDoes() {
    HarnessResult result = HarnessRun.of(AdmissionEngineUnderTest::create)
        .against(ReferenceEngine::new)
        .invariants(Set.of())
        .steps(5_000)
        .seed(42)
        .run();

    assertThat(result.failure()).isEmpty();
    assertThat(result.steps()).isGreaterThanOrEqualTo(5_000);
    assertThat(result.nextSeed()).isEqualTo(42 + result.scenarios());
  }

  @Test
  void aDivergenceIsShownInFewStepsAndCanBePlayedAgain() {
    HarnessRun run = HarnessRun.of((settings, clock) ->
            new ForwardingEngine(AdmissionEngineUnderTest.create(settings, clock)) {
              @Override
              public boolean submit(Workload workload) {
                return super.submit(Workload.builder()
                    .from(workload)
                    .priority(-workload.priority())
                    .build());
              }
            })
        .against(AdmissionEngineUnderTest::create)
        .invariants(Set.of());

    HarnessFailure failure = run.steps(5_000).run().failure().orElseThrow();

    assertThat(failure.cause()).isEqualTo(HarnessFailure.DIVERGENCE);
    assertThat(failure.scenario().steps().size()).isLessThanOrEqualTo(6);
    assertThat(failure.toString()).contains("reproduce with: " + failure.scenario());
    assertThat(run.play(Scenario.parse(failure.scenario().toString()))).contains(failure);
  }

  @Test
  void anExceptionIsAFailure() {
    HarnessRun run = HarnessRun.of((settings, clock) ->
        new ForwardingEngine(AdmissionEngineUnderTest.create(settings, clock)) {
          @Override
          public CycleDecisions runCycle() {
            throw new UnsupportedOperationException("no cycles here");
          }
        });

    HarnessFailure failure = run.steps(100).run().failure().orElseThrow();

    assertThat(failure.cause()).isEqualTo(HarnessFailure.EXCEPTION);
    assertThat(failure.message()).contains("no cycles here");
    assertThat(failure.scenario().steps().size()).isLessThanOrEqualTo(2);
  }

  @Test
  void aSchedulerNeedsNoCallsOfFeaturesThatAreLeftOut() {
    HarnessRun run = HarnessRun.of((settings, clock) ->
            new ForwardingScheduler(AdmissionEngineUnderTest.create(settings, clock)))
        .against(ReferenceEngine::new)
        .steps(1_000);

    HarnessResult result = run.options(ScenarioOptions.builder()
            .without(
                Feature.ADMISSION_FAIR_SHARING,
                Feature.GATES,
                Feature.RECLAIMABLE_PODS,
                Feature.RESTORE,
                Feature.TOPOLOGY)
            .build())
        .run();

    assertThat(result.failure()).isEmpty();
  }

  @Test
  void aCallThatIsNotImplementedNamesItsFeature() {
    for (Feature feature : List.of(
        Feature.CHECKS,
        Feature.GATES,
        Feature.PODS_READY,
        Feature.RECLAIMABLE_PODS,
        Feature.RESTORE,
        Feature.TOPOLOGY)) {
      HarnessResult result = HarnessRun.of((settings, clock) ->
              new ForwardingScheduler(AdmissionEngineUnderTest.create(settings, clock)))
          .invariants(Set.of())
          .options(ScenarioOptions.builder().features(Set.of(feature)).build())
          .steps(3_000)
          .run();

      assertThat(result.failure().orElseThrow().message())
          .contains("does not implement", "without(Feature." + feature + ")");
    }
  }
}
