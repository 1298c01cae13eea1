package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.TaintEffect;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Makes a topology {@code dc}, nodes {@code n0 …} in it, and requests for places there. */
final class TopologyGenerator {
  static final String TOPOLOGY = "dc";
  private static final String POOL = "pool";
  private static final int NODES = 6;
  private static final ImmutableList<ImmutableList<String>> LEVELS = ImmutableList.of(
      ImmutableList.of("block", "rack", Topology.HOSTNAME),
      ImmutableList.of("rack", Topology.HOSTNAME),
      ImmutableList.of(Topology.HOSTNAME),
      ImmutableList.of("block", "rack"));

  private final Dice dice;
  private final Topology topology;

  /** Whether flavors of odd number have nodes that are of no topology. */
  private final boolean isMixed;

  private final boolean sharesNodes;
  private final boolean hasTaints;

  TopologyGenerator(Dice dice, boolean hasTaints) {
    this.dice = dice;
    this.hasTaints = hasTaints;
    topology = new Topology(TOPOLOGY, dice.pick(LEVELS));
    isMixed = dice.oneIn(4);
    sharesNodes = dice.oneIn(2);
  }

  ImmutableList<ConfigObject> everything() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(topology);
    IntStream.range(0, NODES).mapToObj(this::node).forEach(objects::add);
    return objects.build();
  }

  boolean hasTopology(int flavor) {
    return !isMixed || flavor % 2 == 0;
  }

  void addTo(ResourceFlavor.Builder flavor, int number) {
    if (hasTopology(number)) {
      flavor.putNodeLabels(POOL, pool(number)).topologyName(TOPOLOGY);
    }
  }

  private String pool(int number) {
    return sharesNodes || number % 2 == 0 ? "even" : "odd";
  }

  ConfigObject topology() {
    return topology;
  }

  /** {@return a node; those of one number differ in what they have, not in where they are} */
  Node node(int number) {
    Node.Builder node = Node.builder()
        .name("n" + number)
        .putLabels("block", "b" + number / 4)
        .putLabels("rack", "r" + number / 2 % 2)
        .putLabels(Topology.HOSTNAME, "h" + number)
        .putLabels(POOL, pool(number / 3))
        .putLabels(ClusterGenerator.NODE, dice.oneIn(3) ? "y" : "x")
        .putAllocatable(QuotaGenerator.CPU, dice.upTo(8) * 501L)
        .putAllocatable(QuotaGenerator.GPU, dice.upTo(7))
        .putAllocatable(QuotaGenerator.PODS, dice.oneIn(4) ? dice.upTo(5) : 20);
    if (dice.oneIn(6)) {
      node.putUsedByOthers(QuotaGenerator.GPU, dice.upTo(2));
    }
    if (hasTaints && dice.oneIn(4)) {
      node.addTaints(new Taint("spot", "", dice.pick(List.of(TaintEffect.values()))));
    }
    return node.ready(!dice.oneIn(12)).unschedulable(dice.oneIn(12)).build();
  }

  Step change() {
    int number = dice.upTo(NODES - 1);
    return switch (dice.upTo(7)) {
      case 0 -> new Step.Remove(Step.Kind.NODE, "", "n" + number);
      case 1 ->
        dice.oneIn(2)
            ? new Step.Remove(Step.Kind.TOPOLOGY, "", TOPOLOGY)
            : new Step.Apply(ImmutableList.of(topology));
      default -> new Step.Apply(ImmutableList.of(node(number)));
    };
  }

  // ----- requests

  TopologyRequest request() {
    ImmutableList<String> levels = topology.levels();
    TopologyRequest.Builder request = TopologyRequest.builder();
    int level = dice.upTo(levels.size() - 1);
    int highest = 0;
    switch (dice.upTo(6)) {
      case 0, 1 -> {
        request.required(levels.get(level));
        highest = level;
      }
      case 2, 3 -> {
        request.preferred(levels.get(level));
        highest = level;
      }
      case 4 -> request.unconstrained(true);
      default -> {
        return TopologyRequest.none();
      }
    }
    if (dice.oneIn(3)) {
      String sliceLevel = levels.get(dice.between(highest, levels.size() - 1));
      request.addSliceConstraints(new SliceConstraint(sliceLevel, dice.between(1, 2)));
    }
    return request.build();
  }

  /** {@return all pods on one node, whether there is room or not} */
  TopologyAssignment place(int pods) {
    Node node = node(dice.upTo(NODES - 1));
    ImmutableList<String> levels = topology.levels();
    ImmutableList<String> told =
        topology.endsInHosts() ? levels.subList(levels.size() - 1, levels.size()) : levels;
    ImmutableList<String> values = told.stream()
        .map(level -> Objects.requireNonNull(node.labels().get(level)))
        .collect(ImmutableList.toImmutableList());
    return new TopologyAssignment(
        told, ImmutableList.of(new TopologyAssignment.Domain(values, pods)));
  }
}
