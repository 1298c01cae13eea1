package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.clusterQueue;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static io.kueue4j.core.simulation.Jobs.localQueue;
import static io.kueue4j.core.simulation.Jobs.queue;
import static io.kueue4j.core.simulation.Jobs.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.StartEstimate.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StartEstimateTest {
  private static final int SAMPLES = 50;
  private static final long SEED = 7;

  /** {@return an engine to which workloads were submitted one second apart, from the start on} */
  private static AdmissionEngine engine(int cores, Workload... workloads) {
    Instant[] now = {at(0)};
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> now[0]).build();
    engine.apply(queue("q", cores));
    for (Workload workload : workloads) {
      engine.submit(workload);
      engine.runUntilStable(100);
      now[0] = now[0].plusSeconds(1);
    }
    return engine;
  }

  private static ImmutableList<SimulationJob> history(String name, long... seconds) {
    ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
    for (int i = 0; i < seconds.length; i++) {
      history.add(job(name + "-" + i, "q", 1, 0, seconds[i]).build());
    }
    return history.build();
  }

  private static StartEstimate estimate(
      EngineView view, Instant now, WorkloadId workload, Durations durations) {
    return estimate(view, now, workload, durations, SAMPLES, SEED);
  }

  private static StartEstimate estimate(
      EngineView view,
      Instant now,
      WorkloadId workload,
      Durations durations,
      int samples,
      long seed) {
    return StartEstimator.from(view, now)
        .durations(durations)
        .samples(samples, seed)
        .estimate(workload);
  }

  @Test
  void fixedDurationsGiveTheSimulatedStart() {
    Random random = new Random(5);
    for (int round = 0; round < 20; round++) {
      List<SimulationJob> jobs = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        jobs.add(job("j-" + i, "q", 1 + random.nextInt(4), i, 20 + random.nextInt(200))
            .build());
      }
      SimulationResult truth =
          Simulation.builder().configuration(queue("q", 6)).trace(jobs).build().run();
      EngineView view = truth.viewAt(at(40));
      List<WorkloadId> waiting = truth.jobs().stream()
          .filter(each -> each.started().orElseThrow().isAfter(at(40)))
          .map(each -> each.job().id())
          .toList();

      var estimates = StartEstimator.from(view, at(40))
          .durations(Durations.fixed(
              jobs.stream().collect(Collectors.toMap(SimulationJob::id, SimulationJob::duration))))
          .samples(3, round)
          .estimate(waiting);

      assertThat(waiting).isNotEmpty();
      assertThat(estimates.keySet()).containsExactlyElementsOf(waiting);
      estimates.forEach((id, estimate) -> {
        Instant start = truth.job(id).orElseThrow().started().orElseThrow();
        assertThat(estimate.p10()).as("%s", id).contains(start);
        assertThat(estimate.quantile(1)).contains(start);
        assertThat(estimate.neverShare()).isZero();
      });
    }
  }

  @Test
  void namesWhatItWaitsForAndUntilWhen() {
    AdmissionEngine engine = engine(
        2,
        workload("a", "q", 2).build(),
        workload("b", "q", 2).build(),
        workload("c", "q", 2).build());
    Durations durations = Durations.fixed(workload -> Optional.of(Duration.ofSeconds(60)));

    var estimates = StartEstimator.from(engine.view(), at(3))
        .durations(durations)
        .samples(SAMPLES, SEED)
        .estimate(List.of(id("b"), id("c")));

    assertThat(Objects.requireNonNull(estimates.get(id("b"))).blockers())
        .containsExactly(new StartEstimate.Blocker(id("a"), true, 1, at(60), at(60), at(60)));
    assertThat(Objects.requireNonNull(estimates.get(id("c"))).blockers())
        .containsExactly(new StartEstimate.Blocker(id("b"), false, 1, at(120), at(120), at(120)));
    assertThat(Objects.requireNonNull(estimates.get(id("b"))).explanation().remedies())
        .extracting(remedy -> remedy.kind())
        .contains(Remedy.Kind.RAISE_NOMINAL_QUOTA);
  }

  /** What ends first in most samples was submitted last. */
  @Test
  void namesFirstWhatItWaitsForInMostSamples() {
    AdmissionEngine engine = engine(
        2,
        workload("seldom-x", "q", 1).build(),
        workload("often-x", "q", 1).build(),
        workload("next", "q", 1).build());
    List<SimulationJob> past = new ArrayList<>(history("seldom", 500));
    past.addAll(history("often", 100, 110, 120, 130, 140, 150, 160, 170, 180, 9_000));

    StartEstimate estimate =
        estimate(engine.view(), at(3), id("next"), Durations.empirical(past), 200, SEED);

    assertThat(estimate.blockers())
        .extracting(StartEstimate.Blocker::workload)
        .containsExactly(id("often-x"), id("seldom-x"));
  }

  @Test
  void aWorkloadStartsWhenTheOneItWaitsForEnds() {
    AdmissionEngine engine =
        engine(1, workload("train-x", "q", 1).build(), workload("next", "q", 1).build());
    long[] seconds = new long[100];
    Arrays.setAll(seconds, i -> 10L * (i + 1));

    StartEstimate estimate = estimate(
        engine.view(),
        at(2),
        id("next"),
        Durations.empirical(history("train", seconds)),
        200,
        SEED);

    StartEstimate.Blocker blocker = estimate.blockers().get(0);
    assertThat(blocker.share()).isEqualTo(1);
    assertThat(estimate.p10()).contains(blocker.p10());
    assertThat(estimate.p50()).contains(blocker.p50());
    assertThat(estimate.p90()).contains(blocker.p90());
  }

  @Test
  void aWorkloadThatStopsWaitsForAnotherStart() {
    AdmissionEngine engine = engine(1, workload("a", "q", 1).build());
    engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "test");

    assertThat(estimate(engine.view(), at(1), id("a"), Durations.unknown()).state())
        .isEqualTo(State.WAITING);
  }

  @Test
  void howLongItRanIsForgottenWhenAWorkloadStops() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());
    engine.lifecycle().evict(id("train-x1"), EvictionReason.NODE_FAILURES, "test");

    StartEstimate estimate = estimate(
        engine.view(),
        at(5_000),
        id("next"),
        Durations.empirical(history("train", 10, 20, 30, 40, 50)));

    assertThat(estimate.p50().orElseThrow()).isBefore(at(5_060));
  }

  /** Of a thousand jobs of 10, 20 … seconds, those that ran longer than 5000 seconds remain. */
  @Test
  void durationsAreConditionedOnTheTimeAlreadyRun() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());
    long[] seconds = new long[1_000];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = 10L * (i + 1);
    }
    Instant now = at(5_000);

    StartEstimate estimate = estimate(
        engine.view(), now, id("next"), Durations.empirical(history("train", seconds)), 2_000, 3);

    for (int longer = 5; longer <= 45; longer += 10) {
      double expected = longer / 50.0;
      assertThat(estimate.shareBy(at(5_000 + 100L * longer)))
          .as("started after %s more", 100 * longer)
          .isCloseTo(expected, within(0.04));
    }
    assertThat(estimate.shareBy(now)).isZero();
  }

  /** What has run longer than everything known runs as long again with probability one half. */
  @Test
  void withoutLongerJobsTheRemainingTimeIsThatOfTheRunSoFar() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());

    StartEstimate estimate = estimate(
        engine.view(), at(1_000), id("next"), Durations.empirical(history("train", 10)), 2_000, 3);

    for (int times = 2; times <= 10; times += 2) {
      assertThat(estimate.shareBy(at(1_000L * times)))
          .as("ended after %s times as long", times)
          .isCloseTo(1 - 1.0 / times, within(0.03));
    }
  }

  /**
   * Of the jobs from before the history, only the long ones are left: they say nothing about how
   * likely it is that a new job becomes as old.
   */
  @Test
  void jobsFromBeforeTheHistoryAreNoSampleOfAllJobs() {
    Instant[] now = {at(0)};
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> now[0]).build();
    engine.apply(queue("q", 11));
    for (int i = 0; i < 10; i++) {
      engine.submit(workload("service-" + i, "q", 1).build());
    }
    engine.runUntilStable(100);
    now[0] = at(100_000);
    engine.submit(workload("short", "q", 1).build());
    engine.submit(workload("next", "q", 1).build());
    engine.runUntilStable(100);
    ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
    for (int i = 1; i <= 20; i++) {
      history.add(job("old-" + i, "q", 1, 99_000 + i, i).build());
    }

    StartEstimate estimate =
        estimate(engine.view(), now[0], id("next"), Durations.empirical(history.build()));

    assertThat(estimate.p90().orElseThrow()).isBefore(at(100_050));
  }

  /** Equal requests make jobs more alike than an equal user, queue and name. */
  @Test
  void jobsWithTheSameRequestsCountFirst() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());
    ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
    for (int i = 1; i <= 20; i++) {
      history.add(job("train-" + i, "q", 1, i, 100 + i).build());
      history.add(job("train-" + (20 + i), "q", 8, i, 90_000 + i).build());
    }

    StartEstimate estimate =
        estimate(engine.view(), at(3), id("next"), Durations.empirical(history.build()));

    assertThat(estimate.p10().orElseThrow()).isAfter(at(90));
    assertThat(estimate.p90().orElseThrow()).isBefore(at(1_000));
  }

  /** Batches of ten jobs ran ten or a thousand seconds each: what waits does so as a whole. */
  @Test
  void jobsThatWereSubmittedTogetherRunEquallyLong() {
    StartEstimate estimate = behindEightJobs(shortAndLongBatches());

    assertThat(estimate.p10().orElseThrow()).isBefore(at(8 * 15));
    assertThat(estimate.p90().orElseThrow()).isAfter(at(8 * 900));
  }

  @Test
  void finishedJobsOfABatchShowHowLongTheOthersRun() {
    ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
    history.addAll(shortAndLongBatches());
    for (int i = 0; i < 10; i++) {
      history.add(job("train-" + i, "q", 1, 0, 10 + i % 3).build());
    }

    StartEstimate estimate = behindEightJobs(history.build());

    assertThat(estimate.p90().orElseThrow()).isBefore(at(8 * 20));
  }

  private static ImmutableList<SimulationJob> shortAndLongBatches() {
    ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
    for (int batch = 1; batch <= 20; batch++) {
      for (int i = 0; i < 10; i++) {
        int seconds = (batch % 2 == 0 ? 10 : 1_000) + i % 3;
        history.add(
            job("train-" + batch + "-" + i, "q", 1, -3_600L * batch, seconds).build());
      }
    }
    return history.build();
  }

  /** {@return when a workload starts behind eight others of one batch, the first of which runs} */
  private static StartEstimate behindEightJobs(ImmutableList<SimulationJob> history) {
    Workload[] workloads = new Workload[9];
    for (int i = 0; i < 8; i++) {
      workloads[i] = workload("train-x" + i, "q", 1).build();
    }
    workloads[8] = workload("next", "q", 1).build();
    return estimate(engine(1, workloads).view(), at(9), id("next"), Durations.empirical(history));
  }

  /** Nine jobs wait; the third is asked about, and one behind it may count. */
  @Test
  void workloadsFarBehindAreNotSimulated() {
    Workload[] all = new Workload[10];
    for (int i = 0; i < all.length; i++) {
      all[i] = workload("j-" + i, "q", 2).build();
    }
    StartEstimator estimator = StartEstimator.from(engine(2, all).view(), at(10))
        .durations(Durations.fixed(workload -> Optional.of(Duration.ofSeconds(60))))
        .samples(SAMPLES, SEED);

    StartEstimate complete = estimator.estimate(id("j-3"));
    StartEstimate limited = estimator.behind(1).estimate(id("j-3"));
    StartEstimate last = estimator.behind(0).estimate(id("j-9"));

    assertThat(complete.leftOut()).isZero();
    assertThat(limited.leftOut()).isEqualTo(5);
    assertThat(last.leftOut()).isZero();
    assertThat(limited.quantile(1)).isEqualTo(complete.quantile(1)).contains(at(180));
  }

  @Test
  void oneBehindIsKeptInEachOfTwoQueues() {
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> at(0)).build();
    for (String name : List.of("q", "r")) {
      engine.apply(
          ResourceFlavor.of("default"),
          clusterQueue(name, 0).cohort("c").build(),
          localQueue(name));
      for (int i = 0; i < 3; i++) {
        engine.submit(workload(name + "-" + i, name, 1).build());
      }
    }

    StartEstimate estimate = StartEstimator.from(engine.view(), at(0))
        .durations(Durations.fixed(workload -> Optional.of(Duration.ofSeconds(60))))
        .samples(1, SEED)
        .behind(1)
        .estimate(id("q-0"));

    assertThat(estimate.leftOut()).isEqualTo(2);
  }

  /** What takes the room of a large workload is in the first places behind it. */
  @Test
  void workloadsBehindFillGapsUpToTheLimit() {
    AdmissionEngine engine = engine(
        3,
        workload("a", "q", 1).build(),
        workload("b", "q", 2).build(),
        workload("large", "q", 3).build());
    Instant now = at(3);
    for (int i = 0; i < 4; i++) {
      engine.submit(workload("small-" + i, "q", 2).build());
    }
    StartEstimator estimator = StartEstimator.from(engine.view(), now)
        .durations(Durations.fixed(
            workload -> Optional.of(Duration.ofSeconds(workload.name().equals("a") ? 500 : 100))))
        .samples(SAMPLES, SEED);

    assertThat(estimator.estimate(id("large")).p50()).contains(at(501));
    assertThat(estimator.behind(0).estimate(id("large")).p50()).contains(at(500));
  }

  @Test
  void aNegativeNumberOfWorkloadsBehindIsRejected() {
    StartEstimator estimator = StartEstimator.from(engine(1).view(), at(0));

    assertThatThrownBy(() -> estimator.behind(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the number of workloads behind is -1; expected 0 or more");
  }

  @Test
  void cancelledJobsTeachNothingAboutDurations() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());
    ImmutableList<SimulationJob> finished = history("train", 20, 40, 60);
    List<SimulationJob> all = new ArrayList<>(finished);
    for (int i = 0; i < 30; i++) {
      all.add(job("train-cancelled-" + i, "q", 1, 0, 10_000)
          .cancelAfter(Duration.ofSeconds(5))
          .build());
    }
    assertThat(estimate(engine.view(), at(10), id("next"), Durations.empirical(all))
            .p50())
        .isEqualTo(estimate(engine.view(), at(10), id("next"), Durations.empirical(finished))
            .p50())
        .isPresent();
  }

  @Test
  void theMaximumExecutionTimeIsAnUpperBound() {
    AdmissionEngine engine = engine(
        1,
        workload("train-x1", "q", 1)
            .maximumExecutionTime(Duration.ofSeconds(100))
            .build(),
        workload("next", "q", 1).build());

    StartEstimate byHistory = estimate(
        engine.view(), at(2), id("next"), Durations.empirical(history("train", 1_000, 2_000)));
    StartEstimate byLimit = estimate(engine.view(), at(2), id("next"), Durations.unknown());

    assertThat(byHistory.quantile(1)).contains(at(100));
    assertThat(byLimit.p10()).contains(at(100));
  }

  @Test
  void oneSeedGivesOneResult() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());
    Durations durations = Durations.empirical(history("train", 10, 20, 50, 100, 400));

    StartEstimate one = estimate(engine.view(), at(5), id("next"), durations, 100, 1);
    StartEstimate again = estimate(engine.view(), at(5), id("next"), durations, 100, 1);
    StartEstimate other = estimate(engine.view(), at(5), id("next"), durations, 100, 2);

    for (double p = 0.01; p <= 1; p += 0.01) {
      assertThat(one.quantile(p)).isEqualTo(again.quantile(p));
    }
    assertThat(one.toString()).isNotEqualTo(other.toString());
    // The numbers of a seed are the same on every JVM.
    assertThat(one.toString())
        .isEqualTo("StartEstimate [ns/next WAITING, p10 2026-01-01T00:00:17.371Z, p50"
            + " 2026-01-01T00:01:27.464Z, p90 2026-01-01T00:12:35.041Z, never 0.0]");
  }

  @Test
  void aWorkloadThatIsAdmittedHasACertainStart() {
    AdmissionEngine engine = engine(1, workload("a", "q", 1).build());

    StartEstimate estimate = estimate(engine.view(), at(500), id("a"), Durations.unknown());

    assertThat(estimate.state()).isEqualTo(State.ADMITTED);
    assertThat(estimate.p10()).contains(at(0));
    assertThat(estimate.p90()).contains(at(0));
    assertThat(estimate.blockers()).isEmpty();
  }

  @Test
  void aWorkloadThatNeverFitsHasReasonsAndRemedies() {
    AdmissionEngine engine = engine(2, workload("big", "q", 3).build());

    StartEstimate estimate = estimate(engine.view(), at(1), id("big"), Durations.unknown());

    assertThat(estimate.state()).isEqualTo(State.WAITING);
    assertThat(estimate.neverShare()).isEqualTo(1);
    assertThat(estimate.p10()).isEmpty();
    assertThat(estimate.explanation().reasons())
        .extracting(reason -> reason.code())
        .contains(ReasonCode.EXCEEDS_MAXIMUM);
    assertThat(estimate.explanation().remedy()).isPresent();
  }

  /** Samples in which it does not start count as later than all others. */
  @Test
  void quantilesAreTakenOverAllSamples() {
    long[] seconds = new long[20];
    Arrays.fill(seconds, 0, 8, 60);
    Arrays.fill(seconds, 8, 20, 100_000);
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());

    StartEstimate estimate = StartEstimator.from(engine.view(), at(2))
        .durations(Durations.empirical(history("train", seconds)))
        .horizon(Duration.ofHours(1))
        .samples(200, 7)
        .estimate(id("next"));

    assertThat(estimate.neverShare()).isBetween(0.51, 0.999);
    assertThat(estimate.p50()).isEmpty();
    assertThat(estimate.p90()).isEmpty();
  }

  @Test
  void aWorkloadWithoutAQueueNeverStarts() {
    AdmissionEngine engine = engine(2, workload("lost", "nowhere", 1).build());

    StartEstimate estimate = estimate(engine.view(), at(1), id("lost"), Durations.unknown());

    assertThat(estimate.neverShare()).isEqualTo(1);
    assertThat(estimate.explanation().reasons()).isNotEmpty();
  }

  @Test
  void anUnknownWorkloadIsAnError() {
    assertThatThrownBy(() -> estimate(engine(2).view(), at(1), id("absent"), Durations.unknown()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no workload ns/absent; expected one that was submitted and has not"
            + " finished");
  }

  /** Small workloads that arrive later overtake a large one, again and again. */
  @Test
  void laterArrivalsDelayAWorkloadThatNeedsMuch() {
    AdmissionEngine engine = engine(
        4,
        workload("a-1", "q", 1).build(),
        workload("a-2", "q", 2).build(),
        workload("large", "q", 4).build());
    ImmutableList.Builder<SimulationJob> past = ImmutableList.builder();
    for (int i = 0; i < 100; i++) {
      past.add(job("a-" + i, "q", 1, i * 25L, 60).build());
    }
    StartEstimator estimator = StartEstimator.from(engine.view(), at(3))
        .durations(Durations.empirical(past.build()))
        .horizon(Duration.ofHours(10))
        .samples(SAMPLES, SEED);

    StartEstimate alone = estimator.estimate(id("large"));
    StartEstimate amongOthers = estimator.arrivals(past.build()).estimate(id("large"));

    assertThat(alone.p90().orElseThrow()).isBefore(at(200));
    assertThat(amongOthers.neverShare()).isGreaterThan(0.9);
  }

  @Test
  void laterArrivalsAreNotNamed() {
    AdmissionEngine engine =
        engine(2, workload("a-1", "q", 1).build(), workload("large", "q", 2).build());

    StartEstimate estimate = StartEstimator.from(engine.view(), at(2))
        .durations(Durations.empirical(history("a", 60)))
        .horizon(Duration.ofHours(10))
        .arrivals(List.of(
            job("a-2", "q", 1, 0, 60).build(),
            job("a-3", "q", 1, 50, 60).build(),
            job("a-4", "q", 1, 900, 60).build()))
        .samples(SAMPLES, SEED)
        .estimate(id("large"));

    assertThat(1 - estimate.neverShare())
        .as("also starts when an arrival ends")
        .isGreaterThan(estimate.shareBy(at(62)));
    assertThat(estimate.blockers())
        .extracting(StartEstimate.Blocker::workload)
        .containsExactly(id("a-1"));
  }

  @Test
  void endsEarlyWithTheSamplesSoFar() {
    AdmissionEngine engine =
        engine(1, workload("train-x1", "q", 1).build(), workload("next", "q", 1).build());

    StartEstimate estimate = StartEstimator.from(engine.view(), at(2))
        .durations(Durations.empirical(history("train", 10, 20)))
        .estimate(List.of(id("next")), done -> done < 5)
        .values()
        .iterator()
        .next();

    assertThat(estimate.samples()).isEqualTo(5);
    assertThat(estimate.neverShare()).isZero();
  }

  @Test
  void partsThatRunAtTheSameTimeGiveTheSameEstimates() {
    AdmissionEngine engine = engine(
        3,
        workload("train-x1", "q", 1).build(),
        workload("train-x2", "q", 2).build(),
        workload("train-x3", "q", 2).build(),
        workload("next", "q", 3).build());
    StartEstimator estimator = StartEstimator.from(engine.view(), at(2))
        .durations(Durations.empirical(history("train", 10, 20, 50, 100, 400)))
        .samples(50, 1);
    List<WorkloadId> asked = List.of(id("train-x3"), id("next"));
    Map<WorkloadId, StartEstimate> whole = estimator.estimate(asked);
    List<Integer> counted = new ArrayList<>();

    for (int count : new int[] {2, 7, 50, 1000}) {
      counted.clear();
      Map<WorkloadId, StartEstimate> joined = estimator
          .parts(count, parts -> parts.parallelStream().forEach(Runnable::run))
          .estimate(asked, counted::add);

      assertThat(joined).hasToString(whole.toString());
      assertThat(joined.values())
          .extracting(StartEstimate::blockers)
          .isEqualTo(whole.values().stream().map(StartEstimate::blockers).toList());
      assertThat(counted).hasSize(50).isSorted();
    }
  }

  @Test
  void everyPartMustRun() {
    StartEstimator estimator = StartEstimator.from(
            engine(1, workload("a", "q", 1).build(), workload("next", "q", 1).build())
                .view(),
            at(2))
        .parts(2, parts -> parts.get(1).run());

    assertThatThrownBy(() -> estimator.estimate(id("next")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a part of the samples was not run to its end");
    assertThatThrownBy(() -> estimator.samples(0, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the number of samples is 0; expected at least 1");
    assertThatThrownBy(() -> estimator.parts(0, parts -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the number of parts is 0; expected at least 1");
  }
}
