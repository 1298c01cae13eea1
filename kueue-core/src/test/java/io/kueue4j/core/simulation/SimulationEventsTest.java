package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.Simulation.Observer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What happens beside submissions and ends. */
class SimulationEventsTest {
  private static Simulation.Builder builder(SimulationJob... jobs) {
    return Simulation.builder().configuration(Jobs.queue("q", 2)).trace(ImmutableList.copyOf(jobs));
  }

  private static JobResult result(SimulationResult result, String job) {
    return result.job(id(job)).orElseThrow();
  }

  @Test
  void aJobFollowsOthersAfterItsThinkTime() {
    SimulationResult result = builder(
            job("late", "q", 1, 0, 1)
                .addAfter(id("a"), id("b"))
                .thinkTime(Duration.ofSeconds(7))
                .build(),
            job("planned", "q", 1, 200, 1).addAfter(id("a")).build(),
            job("a", "q", 1, 0, 100).build(),
            job("b", "q", 1, 0, 30).build())
        .build()
        .run();

    assertThat(result(result, "late").submitted()).contains(at(107));
    assertThat(result(result, "late").waited()).isZero();
    assertThat(result(result, "planned").submitted()).contains(at(200));
  }

  @Test
  void aCancelledJobFreesItsQuotaAndAWaitingOneItsPlace() {
    SimulationResult result = builder(
            job("runs", "q", 2, 0, 100).build(),
            job("waits", "q", 2, 0, 100).build(),
            job("next", "q", 2, 1, 10).build(),
            job("follows", "q", 2, 0, 10).addAfter(id("waits")).build(),
            job("never", "q", 2, 0, 10).addAfter(id("next")).build())
        .events(
            new SimulationEvent.Cancel(at(30), id("runs")),
            new SimulationEvent.Delete(at(20), id("waits")),
            new SimulationEvent.Cancel(at(5), id("never")),
            new SimulationEvent.Cancel(at(90), id("runs")))
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result(result, "runs"))
        .returns(Outcome.CANCELLED, JobResult::outcome)
        .returns(Optional.of(at(30)), JobResult::ended);
    assertThat(result(result, "waits"))
        .returns(Outcome.DELETED, JobResult::outcome)
        .returns(Duration.ofSeconds(20), JobResult::waited)
        .returns(0, JobResult::starts);
    assertThat(result(result, "next").started()).contains(at(30));
    assertThat(result(result, "follows").submitted()).contains(at(20));
    assertThat(result(result, "never"))
        .returns(Outcome.CANCELLED, JobResult::outcome)
        .returns(Optional.<Instant>empty(), JobResult::submitted);
    assertThat(Jobs.valueOf("q", result.queueLengths()).at(at(25).toEpochMilli()))
        .isEqualTo(2);
    assertThat(Jobs.valueOf("q", result.queueLengths()).at(at(1000).toEpochMilli()))
        .isZero();
    assertThat(result.quotas().get(0).used().at(at(1000).toEpochMilli())).isZero();
  }

  @Test
  void aJobIsCancelledSomeTimeAfterItsSubmission() {
    Duration minute = Duration.ofSeconds(60);
    SimulationResult result = builder(
            job("first", "q", 2, 0, 100).cancelAfter(Duration.ofSeconds(101)).build(),
            job("waits", "q", 2, 10, 100).cancelAfter(minute).build(),
            job("runs", "q", 2, 20, 500).cancelAfter(minute.multipliedBy(2)).build(),
            job("follows", "q", 1, 0, 500)
                .addAfter(id("runs"))
                .cancelAfter(minute)
                .build())
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(result(result, "first").outcome()).isEqualTo(Outcome.FINISHED);
    assertThat(result(result, "waits"))
        .returns(Outcome.CANCELLED, JobResult::outcome)
        .returns(minute, JobResult::waited)
        .returns(0, JobResult::starts);
    assertThat(result(result, "runs"))
        .returns(Outcome.CANCELLED, JobResult::outcome)
        .returns(Optional.of(at(100)), JobResult::started)
        .returns(Optional.of(at(140)), JobResult::ended);
    assertThat(result(result, "follows"))
        .returns(Optional.of(at(140)), JobResult::submitted)
        .returns(Optional.of(at(200)), JobResult::ended);
  }

  @Test
  void aJobThatContinuesIsCancelledAfterItsSubmission() {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(InstantSource.fixed(at(0))).build();
    engine.apply(Jobs.queue("q", 2));
    SimulationJob runs =
        job("runs", "q", 2, 0, 500).cancelAfter(Duration.ofSeconds(60)).build();
    SimulationJob waits =
        job("waits", "q", 2, 0, 500).cancelAfter(Duration.ofSeconds(5)).build();
    assertThat(engine.submit(runs.workload()).result()).isNotNull();
    assertThat(engine.runUntilStable(10)).isNotNull();
    assertThat(engine.submit(waits.workload()).result()).isNotNull();

    SimulationResult result = Simulation.builder()
        .from(engine.view(), at(30))
        .trace(ImmutableList.of(runs, waits))
        .build()
        .run();

    assertThat(result(result, "runs").ended()).contains(at(60));
    assertThat(result(result, "waits").ended()).contains(at(30));
  }

  @Test
  void aQuotaThatGrowsLetsAJobStart() {
    SimulationResult result = builder(
            job("a", "q", 2, 0, 100).build(), job("b", "q", 2, 0, 100).build())
        .events(SimulationEvent.apply(at(40), Jobs.clusterQueue("q", 4).build()))
        .build()
        .run();

    assertThat(result(result, "b").started()).contains(at(40));
    assertThat(result.quotas().get(0).nominal().at(at(41).toEpochMilli())).isEqualTo(4000);
  }

  @Test
  void aQuotaThatIsRemovedIsNoQuotaAnyMore() {
    SimulationResult result = builder(job("a", "q", 2, 0, 100).build())
        .configuration(ImmutableList.<ConfigObject>builder()
            .addAll(Jobs.queue("q", 2))
            .add(Jobs.clusterQueue("other", 2).build())
            .build())
        .events(new SimulationEvent.Remove(
            at(40), ImmutableList.of(Jobs.clusterQueue("other", 2).build())))
        .build()
        .run();

    assertThat(result.quotas().get(0).clusterQueue()).isEqualTo("other");
    assertThat(result.quotas().get(0).nominal().at(at(39).toEpochMilli())).isEqualTo(2000);
    assertThat(result.quotas().get(0).nominal().at(at(41).toEpochMilli())).isZero();
  }

  private static Simulation.Builder preempting() {
    return builder(
            job("low", "q", 2, 0, 100).build(),
            SimulationJob.of(
                Jobs.workload("high", "q", 2).priority(1).build(), at(10), Duration.ofSeconds(10)))
        .configuration(ImmutableList.<ConfigObject>builder()
            .addAll(Jobs.queue("q", 2).subList(0, 1))
            .add(
                Jobs.clusterQueue("q", 2)
                    .preemption(Preemption.builder()
                        .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                        .build())
                    .build(),
                Jobs.localQueue("q"))
            .build());
  }

  @Test
  void aPreemptedJobHoldsItsQuotaUntilItsPodsHaveStopped() {
    SimulationResult result = preempting()
        .behavior(new ClusterBehavior() {
          @Override
          public Duration terminationDelay(SimulationJob job) {
            return Duration.ofSeconds(30);
          }
        })
        .build()
        .run();

    assertThat(result(result, "high").started()).contains(at(40));
    assertThat(result(result, "low"))
        .returns(Duration.ofSeconds(10), JobResult::lostWork)
        .returns(Optional.of(at(150)), JobResult::ended);
    assertThat(result.quotas().get(0).used().at(at(20).toEpochMilli())).isEqualTo(2000);
    assertThat(result.quotas().get(0).used().max()).isEqualTo(2000);
  }

  @Test
  void admissionChecksAnswerAfterATime() {
    List<String> asked = new ArrayList<>();
    SimulationResult result = builder(job("a", "q", 2, 0, 100).build())
        .configuration(
            Jobs.queue("q", 2).get(0),
            AdmissionCheck.of("budget", "test"),
            Jobs.clusterQueue("q", 2)
                .addAllAdmissionChecks(
                    ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
                .build(),
            Jobs.localQueue("q"))
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<CheckAnswer> checkAnswer(
              SimulationJob job, String check, int reservation) {
            asked.add(job.id().name() + " " + check + " " + reservation);
            return Optional.of(new CheckAnswer(
                Duration.ofSeconds(25), reservation == 1 ? CheckState.RETRY : CheckState.READY));
          }
        })
        .build()
        .run();

    assertThat(asked).containsExactly("a budget 1", "a budget 2");
    assertThat(result(result, "a"))
        .returns(Optional.of(at(50)), JobResult::started)
        .returns(1, JobResult::evictions)
        .returns(1, JobResult::starts);
  }

  /** The check of a workload that is no job of the trace is never answered. */
  @Test
  void whatAnotherWorkloadHoldsCountsOnce() {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(InstantSource.fixed(at(0))).build();
    engine.apply(Jobs.queue("q", 4));
    engine.apply(
        AdmissionCheck.of("budget", "test"),
        Jobs.clusterQueue("q", 4)
            .addAllAdmissionChecks(
                ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
            .build());
    engine.submit(Jobs.workload("other", "q", 1).build());

    SimulationResult result = Simulation.builder()
        .from(engine.view(), at(0))
        .trace(ImmutableList.of(job("a", "q", 1, 0, 100).build()))
        .events(SimulationEvent.apply(at(10), Jobs.clusterQueue("q", 4).build()))
        .build()
        .run();

    assertThat(result.quotas().get(0).used().at(at(9).toEpochMilli())).isEqualTo(2000);
    assertThat(result.quotas().get(0).used().at(at(20).toEpochMilli())).isEqualTo(2000);
    assertThat(result.quotas().get(0).used().at(at(200).toEpochMilli())).isEqualTo(1000);
  }

  @Test
  void aCheckOfAnEarlierReservationGetsNoAnswer() {
    SimulationJob low = job("low", "q", 2, 0, 100).build();
    SimulationJob high = SimulationJob.of(
        Jobs.workload("high", "q", 2).priority(1).build(), at(10), Duration.ofSeconds(10));
    SimulationResult result = builder(low, high)
        .configuration(
            Jobs.queue("q", 2).get(0),
            AdmissionCheck.of("budget", "test"),
            Jobs.clusterQueue("q", 2)
                .preemption(Preemption.builder()
                    .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                    .build())
                .addAllAdmissionChecks(
                    ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
                .build(),
            Jobs.localQueue("q"))
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<CheckAnswer> checkAnswer(
              SimulationJob job, String check, int reservation) {
            boolean isFirst = job.id().equals(low.id()) && reservation == 1;
            return Optional.of(
                new CheckAnswer(Duration.ofSeconds(isFirst ? 25 : 5), CheckState.READY));
          }
        })
        .build()
        .run();

    assertThat(result(result, "high"))
        .returns(Optional.of(at(15)), JobResult::started)
        .returns(Optional.of(at(25)), JobResult::ended);
    assertThat(result(result, "low").started()).contains(at(30));
  }

  @Test
  void aJobWaitsWithItsQuotaForACheckThatItsQueueGets() {
    SimulationResult result = builder(job("a", "q", 2, 0, 100).build())
        .events(SimulationEvent.apply(
            at(40),
            AdmissionCheck.of("budget", "test"),
            Jobs.clusterQueue("q", 2)
                .admissionChecks(
                    ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
                .build()))
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<CheckAnswer> checkAnswer(
              SimulationJob job, String check, int reservation) {
            return Optional.of(new CheckAnswer(Duration.ofSeconds(5), CheckState.READY));
          }
        })
        .build()
        .run();

    assertThat(result(result, "a"))
        .returns(2, JobResult::starts)
        .returns(1, JobResult::evictions)
        .returns(Duration.ofSeconds(40), JobResult::lostWork)
        .returns(Optional.of(at(145)), JobResult::ended);
    assertThat(result.quotas().get(0).used().at(at(42).toEpochMilli())).isEqualTo(2000);
    assertThat(Jobs.valueOf("q", result.queueLengths()).max()).isZero();
  }

  @Test
  void aJobWhosePodsAreNeverReadyIsDeactivatedAtTheLimit() {
    Settings settings = Settings.builder()
        .podsReady(PodsReadyPolicy.builder()
            .timeout(Duration.ofMinutes(5))
            .backoffBase(Duration.ofMinutes(1))
            .backoffLimitCount(1)
            .build())
        .build();
    SimulationResult result = builder(
            job("broken", "q", 2, 0, 10_000).build(),
            job("good", "q", 2, 1, 100).build())
        .settings(settings)
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<Duration> podsReadyDelay(SimulationJob job, int start) {
            return job.id().name().equals("good")
                ? Optional.of(Duration.ofSeconds(20))
                : Optional.empty();
          }
        })
        .build()
        .run();

    assertThat(result(result, "good").started()).contains(at(300));
    assertThat(result(result, "broken"))
        .returns(Outcome.DEACTIVATED, JobResult::outcome)
        .returns(2, JobResult::starts)
        // It starts again after a minute of backoff and the good job, and has 5 minutes more.
        .returns(Optional.of(at(700)), JobResult::ended);
    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
  }

  @Test
  void aRunThatIsCancelledHasWhatHappenedSoFar() {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (int i = 0; i < 2000; i++) {
      jobs.add(job("job" + i, "q", 1, i, 1).build());
    }
    List<Observer.Status> seen = new ArrayList<>();
    SimulationResult result = Simulation.builder()
        .configuration(Jobs.queue("q", 2))
        .trace(jobs.build())
        .build()
        .run(status -> {
          seen.add(status);
          return seen.size() < 3;
        });

    assertThat(result.end()).isEqualTo(SimulationResult.End.CANCELLED);
    assertThat(result.total().finished()).isBetween(990, 1010);
    assertThat(result.jobs().get(1999).outcome()).isEqualTo(Outcome.NOT_SUBMITTED);
    assertThat(seen).extracting(Observer.Status::jobs).containsOnly(2000);
    assertThat(seen).extracting(Observer.Status::events).isSorted();
    assertThat(seen.get(2).endedJobs()).isEqualTo(result.total().finished());
  }

  @Test
  void aRunEndsAtItsLatestTime() {
    SimulationResult result =
        builder(job("a", "q", 2, 0, 100).build()).end(at(50)).build().run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.TIME_LIMIT);
    assertThat(result(result, "a").outcome()).isEqualTo(Outcome.RUNNING);
  }

  /** Its pods are never ready, and it has no limit. */
  @Test
  void aJobThatRestartsForEverIsNamed() {
    SimulationResult result = builder(job("broken", "q", 2, 0, 0)
            .duration(Duration.ofMillis(Long.MAX_VALUE - 1))
            .build())
        .settings(Settings.builder()
            .podsReady(PodsReadyPolicy.builder()
                .timeout(Duration.ofSeconds(1))
                .backoffBase(Duration.ofSeconds(1))
                .backoffMax(Duration.ofSeconds(1))
                .build())
            .build())
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<Duration> podsReadyDelay(SimulationJob job, int start) {
            return Optional.empty();
          }
        })
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.STUCK);
    assertThat(result.repeatedStops())
        .extracting(RepeatedStop::message)
        .containsExactly("ns/broken is evicted (PodsReadyTimeout)");
  }

  @Test
  void aSchedulerThatPollsStopsWhenNothingCanHappen() {
    SimulationResult result = builder(
            job("a", "q", 2, 0, 12).build(), job("large", "q", 3, 1, 5).build())
        .start(at(0))
        .cycleInterval(Duration.ofSeconds(10))
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.STUCK);
    assertThat(result.endTime()).isEqualTo(at(30));
  }

  @Test
  void aSchedulerThatPollsLearnsOfEventsLater() {
    SimulationResult result = builder(
            job("a", "q", 2, 3, 12).build(), job("b", "q", 2, 4, 5).build())
        .start(at(0))
        .cycleInterval(Duration.ofSeconds(10))
        .build()
        .run();

    assertThat(result(result, "a"))
        .returns(Duration.ofSeconds(7), JobResult::waited)
        .returns(Optional.of(at(22)), JobResult::ended);
    assertThat(result(result, "b").started()).contains(at(30));
    assertThat(runs(result)).containsExactly("a 10 22", "b 30 35");
  }

  @Test
  void aJobAdmittedAtTheStartRunsFromThenOn() {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(InstantSource.fixed(at(0))).build();
    engine.apply(Jobs.queue("q", 2));
    SimulationJob runs = job("runs", "q", 2, 0, 15).build();
    engine.submit(runs.workload());
    engine.runUntilStable(10);

    SimulationResult result = Simulation.builder()
        .from(engine.view(), at(0))
        .trace(ImmutableList.of(runs))
        .build()
        .run();

    assertThat(runs(result)).containsExactly("runs 0 15");
  }

  @Test
  void aJobThatFinishesBeforeTheCycleThatStopsItIsFinished() {
    SimulationResult result = builder(job("a", "q", 2, 0, 12).build())
        .events(SimulationEvent.apply(
            at(11),
            AdmissionCheck.of("budget", "test"),
            Jobs.clusterQueue("q", 2)
                .admissionChecks(
                    ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
                .build()))
        .cycleInterval(Duration.ofSeconds(10))
        .build()
        .run();

    assertThat(result(result, "a"))
        .returns(Outcome.FINISHED, JobResult::outcome)
        .returns(1, JobResult::starts)
        .returns(0, JobResult::evictions)
        .returns(Optional.of(at(12)), JobResult::ended);
    assertThat(result.quotas().get(0).used().at(at(20).toEpochMilli())).isZero();
  }

  @Test
  void aJobDeletedBeforeTheCycleThatSeesItStartRunsNoTime() {
    SimulationResult result = builder(job("a", "q", 2, 0, 100).build())
        .configuration(
            Jobs.queue("q", 2).get(0),
            AdmissionCheck.of("budget", "test"),
            Jobs.clusterQueue("q", 2)
                .addAllAdmissionChecks(
                    ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())))
                .build(),
            Jobs.localQueue("q"))
        .events(new SimulationEvent.Delete(at(5), id("a")))
        .behavior(new ClusterBehavior() {
          @Override
          public Optional<CheckAnswer> checkAnswer(
              SimulationJob job, String check, int reservation) {
            return Optional.of(new CheckAnswer(Duration.ofSeconds(1), CheckState.READY));
          }
        })
        .cycleInterval(Duration.ofSeconds(10))
        .build()
        .run();

    assertThat(result(result, "a"))
        .returns(Outcome.DELETED, JobResult::outcome)
        .returns(Optional.of(at(10)), JobResult::started)
        .returns(Optional.of(at(10)), JobResult::ended);
  }

  /** What the engine knew of before, and is none of the jobs, is preempted once and for all. */
  @Test
  void theQuotaOfOtherWorkloadsIsCountedUntilTheyStop() {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(InstantSource.fixed(at(0))).build();
    engine.apply(
        Jobs.queue("q", 2).get(0),
        Jobs.clusterQueue("q", 2)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build())
            .build(),
        Jobs.localQueue("q"));
    engine.submit(Jobs.workload("other", "q", 2).build());
    engine.runUntilStable(10);

    SimulationResult result = Simulation.builder()
        .from(engine.view(), at(0))
        .trace(ImmutableList.of(SimulationJob.of(
            Jobs.workload("high", "q", 2).priority(1).build(), at(10), Duration.ofSeconds(10))))
        .build()
        .run();

    assertThat(result(result, "high").started()).contains(at(10));
    assertThat(result.quotas().get(0).used().max()).isEqualTo(2000);
  }

  @Test
  void everyCycleThatTriesSomethingIsCounted() {
    SimulationResult result = builder(
            job("a", "q", 2, 0, 10).build(),
            job("b", "q", 2, 20, 10).build(),
            job("c", "q", 2, 40, 10).build())
        .build()
        .run();

    assertThat(result.cycles()).isEqualTo(3);
  }

  @Test
  void aSimulationStartsFromTheStateOfAnEngine() {
    Instant[] now = {at(0)};
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> now[0]).build();
    engine.apply(Jobs.queue("q", 2));
    SimulationJob running = job("runs", "q", 1, 0, 100).build();
    SimulationJob overdue = job("overdue", "q", 1, 0, 20).build();
    SimulationJob waits = job("waits", "q", 2, 5, 10).build();
    for (SimulationJob job : List.of(running, overdue, waits)) {
      engine.submit(job.workload());
    }
    engine.runUntilStable(10);
    now[0] = at(60);

    SimulationResult result = Simulation.builder()
        .from(engine.view(), at(60))
        .trace(
            ImmutableList.of(running, overdue, waits, job("new", "q", 1, 65, 10).build()))
        .build()
        .run();

    assertThat(result(result, "runs").ended()).contains(at(100));
    assertThat(result(result, "overdue").ended()).contains(at(60));
    assertThat(result(result, "waits"))
        .returns(Optional.of(at(100)), JobResult::started)
        .returns(Duration.ofSeconds(95), JobResult::waited);
    assertThat(result(result, "new").started()).contains(at(65));
    assertThat(result.quotas().get(0).used().at(at(60).toEpochMilli())).isEqualTo(1000);
    assertThat(engine.admission(id("runs"))).isPresent();
    assertThat(runs(result))
        .containsExactly("overdue 0 60", "new 65 75", "runs 0 100", "waits 100 110");
  }

  private static List<String> runs(SimulationResult result) {
    List<String> runs = new ArrayList<>();
    result.forEachRun((job, start, end) -> runs.add(
        result.jobs().get(job).job().id().name() + " " + seconds(start) + " " + seconds(end)));
    return runs;
  }

  private static long seconds(long millis) {
    return Duration.between(at(0), Instant.ofEpochMilli(millis)).toSeconds();
  }
}
