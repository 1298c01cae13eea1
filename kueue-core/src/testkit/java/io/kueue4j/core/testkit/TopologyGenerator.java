package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Generates one topology or two, {@code dc} and {@code other}, nodes {@code n0 …} in them, and
 * placement requests.
 */
final class TopologyGenerator {
  private static final String TOPOLOGY = "dc";
  private static final String OTHER = "other";
  private static final String POOL = "pool";
  private static final int NODES = 6;
  private static final ImmutableList<List<String>> LEVELS = ImmutableList.of(
      ImmutableList.of("block", "rack", Topology.HOSTNAME),
      ImmutableList.of("rack", Topology.HOSTNAME),
      ImmutableList.of(Topology.HOSTNAME),
      ImmutableList.of("block", "rack"));

  private final Dice dice;
  private final Topology topology;

  /** The topology of flavors with odd numbers; may be the same as of the others. */
  private final Topology other;

  /** Whether flavors with odd numbers have nodes without a topology. */
  private final boolean isMixed;

  private final boolean sharesNodes;
  private final boolean hasTaints;

  TopologyGenerator(Dice dice, boolean hasTaints) {
    this.dice = dice;
    this.hasTaints = hasTaints;
    topology = new Topology(TOPOLOGY, dice.pick(LEVELS));
    other = dice.oneIn(3) ? new Topology(OTHER, dice.pick(LEVELS)) : topology;
    isMixed = dice.oneIn(4);
    sharesNodes = dice.oneIn(2);
  }

  ImmutableList<ConfigObject> everything() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(topology);
    if (!other.equals(topology)) {
      objects.add(other);
    }
    IntStream.range(0, NODES).mapToObj(this::node).forEach(objects::add);
    return objects.build();
  }

  boolean hasTopology(int flavor) {
    return !isMixed || flavor % 2 == 0;
  }

  void addTo(ResourceFlavor.Builder flavor, int number) {
    if (hasTopology(number)) {
      flavor.putNodeLabels(POOL, pool(number)).topologyName(of(number).name());
    }
  }

  private Topology of(int flavor) {
    return flavor % 2 == 0 ? topology : other;
  }

  private String pool(int number) {
    return sharesNodes || number % 2 == 0 ? "even" : "odd";
  }

  private int anyNode() {
    return dice.upTo(NODES - 1);
  }

  private static String name(int node) {
    return "n" + node;
  }

  private static String host(int node) {
    return "h" + node;
  }

  /** {@return the name of the node with a host name} */
  static String nodeOf(String host) {
    return "n" + host.substring(1);
  }

  /** {@return a node; nodes with the same number differ in their capacity, not in their labels} */
  Node node(int number) {
    Node.Builder node = Node.builder()
        .name(name(number))
        .putLabels("block", "b" + number / 4)
        .putLabels("rack", "r" + number / 2 % 2)
        .putLabels(Topology.HOSTNAME, host(number))
        .putLabels(POOL, pool(number / 3))
        .putLabels(ClusterGenerator.NODE, dice.oneIn(3) ? "y" : "x")
        .allocatableAmount(QuotaGenerator.CPU, dice.upTo(8) * 501L)
        .allocatableAmount(QuotaGenerator.GPU, dice.upTo(7))
        .allocatableAmount(QuotaGenerator.PODS, dice.oneIn(4) ? dice.upTo(5) : 20);
    if (dice.oneIn(6)) {
      node.usedByOthersAmount(QuotaGenerator.GPU, dice.upTo(2));
    }
    if (hasTaints && dice.oneIn(4)) {
      node.addTaints(new Taint("spot", "", dice.pick(List.of(Taint.Effect.values()))));
    }
    return node.ready(!dice.oneIn(12)).unschedulable(dice.oneIn(12)).build();
  }

  Step change() {
    int number = anyNode();
    return switch (dice.upTo(7)) {
      case 0 -> new Step.Remove(Step.Kind.NODE, "", name(number));
      case 1 -> {
        Topology changed = of(dice.upTo(1));
        yield dice.oneIn(2)
            ? new Step.Remove(Step.Kind.TOPOLOGY, "", changed.name())
            : new Step.Apply(ImmutableList.of(changed));
      }
      default -> new Step.Apply(ImmutableList.of(node(number)));
    };
  }

  // ----- requests

  TopologyRequest request() {
    List<String> levels = of(dice.upTo(1)).levels();
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
      addSlices(request, dice.between(highest, levels.size() - 1), levels);
    }
    return request.build();
  }

  private void addSlices(TopologyRequest.Builder request, int level, List<String> levels) {
    if (level == levels.size() - 1 || dice.oneIn(2)) {
      request.addSliceConstraints(new SliceConstraint(levels.get(level), dice.between(1, 2)));
    } else {
      int inner = dice.between(level + 1, levels.size() - 1);
      request
          .addSliceConstraints(new SliceConstraint(levels.get(level), 4))
          .addSliceConstraints(new SliceConstraint(levels.get(inner), 2));
    }
  }

  /** {@return one or two preferences of pods for nodes} */
  ImmutableList<PreferredNodeTerm> likedNodes() {
    return IntStream.rangeClosed(0, dice.upTo(1))
        .mapToObj(i -> new PreferredNodeTerm(
            dice.between(1, 3),
            NodeSelectorTerm.of(
                LabelRequirement.in(ClusterGenerator.NODE, dice.oneIn(2) ? "x" : "y"))))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return all pods of a flavor on one node, whether they fit or not} */
  TopologyAssignment place(int flavor, int pods) {
    Node node = node(anyNode());
    List<String> levels = of(flavor).levels();
    List<String> reported =
        of(flavor).endsInHosts() ? levels.subList(levels.size() - 1, levels.size()) : levels;
    List<String> values = reported.stream()
        .map(level -> Objects.requireNonNull(node.labels().get(level)))
        .collect(ImmutableList.toImmutableList());
    return new TopologyAssignment(
        reported, ImmutableList.of(new TopologyAssignment.Domain(values, pods)));
  }
}
