package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static io.kueue4j.core.simulation.Jobs.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final ImmutableList<SimulationJob> THREE_JOBS = ImmutableList.of(
      job("a", "q", 2, 0, 100).user("ada").build(),
      job("b", "q", 2, 10, 50).user("bob").build(),
      job("c", "q", 2, 20, 50).user("ada").build());

  private static Map<String, Duration> waits(SimulationResult result) {
    return result.jobs().stream()
        .collect(Collectors.toMap(each -> each.job().id().name(), JobResult::waited));
  }

  private static JobResult result(SimulationResult result, String job) {
    return result.job(id(job)).orElseThrow();
  }

  @Test
  void jobsRunOneAfterAnotherWhenTheQuotaIsForOne() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 2))
        .trace(THREE_JOBS)
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(waits(result))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", Duration.ZERO, "b", Duration.ofSeconds(90), "c", Duration.ofSeconds(130)));
    assertThat(result(result, "c").ended()).contains(at(200));
    assertThat(result(result, "c").slowdown()).isEqualTo(180 / 50.0);
    assertThat(result(result, "b").clusterQueue()).contains("q");
    assertThat(result(result, "b").flavor()).contains("default");
    assertThat(result.endTime()).isEqualTo(at(200));
    assertThat(result.admissions()).isEqualTo(3);
  }

  @Test
  void aLargerQuotaChangesTheWaits() {
    Simulation simulation =
        Simulation.builder().configuration(queue("q", 2)).trace(THREE_JOBS).build();
    ClusterQueue larger = Jobs.clusterQueue("q", 4).build();

    assertThat(waits(simulation.with(larger).run()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", Duration.ZERO, "b", Duration.ZERO, "c", Duration.ofSeconds(40)));
    assertThat(waits(simulation.run())).containsEntry("b", Duration.ofSeconds(90));
  }

  /** A job without duration has no slowdown, one that is short counts as one of ten seconds. */
  @Test
  void aSummaryCountsWhatHasStartedAndFinished() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 1))
        .trace(ImmutableList.of(
            job("1-empty", "q", 1, 0, 0).build(),
            job("2-short", "q", 1, 0, 4).build(),
            job("3-long", "q", 1, 0, 20).build(),
            job("4-large", "q", 2, 0, 10).build()))
        .build()
        .run();

    assertThat(result.total())
        .returns(4, JobSummary::jobs)
        .returns(3, JobSummary::started)
        .returns(Duration.ofMillis(1_333), JobSummary::meanWait)
        .returns((1 + 1.2) / 2, JobSummary::meanSlowdown)
        .returns((1 + 1 + 1.2) / 3, JobSummary::meanBoundedSlowdown);
    assertThat(result(result, "1-empty").slowdown()).isEqualTo(1);
  }

  @Test
  void percentilesAreWaitsOfJobs() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 1))
        .trace(IntStream.range(0, 100)
            .mapToObj(i -> job("j-" + i, "q", 1, 0, 1).build())
            .collect(ImmutableList.toImmutableList()))
        .build()
        .run();

    assertThat(result.total())
        .returns(Duration.ofSeconds(49), JobSummary::p50Wait)
        .returns(Duration.ofSeconds(89), JobSummary::p90Wait)
        .returns(Duration.ofSeconds(94), JobSummary::p95Wait)
        .returns(Duration.ofSeconds(98), JobSummary::p99Wait)
        .returns(Duration.ofSeconds(99), JobSummary::maxWait);
  }

  @Test
  void summariesGroupTheJobs() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 2))
        .trace(THREE_JOBS)
        .build()
        .run();

    assertThat(result.by(JobResult::user).keySet()).containsExactly("ada", "bob");
    assertThat(result.by(JobResult::user).get("ada"))
        .returns(2, JobSummary::jobs)
        .returns(Duration.ofSeconds(65), JobSummary::meanWait)
        .returns(Duration.ZERO, JobSummary::p50Wait)
        .returns(Duration.ofSeconds(130), JobSummary::maxWait)
        .returns((1 + 3.6) / 2, JobSummary::meanSlowdown);
    assertThat(result.by(JobResult::clusterQueue)).containsEntry("q", result.total());
    assertThat(result.by(job -> Optional.of(job.job().workload().namespace())))
        .containsOnlyKeys("ns");
  }

  @Test
  void resultsOfEqualSimulationsAreEqual() {
    Simulation simulation =
        Simulation.builder().configuration(queue("q", 2)).trace(THREE_JOBS).build();
    SimulationResult result = simulation.run();
    assertThat(simulation.run().jobs()).isEqualTo(result.jobs());
    assertThat(result.jobs().get(0))
        .isNotEqualTo(result.jobs().get(1))
        .hasToString(result.jobs().get(0).toString());
    assertThat(result.jobs().get(0).toString()).contains("outcome=FINISHED", "starts=1");
    assertThat(simulation.run().total()).isEqualTo(result.total());
    assertThat(result.total().toString()).contains("jobs=3", "p50Wait=");
    SimulationResult nothing = Simulation.builder()
        .configuration(queue("q", 2))
        .trace(ImmutableList.of())
        .build()
        .run();
    assertThat(nothing.total()).isEqualTo(JobSummary.none());
  }

  @Test
  void usageAndQueueLengthAreRecordedOverTime() {
    SimulationResult result = Simulation.builder()
        .configuration(queue("q", 4))
        .trace(THREE_JOBS)
        .build()
        .run();

    QuotaSeries series = result.quotas().get(0);
    assertThat(series.nominal().at(at(0).toEpochMilli())).isEqualTo(4000);
    assertThat(steps(series.used())).isEqualTo("0:2000 10:4000 100:2000 110:0");
    assertThat(steps(Jobs.valueOf("q", result.queueLengths()))).isEqualTo("20:1 60:0");
  }

  private static String steps(StepFunction function) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < function.size(); i++) {
      text.append(i == 0 ? "" : " ")
          .append((function.timeMillis(i) - Jobs.START.toEpochMilli()) / 1000)
          .append(':')
          .append(function.value(i));
    }
    return text.toString();
  }

  private static Simulation preempting(@Nullable Checkpoints checkpoints, SimulationJob... others) {
    Workload urgent = Jobs.workload("urgent", "q", 2).priority(10).build();
    SimulationJob.Builder low = job("low", "q", 2, 0, 100);
    if (checkpoints != null) {
      low.checkpoints(checkpoints);
    }
    return Simulation.builder()
        .configuration(ImmutableList.of(
            Jobs.queue("q", 2).get(0),
            Jobs.clusterQueue("q", 2)
                .preemption(Preemption.builder()
                    .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                    .build())
                .build(),
            Jobs.localQueue("q")))
        .trace(ImmutableList.<SimulationJob>builder()
            .add(low.build(), SimulationJob.of(urgent, at(70), Duration.ofSeconds(10)))
            .add(others)
            .build())
        .build();
  }

  @Test
  void aPreemptedJobStartsFromTheBeginning() {
    SimulationResult result = preempting(null).run();

    assertThat(result(result, "urgent").waited()).isZero();
    assertThat(result(result, "low"))
        .returns(1, JobResult::preemptions)
        .returns(2, JobResult::starts)
        .returns(Duration.ofSeconds(70), JobResult::lostWork)
        .returns(Optional.of(at(180)), JobResult::ended);
  }

  @Test
  void aCheckpointSavesProgress() {
    SimulationResult result = preempting(
            new Checkpoints(Duration.ofSeconds(30), Duration.ofSeconds(5)))
        .run();

    // 60 s of 70 s are saved; from 80 s on it restarts for 5 s and runs the remaining 40 s.
    assertThat(result(result, "low"))
        .returns(Duration.ofSeconds(15), JobResult::lostWork)
        .returns(Optional.of(at(125)), JobResult::ended);
  }

  /** The second interruption comes after a restart, which is no progress. */
  @Test
  void aRestartIsNoProgressAtTheNextPreemption() {
    Workload again = Jobs.workload("again", "q", 2).priority(10).build();
    SimulationResult result = preempting(
            new Checkpoints(Duration.ofSeconds(30), Duration.ofSeconds(5)),
            SimulationJob.of(again, at(113), Duration.ofSeconds(10)))
        .run();

    // 60 s are saved at 70 s. From 85 s to 113 s it makes 28 s of progress, too few to save more.
    // It starts
    // at 123 s, and runs the remaining 40 s from 128 s on.
    assertThat(result(result, "low"))
        .returns(2, JobResult::preemptions)
        .returns(Duration.ofSeconds(10 + 33 + 5), JobResult::lostWork)
        .returns(Optional.of(at(168)), JobResult::ended);
  }
}
