package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.clusterQueue;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.localQueue;
import static io.kueue4j.core.simulation.Jobs.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two queues of a cohort take their quota from each other again and again. */
@Timeout(60)
class PreemptionLoopTest {
  private static final String LENDER_RECLAIMS = "ns/h1 preempts ns/l2 (InCohortReclamation)";

  private static ImmutableList<ConfigObject> queues() {
    ClusterQueue.Builder q = clusterQueue("q", 2)
        .cohort("pool")
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
            .build());
    return ImmutableList.of(
        ResourceFlavor.of("default"),
        clusterQueue("p", 2).cohort("pool").build(),
        q.build(),
        localQueue("p"),
        localQueue("q"));
  }

  private static SimulationJob job(
      String name, String queue, int cores, int priority, int created) {
    return SimulationJob.of(
        workload(name, queue, cores)
            .priority(priority)
            .creationTime(at(created - 10))
            .build(),
        at(0),
        Duration.ofHours(1));
  }

  private static ImmutableList<SimulationJob> loop() {
    return ImmutableList.of(
        job("l2", "p", 4, 10, 0), job("h1", "q", 2, 1, 1), job("h2", "q", 4, 10, 2));
  }

  private static ImmutableList<String> messages(Iterable<RepeatedStop> stops) {
    ImmutableList.Builder<String> messages = ImmutableList.builder();
    stops.forEach(stop -> messages.add(stop.message()));
    return messages.build();
  }

  private static AdmissionEngine submitted() {
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> at(0)).build();
    engine.apply(queues());
    loop().forEach(job -> engine.submit(job.workload()));
    return engine;
  }

  @Test
  void aSimulationGoesOnAndNamesTheLoop() {
    SimulationResult result =
        Simulation.builder().configuration(queues()).trace(loop()).build().run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(messages(result.repeatedStops()))
        .contains(LENDER_RECLAIMS)
        .allMatch(message -> message.contains(" preempts "));
  }

  @Test
  void readyPodsDoNotRestartALoop() {
    SimulationResult result = Simulation.builder()
        .from(submitted().view(), at(0))
        .trace(loop())
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(messages(result.repeatedStops())).contains(LENDER_RECLAIMS);
    assertThat(result.preemptions()).isLessThan(100);
  }

  @Test
  void anEstimateEndsAndNamesTheLoop() {
    StartEstimator estimator = StartEstimator.from(submitted().view(), at(0))
        .durations(Durations.fixed(job -> Optional.of(Duration.ofHours(1))))
        .samples(3, 1);
    ImmutableList<WorkloadId> all = ImmutableList.of(id("l2"), id("h1"), id("h2"));

    ImmutableList<StartEstimate> estimates =
        ImmutableList.copyOf(estimator.estimate(all).values());

    assertThat(messages(estimates.get(0).repeatedStops())).contains(LENDER_RECLAIMS);
    assertThat(estimates).allMatch(estimate -> estimate.neverShare() == 0);
    assertThat(estimator.parts(3, parts -> parts.forEach(Runnable::run)).estimate(all))
        .hasToString(estimator
            .parts(1, parts -> parts.forEach(Runnable::run))
            .estimate(all)
            .toString());
  }

  /** Each time another poll preempts: the loop takes time, but no job ever ends. */
  @Test
  void aPollingSchedulerGetsStuckInALoop() {
    SimulationResult result = Simulation.builder()
        .configuration(queues())
        .trace(loop())
        .cycleInterval(Duration.ofSeconds(1))
        .build()
        .run();

    assertThat(messages(result.repeatedStops())).contains(LENDER_RECLAIMS);
    assertThat(result.endTime()).isBefore(at(200_000));
  }

  @Test
  void aChangeOfTheClusterEndsALoop() {
    SimulationResult result = Simulation.builder()
        .configuration(queues())
        .trace(loop())
        .cycleInterval(Duration.ofSeconds(1))
        .events(SimulationEvent.apply(
            at(20_000), clusterQueue("p", 10).cohort("pool").build()))
        .build()
        .run();

    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
    assertThat(messages(result.repeatedStops())).contains(LENDER_RECLAIMS);
  }

  @Test
  void repetitionsAreCountedBetweenChanges() {
    RepeatedStop stop =
        RepeatedStop.of(new Eviction(id("a"), EvictionReason.NODE_FAILURES, Optional.empty(), ""));
    StopLoops loops = new StopLoops();
    for (int i = 0; i < StopLoops.MOST_REPETITIONS - 1; i++) {
      loops.add(stop);
    }
    loops.changed();
    loops.add(stop);
    loops.found();
    assertThat(loops.isEndless()).isFalse();
    assertThat(loops.repeated()).isEmpty();

    for (int i = 1; i < StopLoops.MOST_REPETITIONS; i++) {
      loops.add(stop);
    }
    assertThat(loops.isEndless()).isTrue();
    loops.changed();
    assertThat(loops.isEndless()).isFalse();
    assertThat(loops.repeated()).containsExactly(stop);
  }

  @Test
  void slowStopsDoNotMakeALoopEndless() {
    ClusterBehavior slow = new ClusterBehavior() {
      @Override
      public Duration terminationDelay(SimulationJob job) {
        return Duration.ofSeconds(30);
      }
    };

    SimulationResult result = Simulation.builder()
        .configuration(queues())
        .trace(loop())
        .behavior(slow)
        .build()
        .run();

    assertThat(messages(result.repeatedStops())).contains(LENDER_RECLAIMS);
    assertThat(result.preemptions()).isLessThan(10_000);
  }

  @Test
  void withoutALoopNothingIsNamed() {
    SimulationResult result = Simulation.builder()
        .configuration(queues())
        .trace(ImmutableList.of(job("h1", "q", 2, 1, 1), job("h2", "q", 4, 10, 2)))
        .build()
        .run();

    assertThat(result.repeatedStops()).isEmpty();
    assertThat(result.end()).isEqualTo(SimulationResult.End.COMPLETE);
  }
}
