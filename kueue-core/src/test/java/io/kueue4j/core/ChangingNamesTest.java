package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.support.RetainedCells;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The memory used depends on the present state of an engine, not on its history.
 *
 * <p>With {@code -Dkueue4j.tries=N} the soak makes N times as many calls, and also measures the
 * heap: {@code -Dkueue4j.tries=500} makes 10,000,000.
 */
class ChangingNamesTest {
  private static final int CALLS = 20_000 * Integer.getInteger("kueue4j.tries", 1);
  private static final int PERIODS = 8;
  private static final boolean LOOKS_AT_HEAP = Integer.getInteger("kueue4j.tries") != null;

  /** A clock that advances with every reading. Static, so that it refers to nothing else. */
  private static final class Clock implements InstantSource {
    private Instant now = Cluster.START;

    @Override
    public Instant instant() {
      now = now.plusMillis(10);
      return now;
    }
  }

  private static ClusterQueue.Builder queue(String name, String flavor, String resource) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            flavor, ResourceQuota.ofAmount("cpu", 4000), ResourceQuota.ofAmount(resource, 4))));
  }

  /** An engine in which all except a few objects are added and removed. */
  private static final class Changing {
    final AdmissionEngine engine = AdmissionEngine.builder()
        .clock(new Clock())
        .settings(Settings.builder()
            .admissionFairSharing(AdmissionFairSharing.of(Duration.ofMinutes(1))
                .withUsageSamplingInterval(Duration.ofSeconds(10)))
            .build())
        .build();
    private int calls;
    private int names;

    Changing() {
      engine.apply(
          Topology.of("dc", "rack", Topology.HOSTNAME),
          ResourceFlavor.of("stays"),
          queue("stays", "stays", "gpu").cohort("stays").build(),
          LocalQueue.of("ns", "stays", "stays"));
      engine.submit(workload("ns", "stays", "stays", "gpu").build());
      engine.submit(workload("ns", "waits", "stays", "never-offered").build());
      engine.runCycle();
    }

    private static Workload.Builder workload(
        String namespace, String name, String queue, String resource) {
      return Workload.builder()
          .namespace(namespace)
          .name(name)
          .queueName(queue)
          .addPodSets(podSet().requestAmount(resource, 1).build());
    }

    private static PodSet.Builder podSet() {
      return PodSet.builder().name("main").count(1).requestAmount("cpu", 3000);
    }

    void call(int count) {
      int end = calls + count;
      while (calls < end) {
        comeAndGo("-" + names++);
      }
    }

    /** Adds objects with new names, uses them in every way, and removes them. */
    private void comeAndGo(String suffix) {
      String namespace = "ns" + suffix;
      String queue = "q" + suffix;
      String flavor = "f" + suffix;
      String resource = "example.com/r" + suffix;
      engine.apply(
          Namespace.of(namespace),
          ResourceFlavor.of(flavor),
          new WorkloadPriorityClass("p" + suffix, 1),
          AdmissionCheck.of("k" + suffix, "c"),
          Cohort.builder()
              .name("c" + suffix)
              .parent("stays")
              .addResourceGroups(ResourceGroup.of(
                  FlavorQuotas.of("borrowed" + suffix, ResourceQuota.ofAmount(resource, 1))))
              .build(),
          queue(queue, flavor, resource)
              .cohort("c" + suffix)
              .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
              .build(),
          LocalQueue.of(namespace, "lq" + suffix, queue));
      List<WorkloadId> ids = List.of(
          submit(workload(namespace, "runs" + suffix, "lq" + suffix, resource)),
          submit(workload(namespace, "preempts" + suffix, "lq" + suffix, resource)
              .priorityClass("p" + suffix)),
          submit(workload(namespace, "parks" + suffix, "lq" + suffix, "unknown" + suffix)),
          submit(workload("ns", "visits" + suffix, "stays", "unknown2" + suffix)
              .allowedFlavors(ImmutableSortedSet.of("allowed" + suffix))));
      engine.runCycle();
      AdmissionResult unused = engine
          .tryAdmit(workload(namespace, "asks" + suffix, "lq" + suffix, "asked" + suffix)
              .build())
          .result();
      calls += 7;
      if (names % 16 == 0) {
        Explanation unused2 = engine.explain(ids.get(1));
        AdmissionResult unused3 = engine
            .view()
            .whatIf()
            .tryAdmit(workload("ns", "w", "stays", "if" + suffix).build())
            .result();
        useNodes(suffix);
        usePools(suffix);
        calls += 3;
      }
      engine.runCycle();
      ids.forEach(engine::delete);
      engine.remove(LocalQueue.class, namespace + "/lq" + suffix);
      engine.remove(ClusterQueue.class, queue);
      engine.remove(Cohort.class, "c" + suffix);
      engine.remove(AdmissionCheck.class, "k" + suffix);
      engine.remove(WorkloadPriorityClass.class, "p" + suffix);
      engine.remove(ResourceFlavor.class, flavor);
      engine.remove(Namespace.class, namespace);
      calls += 13;
    }

    private WorkloadId submit(Workload.Builder workload) {
      Workload built = workload.build();
      engine.submit(built);
      return built.id();
    }

    private void useNodes(String suffix) {
      String resource = "example.com/t" + suffix;
      engine.apply(
          ResourceFlavor.builder()
              .name("t" + suffix)
              .putNodeLabels("pool", suffix.substring(1))
              .topologyName("dc")
              .build(),
          Node.builder()
              .name("n" + suffix)
              .putLabels("pool", suffix.substring(1))
              .putLabels("rack", "rack" + suffix)
              .putLabels(Topology.HOSTNAME, "n" + suffix)
              .allocatableAmount("cpu", 4000)
              .allocatableAmount("pods", 10)
              .allocatableAmount(resource, 2)
              .build(),
          queue("t" + suffix, "t" + suffix, resource).build(),
          LocalQueue.of("ns", "t" + suffix, "t" + suffix));
      Workload placed = Workload.builder()
          .namespace("ns")
          .name("placed" + suffix)
          .queueName("t" + suffix)
          .addPodSets(podSet()
              .requestAmount(resource, 1)
              .putNodeSelector("pool", suffix.substring(1))
              .topologyRequest(TopologyRequest.required(Topology.HOSTNAME))
              .build())
          .build();
      assertThat(engine.tryAdmit(placed).result().isAdmitted()).isTrue();
      engine.finish(placed.id());
      engine.remove(LocalQueue.class, "ns/t" + suffix);
      engine.remove(ClusterQueue.class, "t" + suffix);
      engine.remove(ResourceFlavor.class, "t" + suffix);
      engine.remove(Node.class, "n" + suffix);
      calls += 7;
    }

    private void usePools(String suffix) {
      engine.apply(
          TpuPoolSet.of("pools" + suffix, TpuPool.cubes("pool" + suffix, TpuGeneration.V7X, 1)),
          ResourceFlavor.builder()
              .name("u" + suffix)
              .tpuPoolSet("pools" + suffix)
              .build());
      engine.remove(ResourceFlavor.class, "u" + suffix);
      engine.remove(TpuPoolSet.class, "pools" + suffix);
      calls += 3;
    }

    /**
     * {@return the memory retained, without names: those that nobody uses wait for the garbage
     * collector}
     */
    long retained() {
      return RetainedCells.beside(List.of(engine.inspect(EngineState::catalog)), engine);
    }
  }

  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void whatComesAndGoesLeavesNothing() {
    Changing changing = new Changing();
    changing.call(CALLS / PERIODS);
    long retained = changing.retained();
    long heap = heap();

    for (int period = 1; period < PERIODS; period++) {
      changing.call(CALLS / PERIODS);

      assertThat(changing.retained()).as("cells in period %s", period).isEqualTo(retained);
      if (LOOKS_AT_HEAP) {
        assertThat(heap()).as("heap in period %s", period).isCloseTo(heap, withinPercentage(10));
      }
    }
  }

  @Test
  void aQueueTakesWhatItUsesWhateverElseThereIsOrWas() {
    long alone = ofOneQueue(AdmissionEngine.create());
    AdmissionEngine crowded = AdmissionEngine.create();
    for (int i = 0; i < 2000; i++) {
      crowded.apply(
          ResourceFlavor.of("other" + i), queue("q" + i, "other" + i, "r" + i).build());
    }

    assertThat(ofOneQueue(crowded)).isEqualTo(alone);

    for (int i = 0; i < 2000; i++) {
      crowded.remove(ClusterQueue.class, "q" + i);
      crowded.remove(ResourceFlavor.class, "other" + i);
    }
    assertThat(ofOneQueue(crowded)).isEqualTo(alone);
  }

  /** {@return the memory retained by a queue alone in its tree, without what all queues share} */
  private static long ofOneQueue(AdmissionEngine engine) {
    engine.apply(ResourceFlavor.of("own"), queue("one", "own", "gpu").build());
    return engine.inspect(state -> RetainedCells.beside(
        List.of(state.catalog(), state.inventories(), state.fleets()),
        state.queue("one").orElseThrow()));
  }
}
