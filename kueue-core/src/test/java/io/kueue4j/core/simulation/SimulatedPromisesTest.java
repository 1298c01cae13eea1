package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.queue;
import static io.kueue4j.core.simulation.Jobs.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulatedPromisesTest {
  /** A large job that must wait for the first one, a short filler, and one that is too long. */
  private static final Simulation SIMULATION = Simulation.builder()
      .configuration(queue("q", 4))
      .trace(ImmutableList.of(
          job("first", 3, 0, 100).build(),
          job("large", 4, 10, 50).build(),
          job("long", 1, 20, 200).build(),
          job("short", 1, 30, 60).build()))
      .build();

  private static SimulationJob.Builder job(String name, int cores, long submit, long seconds) {
    return Jobs.job(name, "q", cores, submit, seconds).estimate(Duration.ofSeconds(seconds));
  }

  /** {@return a job that comes before all others in the queue} */
  private static SimulationJob urgent(int cores, long seconds) {
    return job("urgent", cores, 50, seconds)
        .workload(workload("urgent", "q", cores).priority(10).build())
        .build();
  }

  private static Settings backfill(int depth) {
    return Settings.builder().backfill(Backfill.ofDepth(depth)).build();
  }

  private static SimulationResult runWith(SimulationJob urgent) {
    return Simulation.builder()
        .configuration(queue("q", 4))
        .settings(backfill(1))
        .trace(ImmutableList.of(
            job("first", 3, 0, 100).build(), job("large", 4, 10, 50).build(), urgent))
        .build()
        .run();
  }

  private static JobResult result(SimulationResult result, String job) {
    return result.job(id(job)).orElseThrow();
  }

  @Test
  void fillersDoNotDelayThePromisedStart() {
    SimulationResult result = SIMULATION.with(backfill(1)).run();

    assertThat(result(result, "short").started()).contains(at(30));
    JobResult large = result(result, "large");
    assertThat(large.promisedStart()).contains(at(100));
    assertThat(large.started()).contains(at(100));
    assertThat(large.promiseDelay()).contains(Duration.ZERO);
    assertThat(result(result, "short").promisedStart()).isEmpty();
    assertThat(result(result, "short").promiseDelay()).isEmpty();
    // Once the large job runs, the long one is the first that waits.
    assertThat(result(result, "long").promisedStart()).contains(at(150));
    assertThat(result.total().promises())
        .isEqualTo(new PromiseCounts(2, 2, 0, 0, 0, Duration.ZERO));
  }

  @Test
  void withoutBackfillNothingIsPromised() {
    SimulationResult result = SIMULATION.run();

    assertThat(result(result, "large").started()).contains(at(220));
    assertThat(result(result, "large").promisedStart()).isEmpty();
    assertThat(result.total().promises()).isEqualTo(PromiseCounts.NONE);
  }

  @Test
  void aPromiseThatMovesIsCountedWithItsDelay() {
    SimulationResult result = runWith(urgent(1, 100));

    JobResult large = result(result, "large");
    assertThat(large.promisedStart()).contains(at(100));
    assertThat(large.started()).contains(at(150));
    assertThat(large.promiseMoves()).isEqualTo(1);
    assertThat(large.promiseWithdrawals()).isZero();
    assertThat(result.total().promises())
        .isEqualTo(new PromiseCounts(1, 0, 1, 1, 0, Duration.ofSeconds(50)));
  }

  @Test
  void aPromiseIsWithdrawnIfOthersComeBefore() {
    SimulationResult result = runWith(urgent(4, 30));

    JobResult large = result(result, "large");
    assertThat(large.promisedStart()).contains(at(100));
    assertThat(large.started()).contains(at(130));
    assertThat(large.promiseMoves()).isZero();
    assertThat(large.promiseWithdrawals()).isEqualTo(1);
    assertThat(large.promiseDelay()).contains(Duration.ofSeconds(30));
    assertThat(result.total().promises())
        .isEqualTo(new PromiseCounts(2, 1, 1, 0, 1, Duration.ofSeconds(30)));
  }

  @Test
  void jobsThatDoNotStartAreNeitherKeptNorLate() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 4))
        .settings(backfill(1))
        .trace(ImmutableList.of(
            job("first", 3, 0, 100).build(),
            job("large", 4, 10, 50).cancelAfter(Duration.ofSeconds(20)).build()))
        .build()
        .run();

    assertThat(result(result, "large").promisedStart()).contains(at(100));
    assertThat(result.total().promises())
        .isEqualTo(new PromiseCounts(1, 0, 0, 0, 0, Duration.ZERO));
  }

  @Test
  void promisesAloneMakeNoDifference() {
    Simulation early = Simulation.builder()
        .configuration(queue("q", 4))
        .trace(ImmutableList.of(
            job("first", 3, 0, 100).build(), job("large", 4, 10, 50).build()))
        .build();
    Comparison comparison = Comparison.of(early.run(), early.with(backfill(1)).run());

    assertThat(comparison.other().total().promises().made()).isEqualTo(1);
    assertThat(comparison.changedJobs()).isEmpty();
  }

  @Test
  void anEstimateOf0IsNone() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 4))
        .settings(backfill(1))
        .trace(ImmutableList.of(
            job("first", 4, 0, 50).estimate(Duration.ZERO).build(),
            job("second", 4, 0, 0).build()))
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result(result, "first").ended()).contains(at(50));
    assertThat(result(result, "second").ended()).contains(at(50));
    assertThat(result(result, "second").promisedStart()).isEmpty();
  }

  @Test
  void slowdownIsOfTheTimeUntilTheEstimateAtTheLatest() {
    Simulation simulation = Simulation.builder()
        .configuration(queue("q", 4))
        .trace(ImmutableList.of(
            job("first", 4, 0, 500).estimate(Duration.ofSeconds(100)).build(),
            job("second", 4, 0, 100).build()))
        .build();

    JobResult first = result(simulation.with(backfill(1)).run(), "first");
    assertThat(first.ended()).contains(at(100));
    assertThat(first.slowdown()).isEqualTo(1);
    assertThat(first.boundedSlowdown()).isEqualTo(1);
    assertThat(result(simulation.run(), "first").ended()).contains(at(500));
  }
}
