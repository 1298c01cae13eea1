package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What cannot be simulated is rejected with what was given and what to do. */
class SimulationErrorsTest {
  private static Simulation.Builder builder(SimulationJob... jobs) {
    return Simulation.builder().configuration(Jobs.queue("q", 4)).trace(ImmutableList.copyOf(jobs));
  }

  @Test
  void anUnknownQueue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(job("a", "nowhere", 1, 0, 1).build()).build())
        .withMessage("job ns/a names the LocalQueue ns/nowhere, which does not exist; add it to the"
            + " configuration");
  }

  @Test
  void aQueueThatAnEventCreatesIsKnown() {
    Simulation simulation = builder(job("a", "later", 1, 0, 1).build())
        .events(SimulationEvent.apply(
            at(50), Jobs.clusterQueue("later", 1).build(), Jobs.localQueue("later")))
        .build();

    assertThat(simulation.run().job(id("a")).orElseThrow().waited())
        .isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void negativeDurations() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> job("a", "q", 1, 0, -1).build())
        .withMessage("duration of job ns/a is PT-1S; expected 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> job("a", "q", 1, 0, 1).thinkTime(Duration.ofNanos(-1)).build())
        .withMessageContaining("thinkTime of job ns/a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> job("a", "q", 1, 0, 1).estimate(Duration.ofDays(-1)).build())
        .withMessageContaining("estimate of job ns/a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Checkpoints.every(Duration.ZERO))
        .withMessage("the interval of checkpoints is PT0S; expected at least 1 ms");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Checkpoints(Duration.ofHours(1), Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Simulation.builder().cycleInterval(Duration.ZERO));
  }

  @Test
  void usageThatIsSampledMoreThanOnceASecond() {
    AdmissionFairSharing sharing = new AdmissionFairSharing(
        Duration.ofHours(1), Duration.ofMillis(999), ImmutableSortedMap.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(job("a", "q", 1, 0, 1).build())
            .settings(Settings.builder().admissionFairSharing(sharing).build())
            .build())
        .withMessageStartingWith("usageSamplingInterval is PT0.999S; expected at least PT1S");
  }

  @Test
  void duplicates() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder(job("a", "q", 1, 0, 1).build(), job("a", "q", 2, 5, 1).build())
                .build())
        .withMessage("job ns/a is in the trace twice, at positions 0 and 1; expected each id once");
  }

  @Test
  void dependencies() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder(job("a", "q", 1, 0, 1).addAfter(id("x")).build()).build())
        .withMessageContaining("job ns/a is to start after ns/x, which is not in the trace");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(
                job("a", "q", 1, 0, 1).addAfter(id("c")).build(),
                job("b", "q", 1, 0, 1).build(),
                job("c", "q", 1, 0, 1).addAfter(id("b"), id("a")).build())
            .build())
        .withMessageContaining("2 jobs follow each other in a circle")
        .withMessageContaining("[ns/a, ns/c]");
  }

  @Test
  void timesThatMillisecondsCannotCount() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(
                SimulationJob.of(Jobs.workload("a", "q", 1).build(), Instant.MAX, Duration.ZERO))
            .build())
        .withMessageContaining("job ns/a has a time of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(SimulationJob.of(
                Jobs.workload("a", "q", 1).build(), at(0), Duration.ofSeconds(Long.MAX_VALUE)))
            .build())
        .withMessageContaining("expected one whose milliseconds fit into 64 bits");
  }

  @Test
  void anEndThatTimeCannotReachIsNever() {
    SimulationResult result = builder(
            SimulationJob.of(
                Jobs.workload("a", "q", 3).build(), at(0), Duration.ofMillis(Long.MAX_VALUE - 1)),
            job("b", "q", 3, 5, 1).build(),
            job("c", "q", 1, 5, 1).build())
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.STUCK);
    assertThat(result.jobs())
        .extracting(JobResult::outcome)
        .containsExactly(Outcome.RUNNING, Outcome.WAITING, Outcome.FINISHED);
  }

  @Test
  void invalidConfigurations() {
    ClusterQueue invalid = ClusterQueue.builder().name("Not A Name").build();

    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> Simulation.builder().configuration(invalid).build());
    Simulation simulation = builder(job("a", "q", 1, 0, 1).build()).build();
    String digest = simulation.run().digest();
    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> simulation.with(invalid));
    assertThat(simulation.run().digest()).isEqualTo(digest);
  }

  @Test
  void anInvalidWorkloadIsRejectedInItsTurn() {
    Workload invalid = Workload.of("ns", "a", "q");
    SimulationResult result = builder(
            SimulationJob.of(invalid, at(0), Duration.ZERO),
            job("b", "q", 1, 0, 1).addAfter(id("a")).build())
        .build()
        .run();

    assertThat(result.job(id("a")).orElseThrow())
        .returns(Outcome.REJECTED, JobResult::outcome)
        .matches(job -> job.rejection().isPresent());
    assertThat(result.job(id("b")).orElseThrow().outcome()).isEqualTo(Outcome.FINISHED);
  }

  @Test
  void eventsOfUnknownJobsAndBeforeTheStart() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder().events(new SimulationEvent.Cancel(at(0), id("x"))).build())
        .withMessageContaining("job ns/x is to be cancelled");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder().events(new SimulationEvent.Delete(at(0), id("x"))).build())
        .withMessageContaining("job ns/x is to be deleted");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder(job("a", "q", 1, 0, 1).build()).start(at(1)).build())
        .withMessageContaining("after the first submission or event");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().start(at(1)).end(at(0)).build())
        .withMessageContaining("is before the start");
  }

  @Test
  void nothingCanBeSimulated() {
    SimulationResult result = builder().start(at(7)).build().run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result.endTime()).isEqualTo(at(7));
    assertThat(result.total().jobs()).isZero();
    assertThat(Simulation.builder().build().run().startTime()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void settingsOfAnEngineCannotBeChanged() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(Jobs.queue("q", 4));
    Simulation simulation = Simulation.builder().from(engine.view(), at(0)).build();

    assertThatIllegalStateException().isThrownBy(() -> simulation.with(Settings.defaults()));
    Simulation.Builder both = Simulation.builder().from(engine.view(), at(0));
    both.settings(Settings.defaults());
    assertThatIllegalStateException()
        .isThrownBy(both::build)
        .withMessageContaining("expected no settings");
  }

  @Test
  void anAnswerIsNotGivenBeforeItsQuestion() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClusterBehavior.CheckAnswer(Duration.ofMillis(-1), CheckState.READY))
        .withMessageContaining("the delay is PT-0.001S");
  }
}
