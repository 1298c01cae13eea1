package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulations that start from the state of an engine. */
class ContinuedSimulationTest {
  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(() -> at(0)).build();

  ContinuedSimulationTest() {
    engine.apply(Jobs.queue("q", 2));
  }

  private Simulation.Builder from(Instant start, SimulationJob... jobs) {
    return Simulation.builder().from(engine.view(), start).trace(ImmutableList.copyOf(jobs));
  }

  private void run(SimulationJob job) {
    engine.submit(job.workload());
    engine.runUntilStable(10);
  }

  private static JobResult result(SimulationResult result, String job) {
    return result.job(id(job)).orElseThrow();
  }

  @Test
  void whatWasToBeSubmittedBeforeIsSubmittedAtTheStart() {
    SimulationResult result =
        from(at(30), job("a", "q", 2, 5, 10).build()).build().run();

    assertThat(result(result, "a"))
        .returns(Optional.of(at(30)), JobResult::submitted)
        .returns(Duration.ZERO, JobResult::waited);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 30})
  void whatStopsAtTheStartHoldsItsQuotaUntilItHasStopped(long seconds) {
    SimulationJob stops = job("stops", "q", 2, 0, 100).build();
    run(stops);
    engine.lifecycle().evict(id("stops"), EvictionReason.NODE_FAILURES, "test");

    SimulationResult result = from(at(10), stops)
        .behavior(new ClusterBehavior() {
          @Override
          public Duration terminationDelay(SimulationJob job) {
            return Duration.ofSeconds(seconds);
          }
        })
        .build()
        .run();

    assertThat(result(result, "stops").started()).contains(at(10 + seconds));
  }

  @Test
  void whatIsMissingOfAnEarlierReservationIsAskedOnce() {
    engine.apply(
        AdmissionCheck.of("budget", "test"),
        AdmissionCheck.of("known", "test"),
        Jobs.clusterQueue("q", 2)
            .addAllAdmissionChecks(ImmutableList.of(
                new AdmissionCheckRule("budget", ImmutableList.of()),
                new AdmissionCheckRule("known", ImmutableList.of())))
            .build());
    SimulationJob waits = job("waits", "q", 2, 0, 100).build();
    run(waits);
    engine.lifecycle().setCheck(id("waits"), AdmissionCheckState.of("known", CheckState.READY));
    List<String> asked = new ArrayList<>();

    SimulationResult result = from(at(10), waits)
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<CheckAnswer> checkAnswer(
              SimulationJob job, String check, int reservation) {
            asked.add(check + " " + reservation);
            return Optional.of(new CheckAnswer(Duration.ofSeconds(5), CheckState.READY));
          }
        })
        .build()
        .run();

    assertThat(asked).containsExactly("budget 1");
    assertThat(result(result, "waits").started()).contains(at(15));
  }
}
