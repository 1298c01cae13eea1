package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Durations and clock readings at the limits, and failing user code: no call is left half done. */
class ExtremeTimesTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private Instant now = Cluster.START;

  private AdmissionEngine engine(Settings settings) {
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(() -> now).settings(settings).build();
    engine.apply(
        ResourceFlavor.of(Cluster.FLAVOR),
        Queues.queue("a", 1).build(),
        Queues.queue("b", 1).build(),
        Queues.localQueue("a"),
        Queues.localQueue("b"));
    return engine;
  }

  private static Workload.Builder job(String name, String queue) {
    return Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .queueName(queue)
        .addPodSets(PodSet.builder().requestAmount("cpu", 1000L).build());
  }

  private static Settings podsReady(PodsReadyPolicy.Builder policy) {
    return Settings.builder().podsReady(policy.build()).build();
  }

  /** Admits a and b, evicts both at their timeouts, and requeues them. */
  private static void timesOutAndGoesOn(AdmissionEngine engine, List<WorkloadId> ids) {
    Decisions cycle = engine.runCycle();
    assertThat(cycle.evicted()).hasSize(ids.size());
    ids.forEach(id -> assertThat(EngineCalls.podsStopped(engine, id)).isTrue());
    assertThat(engine.tryAdmit(job("other", "b").build()).result().isAdmitted()).isTrue();
    assertThat(engine.finish(WorkloadId.of(Cluster.NAMESPACE, "other")).removed())
        .isNotEmpty();
  }

  @Test
  void anExecutionTimeWithoutEndNeverEnds() {
    AdmissionEngine engine = engine(Settings.defaults());
    engine.submit(job("a", "a").maximumExecutionTime(FOREVER).build());
    engine.submit(job("b", "b").build());

    assertThat(engine.runCycle().admitted()).hasSize(2);
    assertThat(EngineCalls.tick(engine)).isEmpty();
    now = Instant.MAX;
    assertThat(engine.runCycle().evicted()).isEmpty();
    assertThat(engine.finish(WorkloadId.of(Cluster.NAMESPACE, "a")).removed()).isNotEmpty();
    assertThat(engine
            .tryAdmit(job("c", "a").maximumExecutionTime(FOREVER).build())
            .result()
            .isAdmitted())
        .isTrue();
  }

  @Test
  void aTimeoutWithoutEndNeverPasses() {
    AdmissionEngine engine = engine(podsReady(PodsReadyPolicy.builder().timeout(FOREVER)));
    engine.submit(job("a", "a").build());

    assertThat(engine.runCycle().admitted()).hasSize(1);
    engine.lifecycle().setPodsReady(job("a", "a").build().id(), true);
    engine.lifecycle().setPodsReady(job("a", "a").build().id(), false);
    assertThat(EngineCalls.tick(engine)).isEmpty();
  }

  static List<PodsReadyPolicy.Builder> policies() {
    Duration soon = Duration.ofSeconds(1);
    return List.of(
        PodsReadyPolicy.builder().timeout(soon).backoffBase(FOREVER),
        PodsReadyPolicy.builder().timeout(soon).backoffBase(FOREVER).backoffMax(FOREVER),
        PodsReadyPolicy.builder().timeout(soon).jitter((workload, count) -> Double.NaN),
        PodsReadyPolicy.builder().timeout(soon).jitter((workload, count) -> -1),
        PodsReadyPolicy.builder().timeout(soon).jitter((workload, count) -> 5),
        PodsReadyPolicy.builder().timeout(soon).jitter((workload, count) -> {
          throw new IllegalStateException("no jitter today");
        }));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aBackoffThatCannotBeReckonedStopsNoOtherWorkload(PodsReadyPolicy.Builder policy) {
    AdmissionEngine engine = engine(podsReady(policy));
    engine.submit(job("a", "a").build());
    engine.submit(job("b", "b").build());
    assertThat(engine.runCycle().admitted()).hasSize(2);
    now = now.plusSeconds(2);

    timesOutAndGoesOn(
        engine, List.of(job("a", "a").build().id(), job("b", "b").build().id()));
  }

  @Test
  void failuresOfTheJitterAreReportedAfterTheCall() {
    List<String> failures = new ArrayList<>();
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> now)
        .settings(podsReady(PodsReadyPolicy.builder()
            .timeout(Duration.ofSeconds(1))
            .jitter((workload, count) -> 5)))
        .onJitterFailure(failure -> {
          failures.add(failure.getMessage());
          throw failure;
        })
        .build();
    engine.apply(
        ResourceFlavor.of(Cluster.FLAVOR), Queues.queue("a", 1).build(), Queues.localQueue("a"));
    AdmissionResult unused = engine.tryAdmit(job("a", "a").build()).result();
    now = now.plusSeconds(2);
    engine.tick();

    assertThat(failures)
        .containsExactly("the jitter of workload ns/a for requeue 1 is 5.0; expected 0 to 1.0E-4;"
            + " the delay has no jitter");
    assertThat(engine.lifecycle().status(job("a", "a").build().id()).requeueAt())
        .contains(now.plusSeconds(60));
  }

  @Test
  void aCheckMayAskToWaitForEver() {
    AdmissionEngine engine = engine(Settings.defaults());
    engine.apply(
        new AdmissionCheck("k", "c", true),
        Queues.queue("a", 1)
            .admissionChecks(ImmutableList.of(new AdmissionCheckRule("k", ImmutableList.of())))
            .build());
    WorkloadId id = job("a", "a").build().id();
    AdmissionResult unused2 = engine.tryAdmit(job("a", "a").build()).result();
    engine
        .lifecycle()
        .setCheck(
            id,
            AdmissionCheckState.builder()
                .name("k")
                .state(CheckState.RETRY)
                .requeueAfter(FOREVER)
                .build());

    assertThat(EngineCalls.podsStopped(engine, id)).isTrue();
    assertThat(engine.lifecycle().status(id).requeueAt()).contains(Instant.MAX);
    assertThat(engine.runCycle().admitted()).isEmpty();
  }

  @Test
  void usageIsSampledOverAllTime() {
    now = Instant.MIN;
    AdmissionEngine engine = engine(Settings.builder()
        .admissionFairSharing(new AdmissionFairSharing(
            FOREVER, Duration.ofNanos(1), com.google.common.collect.ImmutableSortedMap.of()))
        .build());
    assertThat(engine.tryAdmit(job("a", "a").build()).result().isAdmitted()).isTrue();
    now = Instant.MAX;
    assertThat(EngineCalls.tick(engine)).isEmpty();
    assertThat(engine.finish(job("a", "a").build().id()).removed()).isNotEmpty();
    assertThat(engine.tryAdmit(job("b", "a").build()).result().isAdmitted()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void anyClockReadingWillDo(Instant limit) {
    now = limit;
    AdmissionEngine engine = engine(
        podsReady(PodsReadyPolicy.builder().timeout(Duration.ofSeconds(1)).backoffBase(FOREVER)));
    WorkloadId id = job("a", "a").build().id();
    engine.submit(job("a", "a").maximumExecutionTime(Duration.ofSeconds(1)).build());
    assertThat(engine.runCycle().admitted()).hasSize(1);
    engine.lifecycle().evict(id, io.kueue4j.core.model.EvictionReason.PODS_READY_TIMEOUT, "test");
    assertThat(EngineCalls.podsStopped(engine, id)).isTrue();
    engine.tick();
    engine.runCycle();
    assertThat(engine.explain(id).workload()).isEqualTo(id);
    assertThat(engine.delete(id).removed()).isNotEmpty();
    assertThat(engine.tryAdmit(job("b", "a").build()).result().isAdmitted()).isTrue();
  }

  static List<Instant> limits() {
    return List.of(Instant.MIN, Instant.MIN.plusNanos(1), Instant.MAX.minusNanos(1), Instant.MAX);
  }

  @Test
  void aClockThatFailsChangesNothing() {
    AtomicInteger readings = new AtomicInteger();
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> {
          if (readings.incrementAndGet() > 1) {
            throw new IllegalStateException("no time");
          }
          return now;
        })
        .build();
    engine.apply(
        ResourceFlavor.of(Cluster.FLAVOR), Queues.queue("a", 1).build(), Queues.localQueue("a"));

    assertThatThrownBy(() -> engine.submit(job("a", "a").build())).hasMessage("no time");
    assertThatThrownBy(() -> engine.apply(Queues.queue("c", 1).build())).hasMessage("no time");
    assertThat(engine).hasToString("AdmissionEngine [clusterQueues 1, workloads 0]");
  }

  @Test
  void aClockMustNotReturnNull() {
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> null).build();

    assertThatThrownBy(engine::runCycle)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("the clock .* returned null; expected an Instant");
  }

  @Test
  @SuppressWarnings("NullAway") // What callers without such a checker may pass.
  void nullAmongConfigurationObjectsIsRefused() {
    AdmissionEngine engine = AdmissionEngine.create();

    assertThatThrownBy(() -> engine.apply((ConfigObject) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the object at index 0 is null; expected a configuration object");
    assertThatThrownBy(() -> engine.apply(ResourceFlavor.of("f"), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the object at index 1 is null; expected a configuration object");
    assertThat(EngineCalls.remove(engine, ResourceFlavor.class, "f")).isFalse();
  }
}
