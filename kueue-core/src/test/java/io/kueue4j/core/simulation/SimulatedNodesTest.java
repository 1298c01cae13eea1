package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes that fail and recover. */
class SimulatedNodesTest {
  private static Node node(String name) {
    return node(name, "4").build();
  }

  private static Node.Builder node(String name, String cpu) {
    return Node.builder()
        .name(name)
        .putLabels(Topology.HOSTNAME, "host-" + name)
        .putLabels("pool", "main")
        .allocatable("cpu", cpu)
        .allocatable("pods", "10");
  }

  private static SimulationJob job(String name, long second, int pods, long seconds) {
    Workload workload = Workload.builder()
        .namespace(Jobs.NAMESPACE)
        .name(name)
        .queueName("q")
        .addPodSets(PodSet.builder()
            .count(pods)
            .request("cpu", "4")
            .topologyRequest(TopologyRequest.anywhere())
            .build())
        .build();
    return SimulationJob.of(workload, at(second), Duration.ofSeconds(seconds));
  }

  private static SimulationResult run(SimulationJob job, int nodes, SimulationEvent... events) {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.<ConfigObject>builder()
        .add(
            Topology.of("hosts", Topology.HOSTNAME),
            ResourceFlavor.builder()
                .name("default")
                .putNodeLabels("pool", "main")
                .topologyName("hosts")
                .build(),
            Jobs.clusterQueue("q", 40).build(),
            Jobs.localQueue("q"));
    for (int i = 0; i < nodes; i++) {
      objects.add(node("n" + i));
    }
    return Simulation.builder()
        .configuration(objects.build())
        .trace(ImmutableList.of(job))
        .events(events)
        .build()
        .run();
  }

  @Test
  void podsMoveToAnotherNode() {
    SimulationResult result =
        run(job("a", 0, 2, 100), 3, new SimulationEvent.FailNode(at(30), "n0"));

    assertThat(result.job(id("a")).orElseThrow())
        .returns(1, JobResult::starts)
        .returns(Optional.of(at(100)), JobResult::ended);
    assertThat(IntStream.range(0, result.events()).mapToObj(i -> result.log().kind(i)))
        .containsExactly(
            EventKind.SUBMITTED,
            EventKind.ADMITTED,
            EventKind.CLUSTER_CHANGED,
            EventKind.MOVED,
            EventKind.FINISHED);
  }

  @Test
  void podsThatHaveMovedMoveAgain() {
    SimulationResult result = run(
        job("a", 0, 1, 100),
        3,
        new SimulationEvent.FailNode(at(30), "n0"),
        new SimulationEvent.FailNode(at(40), "n1"));

    assertThat(IntStream.range(0, result.events()).mapToObj(i -> result.log().kind(i)))
        .containsExactly(
            EventKind.SUBMITTED,
            EventKind.ADMITTED,
            EventKind.CLUSTER_CHANGED,
            EventKind.MOVED,
            EventKind.CLUSTER_CHANGED,
            EventKind.MOVED,
            EventKind.FINISHED);
  }

  @Test
  void aJobThatFitsNowhereElseWaitsUntilTheNodeRecovers() {
    SimulationResult result = run(
        job("a", 0, 2, 100),
        2,
        new SimulationEvent.FailNode(at(30), "n0"),
        new SimulationEvent.FailNode(at(31), "n0"),
        new SimulationEvent.FailNode(at(32), "unknown"),
        new SimulationEvent.RecoverNode(at(50), "n0"),
        new SimulationEvent.RecoverNode(at(51), "n0"));

    assertThat(result.job(id("a")).orElseThrow())
        .returns(2, JobResult::starts)
        .returns(1, JobResult::evictions)
        .returns(Optional.of(at(150)), JobResult::ended)
        .returns(Duration.ofSeconds(30), JobResult::lostWork);
  }

  @Test
  void aNodeRemovedWhileItHasFailedDoesNotRecover() {
    SimulationResult result = run(
        job("a", 0, 2, 100),
        2,
        new SimulationEvent.FailNode(at(30), "n0"),
        new SimulationEvent.Remove(at(40), ImmutableList.of(node("n0"))),
        new SimulationEvent.RecoverNode(at(50), "n0"));

    assertThat(result.job(id("a")).orElseThrow())
        .returns(1, JobResult::starts)
        .returns(Optional.empty(), JobResult::ended);
  }

  @Test
  void aNodeReplacedWhileItHasFailedRecoversAsItIsNow() {
    Node larger = node("n0", "8").ready(false).build();
    SimulationResult result = run(
        job("a", 0, 3, 100),
        3,
        new SimulationEvent.FailNode(at(30), "n0"),
        new SimulationEvent.Remove(at(40), ImmutableList.of(node("n1"))),
        new SimulationEvent.Apply(at(41), ImmutableList.of(larger)),
        new SimulationEvent.RecoverNode(at(50), "n0"));

    assertThat(result.job(id("a")).orElseThrow())
        .returns(2, JobResult::starts)
        .returns(Optional.of(at(150)), JobResult::ended);
  }
}
