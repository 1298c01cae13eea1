package io.kueue4j.core;

import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.queue;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import org.junit.jupiter.api.Test;

/** Errors of Kueue's placement: reproduced by default, fixed with strict settings. */
class StrictTopologyTest {
  private static final Settings STRICT = Settings.builder().strictTopology(true).build();
  private static final TopologyRequest ONE_RACK = TopologyRequest.required(Hosts.RACK);

  private static Cluster parity(String hosts) {
    return Hosts.cluster(Settings.defaults(), hosts);
  }

  private static Cluster strict(String hosts) {
    return Hosts.cluster(STRICT, hosts);
  }

  @Test
  void aFailureSaysHowManyFitWithoutTheLeaderOrBesideIt() {
    PodSet.Builder leader = pods(1, "10", ONE_RACK).name("leader").group("g");
    PodSet.Builder workers = pods(4, "1", ONE_RACK).name("workers").group("g");

    // TE-15
    assertThat(parity("r1/x1:4").admit(workload("w", leader, workers)))
        .contains("allows to fit only 4 out of 4 pod(s)");
    assertThat(strict("r1/x1:4").admit(workload("w", leader, workers)))
        .contains("doesn't allow to fit any of 4 pod(s)");
  }

  private static String twoQueuesInOneCycle(Cluster cluster) {
    cluster.with(queue("q2", 1000, "tas"));
    cluster.engine.submit(workload("a", "q", pods(2, "1", ONE_RACK)));
    cluster.engine.submit(workload("b", "q2", pods(2, "1", ONE_RACK)));
    cluster.engine.runCycle();
    return cluster.workload("a").place() + ", " + cluster.workload("b").place();
  }

  @Test
  void placesAmongThePodsOfANodeCountInTheSecondLookOrNot() {
    assertThat(twoQueuesInOneCycle(parity("r1/x1:9:3"))).isEqualTo("x1:2, x1:2");
    assertThat(twoQueuesInOneCycle(strict("r1/x1:9:3"))).isEqualTo("x1:2, nowhere");
  }

  @Test
  void podsThatRequestNothingAreNeverAdmittedOrAre() {
    PodSet.Builder leader = PodSet.builder().name("leader").group("g").topologyRequest(ONE_RACK);
    PodSet.Builder workers = pods(2, "1", ONE_RACK).name("workers").group("g");

    assertThat(parity("r1/x1:4").admit(workload("w", leader, workers))).doesNotContain("x1:2");
    assertThat(strict("r1/x1:4").admit(workload("w", leader, workers))).isEqualTo("x1:1 + x1:2");
  }

  @Test
  void aLeaderThatFitsNoHostIsNoNumberOfPods() {
    TopologyRequest oneHost = TopologyRequest.required(Topology.HOSTNAME);
    PodSet.Builder leader = pods(1, "10", oneHost).name("leader").group("g");
    PodSet.Builder workers = pods(4, "1", oneHost).name("workers").group("g");

    assertThat(strict("r1/x1:4").admit(workload("w", leader, workers)))
        .contains("doesn't allow to fit any of 4 pod(s)");
  }
}
