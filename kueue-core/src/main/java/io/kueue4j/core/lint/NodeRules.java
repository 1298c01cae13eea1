package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares flavors and topologies with the nodes, if there are any.
 *
 * @param stage the configuration in force
 */
record NodeRules(Stage stage) {
  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    ImmutableList<Node> nodes = stage.all(Node.class);
    if (nodes.isEmpty()) {
      return;
    }
    for (ResourceFlavor flavor : stage.all(ResourceFlavor.class)) {
      if (flavor.tpuPoolSet().isEmpty() && nodesOf(flavor, nodes).isEmpty()) {
        findings.accept(new Finding(
            LintRule.FLAVOR_WITHOUT_NODES,
            flavor.key(),
            "nodeLabels",
            "none of the " + nodes.size() + " nodes has the labels " + flavor.nodeLabels()
                + "; pods that are admitted on the flavor cannot run",
            "correct the labels, or add nodes that have them",
            onFlavor(flavor)));
      }
    }
    stage.all(Topology.class).forEach(topology -> checkLevels(topology, nodes, findings));
  }

  private static ImmutableList<Node> nodesOf(ResourceFlavor flavor, ImmutableList<Node> nodes) {
    return nodes.stream()
        .filter(node -> node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet()))
        .collect(toImmutableList());
  }

  /** {@return the play of a workload that is admitted on a flavor, or waits for its nodes} */
  private Optional<Play> onFlavor(ResourceFlavor flavor) {
    return queueOf(flavor).flatMap(queue -> {
      QuotaPair pair = pairOf(queue, flavor).orElseThrow();
      return stage
          .playLeast(queue, pair)
          .filter(outcome -> outcome.isWaiting() || outcome.holds(pair))
          .map(Outcome::play);
    });
  }

  private Optional<ClusterQueue> queueOf(ResourceFlavor flavor) {
    return stage.all(ClusterQueue.class).stream()
        .filter(queue -> stage.view(queue).isActive())
        .filter(queue -> pairOf(queue, flavor).isPresent())
        .findFirst();
  }

  private Optional<QuotaPair> pairOf(ClusterQueue queue, ResourceFlavor flavor) {
    return stage.quotas().pairOf(queue.key(), flavor.name());
  }

  private void checkLevels(
      Topology topology, ImmutableList<Node> nodes, Consumer<Finding> findings) {
    ImmutableList<ResourceFlavor> flavors = stage.all(ResourceFlavor.class).stream()
        .filter(flavor -> flavor.topologyName().equals(Optional.of(topology.name())))
        .collect(toImmutableList());
    ImmutableList<Node> below = flavors.stream()
        .flatMap(flavor -> nodesOf(flavor, nodes).stream())
        .distinct()
        .collect(toImmutableList());
    for (int i = 0; i < topology.levels().size() && !below.isEmpty(); i++) {
      String level = topology.levels().get(i);
      if (below.stream().noneMatch(node -> node.labels().containsKey(level))) {
        String field = "levels[" + i + "].nodeLabel";
        flavors.stream()
            .flatMap(flavor -> withoutLevel(flavor, level).stream())
            .findFirst()
            .ifPresent(play -> findings.accept(new Finding(
                LintRule.LEVEL_WITHOUT_NODES,
                topology.key(),
                field,
                "none of the " + below.size() + " nodes of its flavors has the label " + level
                    + ", so no pod can be placed by the topology",
                "correct the level, or label the nodes",
                Optional.of(play))));
      }
    }
  }

  /** {@return the play of a workload that waits since it needs one domain of a level} */
  private Optional<Play> withoutLevel(ResourceFlavor flavor, String level) {
    Optional<ClusterQueue> queue = queueOf(flavor);
    Optional<Entrance> entrance = queue.flatMap(stage::entrance);
    if (entrance.isEmpty()) {
      return Optional.empty();
    }
    PodSet podSet = PodSet.builder()
        .from(stage.podSet(pairOf(queue.get(), flavor).orElseThrow(), 1))
        .topologyRequest(TopologyRequest.required(level))
        .build();
    Workload workload = stage.request(entrance.get().queue(), 1, podSet);
    Outcome outcome = stage.play(entrance.get(), workload);
    return outcome.reasons(workload).isEmpty() ? Optional.empty() : Optional.of(outcome.play());
  }
}
