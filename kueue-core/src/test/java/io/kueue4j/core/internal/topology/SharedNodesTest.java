package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.ComparedEngines.HOST;
import static io.kueue4j.core.internal.topology.ComparedEngines.RACK;
import static io.kueue4j.core.internal.topology.ComparedEngines.flavor;
import static io.kueue4j.core.internal.topology.ComparedEngines.node;
import static io.kueue4j.core.internal.topology.ComparedEngines.pods;
import static io.kueue4j.core.internal.topology.ComparedEngines.queue;
import static io.kueue4j.core.internal.topology.ComparedEngines.quota;
import static io.kueue4j.core.internal.topology.ComparedEngines.workload;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes wanted by several flavors, queues and pod sets: T-12, T-20, T-69, T-73 and T-74. */
class SharedNodesTest {
  private static final List<String> LEVELS = List.of(RACK, HOST);
  private static final Preemption WITHIN_QUEUE =
      Preemption.builder().withinClusterQueue(Preemption.Policy.LOWER_PRIORITY).build();

  /** Flavors e and f; queue q has cpus in f and gpus in e, queue r has cpus in e. */
  private static ComparedEngines twoFlavors(Settings settings, String... nodes) {
    ComparedEngines cluster = ComparedEngines.empty(settings);
    cluster.apply(Topology.of("dc", RACK, HOST), flavor("e"), flavor("f"));
    cluster.apply(
        queue("q", FlavorQuotas.of("f", ResourceQuota.ofAmount("cpu", 100)))
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("e", ResourceQuota.ofAmount("gpu", 100))))
            .preemption(WITHIN_QUEUE)
            .build(),
        queue("r", FlavorQuotas.of("e", ResourceQuota.ofAmount("cpu", 100)))
            .preemption(WITHIN_QUEUE)
            .build(),
        LocalQueue.of("ns", "q", "q"),
        LocalQueue.of("ns", "r", "r"));
    for (String each : nodes) {
      cluster.apply(node(LEVELS, List.of("e", "f"), each));
    }
    return cluster;
  }

  private static PodSet hosts(int count, String requests) {
    return pods("main", count, requests, required(HOST)).build();
  }

  private static Workload of(String queue, String name, PodSet... podSets) {
    return workload(name, podSets).queueName(queue).build();
  }

  @Test
  void aHostIsChargedForBothOfItsFlavors() {
    ComparedEngines cluster = twoFlavors(Settings.defaults(), "r/a:cpu=4");

    assertThat(cluster.place(of("q", "first", hosts(3, "cpu=1")))).isEqualTo("main a:3");

    assertThat(cluster.place(of("r", "second", hosts(2, "cpu=1")))).contains("only 1 out of 2");
  }

  @Test
  void withTheGateOffEachFlavorKnowsOnlyItsOwnPods() {
    ComparedEngines cluster = twoFlavors(
        Settings.builder()
            .putFeatureGates(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS, false)
            .build(),
        "r/a:cpu=4");
    cluster.place(of("q", "first", hosts(3, "cpu=1")));

    assertThat(cluster.place(of("r", "second", hosts(2, "cpu=1")))).isEqualTo("main a:2");
  }

  /** T-21: within one workload too. */
  @Test
  void podSetsOfSeveralFlavorsShareHosts() {
    ComparedEngines cluster = twoFlavors(Settings.defaults(), "r/a:cpu=4,gpu=4,pods=5");

    assertThat(cluster.place(of(
            "q",
            "first",
            pods("one", 3, "cpu=1", required(HOST)).build(),
            pods("two", 3, "gpu=1", required(HOST)).build())))
        .contains("only 2 out of 3 pod(s)");
  }

  /**
   * T-12: before 0.19.3, what an entry of a cycle takes is news to the other flavor in the next.
   */
  @Test
  void withinACycleAFlavorSeesWhatAnotherTakesFrom0193() {
    Settings before = Settings.builder().kueueVersion(KueueVersion.V0_19).build();
    ComparedEngines cluster = twoFlavors(Settings.defaults(), "r/a:cpu=4");
    cluster.submit(of("q", "first", hosts(3, "cpu=1")));
    cluster.submit(of("r", "second", hosts(3, "cpu=1")));
    assertThat(cluster.cycle()).isEqualTo("first: main a:3");

    cluster = twoFlavors(before, "r/a:cpu=4");
    cluster.submit(of("q", "first", hosts(3, "cpu=1")));
    cluster.submit(of("r", "second", hosts(3, "cpu=1")));
    assertThat(cluster.cycle()).isEqualTo("first: main a:3; second: main a:3");

    assertThat(cluster.place(of("r", "third", hosts(1, "cpu=1"))))
        .contains("excluded: resource \"cpu\": 1");
  }

  /** T-12: a victim frees the host only in the eyes of its own flavor. */
  @Test
  void preemptingPodsOfAnotherFlavorIsNoHelp() {
    ComparedEngines cluster = twoFlavors(Settings.defaults(), "r/a:cpu=4,gpu=9");
    cluster.place(of("q", "victim", hosts(4, "cpu=1")));

    cluster.submit(workload(
            "urgent",
            pods("main", 1, "gpu=1", required(HOST)).requestAmount("cpu", 0).build())
        .priority(5)
        .build());
    cluster.submit(
        workload("cpus", hosts(1, "cpu=1")).priority(5).queueName("r").build());

    assertThat(cluster.cycle()).isEmpty();
    cluster.submit(workload("own", hosts(1, "cpu=1")).priority(5).build());
    assertThat(cluster.cycle()).isEqualTo("evict victim");
  }

  /** T-20: members that part are placed one by one; in flavor e solo stands before work. */
  @Test
  void aGroupThatPartsIsPlacedInTheOrderOfPodSets() {
    ComparedEngines cluster = twoFlavors(Settings.defaults(), "r/a:cpu=9,gpu=3", "r/b:cpu=9,gpu=4");

    assertThat(cluster.place(of(
            "q",
            "first",
            pods("lead", 1, "cpu=1", required(HOST)).group("g").build(),
            pods("solo", 3, "gpu=1", required(HOST)).build(),
            pods("work", 3, "gpu=1", required(HOST)).group("g").build())))
        .isEqualTo("lead a:1 work b:3 solo a:3");
  }

  // ----- the check before an admission

  /** One flavor, two queues. */
  private static ComparedEngines twoQueues(String... nodes) {
    ComparedEngines cluster = ComparedEngines.empty(Settings.defaults());
    cluster.apply(Topology.of("dc", RACK, HOST), flavor("f"));
    cluster.apply(
        queue("q", quota("f", 100)).build(),
        queue("r", quota("f", 100)).build(),
        LocalQueue.of("ns", "q", "q"),
        LocalQueue.of("ns", "r", "r"));
    for (String each : nodes) {
      cluster.apply(node(LEVELS, List.of("f"), each));
    }
    return cluster;
  }

  @Test
  void nodesTakenInTheCycleAreNotTakenTwice() {
    ComparedEngines cluster = twoQueues("r/a:cpu=4");
    cluster.submit(of("q", "first", hosts(3, "cpu=1")));
    cluster.submit(of("r", "second", hosts(3, "cpu=1")));

    assertThat(cluster.cycle()).isEqualTo("first: main a:3");
  }

  /** T-74. */
  @Test
  void whoLosesNodesInTheCycleIsPlacedAnewInIt() {
    ComparedEngines cluster = twoQueues("r/a:cpu=4", "r/b:cpu=5");
    cluster.submit(of("q", "first", hosts(3, "cpu=1")));
    cluster.submit(of("r", "second", hosts(3, "cpu=1")));

    assertThat(cluster.cycle()).isEqualTo("first: main a:3; second: main b:3");
  }

  /** T-73. */
  @Test
  void theNumberOfPodsIsNotCheckedAgain() {
    ComparedEngines cluster = twoQueues("r/a:cpu=9,pods=4");
    cluster.submit(of("q", "first", hosts(3, "cpu=1")));
    cluster.submit(of("r", "second", hosts(3, "cpu=1")));

    assertThat(cluster.cycle()).isEqualTo("first: main a:3; second: main a:3");
    assertThat(cluster.place(of("q", "third", hosts(1, "cpu=1"))))
        .contains("excluded: resource \"pods\": 1");
  }

  /** T-73: 2 of the 3 cpus that are left, and 2 of the 3 that are left. */
  @Test
  void podSetsOnOneNodeAreCheckedOneByOne() {
    ComparedEngines cluster = twoQueues("r/a:cpu=4");
    cluster.submit(of("q", "first", hosts(1, "cpu=1")));
    cluster.submit(of(
        "r",
        "second",
        pods("one", 2, "cpu=1", required(HOST)).build(),
        pods("two", 2, "cpu=1", required(HOST)).build()));

    assertThat(cluster.cycle()).isEqualTo("first: main a:1; second: one a:2 two a:2");
  }

  /** T-73, T-68: the leader requests nothing, so it never passes. */
  @Test
  void podsThatRequestNothingAreNeverAdmitted() {
    ComparedEngines cluster = twoQueues("r/a:cpu=4");
    Workload bare = of(
        "q",
        "bare",
        pods("lead", 1, "", required(RACK)).group("g").build(),
        pods("work", 2, "cpu=1", required(RACK)).group("g").build());
    cluster.submit(bare);

    assertThat(cluster.cycle()).isEmpty();
    assertThat(cluster.cycle()).isEmpty();
    assertThat(cluster.engine.view().clusterQueue("q").orElseThrow().pending())
        .containsExactly(bare.id());
  }

  // ----- flavors

  /** T-69: preempting would give quota of f, though never a node that is large enough. */
  @Test
  void flavorsAreChosenWithoutALookAtNodes() {
    ComparedEngines cluster = ComparedEngines.empty(Settings.defaults());
    ClusterQueue.Builder queue = queue("q", quota("f", 4), quota("e", 9))
        .preemption(WITHIN_QUEUE)
        .flavorFungibility(new FlavorFungibility(
            FlavorFungibility.Policy.MAY_STOP_SEARCH,
            FlavorFungibility.Policy.MAY_STOP_SEARCH,
            Optional.empty()));
    cluster.apply(Topology.of("dc", RACK, HOST), flavor("e"), flavor("f"), queue.build());
    cluster.apply(LocalQueue.of("ns", "q", "q"));
    cluster.apply(node(LEVELS, List.of("f"), "r/a:cpu=3"), node(LEVELS, List.of("e"), "r/b:cpu=9"));
    assertThat(cluster.place(of("q", "small", hosts(1, "cpu=2")))).isEqualTo("main a:1");
    cluster.submit(workload("great", hosts(1, "cpu=4")).priority(5).build());

    assertThat(cluster.cycle()).isEmpty();
    assertThat(cluster.cycle()).isEqualTo("great: main b:1");
  }
}
