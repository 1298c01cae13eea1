package io.kueue4j.core;

import static io.kueue4j.core.Hosts.hostBuilder;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.TopologyRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Nodes that change: the engine decides like one that has known the final nodes from the start. */
class NodeUpdateProperties {
  private static final String NODES = "r1/x1:3 r1/x2:3 r2/x3:3 r2/x4:3";

  /** A request that is decided before and after each change. */
  private static final List<TopologyRequest> REQUESTS = List.of(
      TopologyRequest.anywhere(),
      TopologyRequest.preferred(Hosts.RACK),
      TopologyRequest.required(Hosts.RACK));

  @Provide
  Arbitrary<List<Node>> changes() {
    Arbitrary<Node> change = Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 2),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 9))
        .as(NodeUpdateProperties::node);
    return change.list().ofMinSize(1).ofMaxSize(12);
  }

  private static Node node(int number, int rack, int cpus, int kind) {
    int home = number <= 2 ? 1 : 2;
    Node.Builder node = hostBuilder("r" + (kind == 0 ? rack : home) + "/x" + number + ":" + cpus);
    return switch (kind) {
      case 1 -> node.ready(false).build();
      case 2 -> node.unschedulable(true).build();
      case 3 -> node.addTaints(new Taint("k", "v", Taint.Effect.NO_SCHEDULE)).build();
      case 4, 5 ->
        node.usedByOthersAmount("cpu", 1000).usedByOthersAmount("pods", 1).build();
      case 6 -> node.allocatable("memory", "1Gi").build();
      default -> node.build();
    };
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void anEngineKeepsUpWithItsNodes(@ForAll("changes") List<Node> changes) {
    Cluster changing = Hosts.cluster(Settings.defaults(), NODES);
    changing.admit(workload("running", pods(2, "1", TopologyRequest.anywhere())));
    Map<String, Node> last = new TreeMap<>();
    for (Node node : changes) {
      changing.engine.apply(node);
      last.put(node.name(), node);
      Cluster fresh = Hosts.cluster(Settings.defaults(), NODES);
      last.values().forEach(fresh.engine::apply);
      fresh
          .engine
          .lifecycle()
          .restore(
              workload("running", pods(2, "1", TopologyRequest.anywhere())),
              changing.engine.admission(Cluster.id("running")).orElseThrow());
      for (TopologyRequest request : REQUESTS) {
        for (int count = 1; count <= 6; count++) {
          String name = "w" + count;
          String expected = fresh.admit(workload(name, pods(count, "1", request)));
          fresh.engine.release(Cluster.id(name));
          String actual = changing.admit(workload(name, pods(count, "1", request)));
          changing.engine.release(Cluster.id(name));
          assertThat(actual).isEqualTo(expected);
        }
      }
    }
  }
}
