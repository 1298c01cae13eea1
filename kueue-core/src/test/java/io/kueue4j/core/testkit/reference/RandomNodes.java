package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;

/** A topology and nodes at random: one to four levels, up to four domains below each. */
final class RandomNodes {
  private static final ImmutableList<String> LEVELS = ImmutableList.of("zone", "block", "rack");
  private static final ImmutableList<String> NAMES = ImmutableList.of("a", "b", "c10", "c2");

  private final Choices choices;

  /** Whether filters, other resources and odd nodes appear; without them more fits. */
  private final boolean isPlain;

  private final boolean fewPods;

  /** The most of a resource that a node has. */
  private final int most;

  private final int children;
  final Topology topology;
  final ImmutableList<Node> nodes;

  private RandomNodes(Choices choices, boolean isSmall) {
    this.choices = choices;
    isPlain = isSmall || choices.oneIn(2);
    fewPods = !isSmall && choices.oneIn(6);
    most = isSmall ? 1 + choices.nextInt(7) : 12;
    children = choices.of(List.of(2, 3, 3, 4));
    int count = choices.of(List.of(1, 2, 2, 3, 3, 3, 4));
    List<String> levels = new ArrayList<>(LEVELS.subList(0, Math.min(count, LEVELS.size())));
    if (count > LEVELS.size() || !choices.oneIn(4)) {
      int last = count > LEVELS.size() ? count : count - 1;
      levels.subList(Math.min(last, levels.size()), levels.size()).clear();
      levels.add(Topology.HOSTNAME);
    }
    topology = new Topology("dc", ImmutableList.copyOf(levels));
    List<Node> all = new ArrayList<>();
    addBelow(List.of(), all);
    nodes = ImmutableList.copyOf(choices.shuffled(all));
  }

  /** {@return nodes of all kinds} */
  static RandomNodes any(Choices choices) {
    return new RandomNodes(choices, false);
  }

  /** {@return plain nodes that have little, so that many are alike} */
  static RandomNodes small(Choices choices) {
    return new RandomNodes(choices, true);
  }

  private void addBelow(List<String> path, List<Node> all) {
    int level = path.size();
    if (level == topology.levels().size()) {
      int merged = topology.endsInHosts() ? 1 : choices.of(List.of(1, 1, 2));
      for (int i = 0; i < merged; i++) {
        all.add(node(path, all.size()));
      }
      return;
    }
    List<String> names = choices.shuffled(NAMES).subList(0, 1 + choices.nextInt(children));
    for (String name : names) {
      boolean isHost = topology.endsInHosts() && level == topology.levels().size() - 1;
      List<String> longer = new ArrayList<>(path);
      longer.add(isHost ? name + "-" + String.join("-", path) : name);
      addBelow(longer, all);
    }
  }

  private Node node(List<String> path, int number) {
    Node.Builder node =
        Node.builder().name("n" + number).allocatableAmount("cpu", choices.nextInt(most + 1));
    for (int i = 0; i < path.size(); i++) {
      node.putLabels(topology.levels().get(i), path.get(i));
    }
    node.putLabels("pool", isPlain || !choices.oneIn(15) ? "tas" : "other");
    node.allocatableAmount("pods", fewPods ? choices.nextInt(8) : 100);
    if (choices.oneIn(2)) {
      node.allocatableAmount("gpu", choices.nextInt(9));
    }
    if (!isPlain) {
      addOddities(node);
    }
    return node.build();
  }

  private void addOddities(Node.Builder node) {
    if (choices.oneIn(3)) {
      node.putLabels("disk", choices.of(List.of("ssd", "hdd")));
    }
    if (choices.oneIn(4)) {
      node.addTaints(new Taint(
          "spot", choices.of(List.of("", "yes")), choices.of(List.of(Taint.Effect.values()))));
    }
    if (choices.oneIn(5)) {
      node.usedByOthersAmount("cpu", choices.nextInt(6))
          .usedByOthersAmount("pods", 1 + choices.nextInt(3));
    }
    node.ready(!choices.oneIn(20)).unschedulable(choices.oneIn(20));
  }

  /** {@return how much cpu all nodes have together} */
  long cpu() {
    return nodes.stream()
        .mapToLong(node -> node.allocatable().getOrDefault("cpu", 0L))
        .sum();
  }

  ResourceFlavor flavor(String name) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder()
        .name(name)
        .putNodeLabels("pool", "tas")
        .topologyName(topology.name());
    if (choices.oneIn(5)) {
      flavor.addTolerations(Toleration.exists("spot"));
    }
    return flavor.build();
  }
}
