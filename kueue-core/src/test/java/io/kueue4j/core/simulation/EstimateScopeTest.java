package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.clusterQueue;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.localQueue;
import static io.kueue4j.core.simulation.Jobs.queue;
import static io.kueue4j.core.simulation.Jobs.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What else than the estimated workloads counts in an estimate. */
class EstimateScopeTest {
  private static final Durations MINUTE =
      Durations.fixed(workload -> Optional.of(Duration.ofSeconds(60)));

  private static AdmissionEngine engine(Settings settings) {
    return AdmissionEngine.builder()
        .settings(settings)
        .clock(InstantSource.fixed(at(0)))
        .build();
  }

  private static StartEstimator estimator(AdmissionEngine engine, Instant now) {
    return StartEstimator.from(engine.view(), now).durations(MINUTE).samples(3, 1);
  }

  /** {@return two queues of one core that lend to each other, each with a job that runs} */
  private static AdmissionEngine twoQueues() {
    AdmissionEngine engine = engine(Settings.defaults());
    engine.apply(ResourceFlavor.of("default"));
    for (String name : List.of("a", "b")) {
      engine.apply(clusterQueue(name, 1).cohort("c").build(), localQueue(name));
      submit(engine, workload("runs-" + name, name, 1), 0);
    }
    engine.runUntilStable(10);
    return engine;
  }

  private static void submit(AdmissionEngine engine, Workload.Builder workload, int second) {
    engine.submit(workload.creationTime(at(second)).build());
  }

  private static int leftOut(AdmissionEngine engine, String... asked) {
    return estimator(engine, at(0))
        .behind(0)
        .estimate(List.of(asked).stream().map(Jobs::id).toList())
        .values()
        .iterator()
        .next()
        .leftOut();
  }

  @Test
  void theLastPlaceOfAnEstimatedWorkloadCountsInAllQueues() {
    AdmissionEngine engine = twoQueues();
    for (int i = 1; i <= 3; i++) {
      submit(engine, workload("a-" + i, "a", 1), i);
      submit(engine, workload("b-" + i, "b", 1), i);
    }

    assertThat(leftOut(engine, "a-3", "b-1")).isZero();
    assertThat(leftOut(engine, "a-1", "b-1")).isEqualTo(4);
  }

  @Test
  void higherPrioritiesCountWhateverTheirPlace() {
    AdmissionEngine engine = twoQueues();
    submit(engine, workload("low", "a", 1), 1);
    for (int i = 1; i <= 3; i++) {
      submit(engine, workload("high-" + i, "b", 1).priority(9), i);
    }

    assertThat(leftOut(engine, "low")).isZero();
    assertThat(leftOut(engine, "high-1")).isEqualTo(2);
  }

  private static Workload.Builder slice(String name, String queue) {
    return Workload.builder()
        .namespace(Jobs.NAMESPACE)
        .name(name)
        .queueName(queue)
        .addPodSets(PodSet.builder()
            .count(4)
            .requestAmount(ResourceNames.TPU, 4)
            .sliceRequest(SliceRequest.of("4x4"))
            .build());
  }

  /** No cohort connects the queues; their flavors are of the same pool of one slice. */
  @Test
  void whoUsesTheSamePoolsCounts() {
    AdmissionEngine engine = engine(Settings.defaults());
    engine.apply(
        TpuPoolSet.of("v6e", TpuPool.grid("pod-0", TpuGeneration.V6E, SliceShape.parse("4x4"), 4)));
    for (String name : List.of("a", "b")) {
      ClusterQueue queue = ClusterQueue.builder()
          .name(name)
          .namespaceSelector(LabelSelector.everything())
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of("tpu-" + name, ResourceQuota.ofAmount(ResourceNames.TPU, 100))))
          .build();
      engine.apply(
          ResourceFlavor.builder().name("tpu-" + name).tpuPoolSet("v6e").build(),
          queue,
          localQueue(name));
    }
    submit(engine, slice("first", "a"), 0);
    engine.runUntilStable(10);
    submit(engine, slice("other", "b"), 1);
    submit(engine, slice("next", "a"), 2);

    assertThat(estimator(engine, at(0)).estimate(id("next")).p50()).contains(at(120));
  }

  @Test
  void whosePodsAreAwaitedCounts() {
    AdmissionEngine engine = engine(Settings.builder()
        .podsReady(PodsReadyPolicy.builder().blockAdmission(true).build())
        .build());
    engine.apply(queue("a", 1));
    engine.apply(queue("b", 1));
    submit(engine, workload("other", "b", 1), 0);
    submit(engine, workload("next", "a", 1), 1);

    StartEstimator estimator = estimator(engine, at(0)).behavior(new ClusterBehavior() {
      @Override
      public Optional<Duration> podsReadyDelay(SimulationJob job, int start) {
        return Optional.of(Duration.ofSeconds(30));
      }
    });

    assertThat(estimator.estimate(id("next")).p50()).contains(at(30));
    assertThat(estimator(engine, at(0)).estimate(id("next")).p50()).contains(at(0));
  }
}
