package io.kueue4j.core.internal.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.internal.topology.PodSetPlacer.Outcome;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes written as {@code b1/r1/x3:1}: the values of the levels, and how many cpus the node has.
 * Pods ask for one cpu unless said otherwise, and answers read {@code x3:1 x5:2}.
 */
final class NodeTree {
  static final String BLOCK = "block";
  static final String RACK = "rack";
  static final String HOST = Topology.HOSTNAME;

  final Catalog catalog = new Catalog();
  final Inventory inventory;

  private final Settings settings;

  private NodeTree(Topology topology, String nodes, Settings settings) {
    this.settings = settings;
    List<Node> all = new ArrayList<>();
    for (String text : Splitter.on(' ').omitEmptyStrings().split(nodes.replace('\n', ' '))) {
      List<String> parts = Splitter.on(':').splitToList(text);
      List<String> values = Splitter.on('/').splitToList(parts.get(0));
      checkArgument(values.size() >= topology.levels().size(), text);
      boolean isLiked = parts.get(parts.size() - 1).equals("liked");
      Node.Builder node = Node.builder()
          .name(parts.get(0).replace('/', '-') + "-" + all.size())
          .putLabels("pool", "tas")
          .allocatableAmount("cpu", Long.parseLong(parts.get(1)) * 1000)
          .allocatableAmount(
              "pods", parts.size() > 2 && !isLiked ? Long.parseLong(parts.get(2)) : 1000)
          .putLabels("liked", String.valueOf(isLiked));
      for (int level = 0; level < topology.levels().size(); level++) {
        node.putLabels(topology.levels().get(level), values.get(level));
      }
      all.add(node.build());
    }
    ResourceFlavor flavor =
        ResourceFlavor.builder().name("tas").putNodeLabels("pool", "tas").build();
    this.inventory = Inventory.of(
        topology,
        flavor,
        all,
        catalog,
        settings.isEnabled(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS));
  }

  static NodeTree of(List<String> levels, String nodes) {
    return of(levels, nodes, Settings.defaults());
  }

  static NodeTree of(List<String> levels, String nodes, Settings settings) {
    return new NodeTree(new Topology("default", ImmutableList.copyOf(levels)), nodes, settings);
  }

  /** {@return blocks, racks and hosts} */
  static NodeTree hosts(String nodes) {
    return of(List.of(BLOCK, RACK, HOST), nodes);
  }

  Member pods(int count, TopologyRequest request) {
    return pods(count, request, 1000);
  }

  Member pods(int count, TopologyRequest request, long milliCpu) {
    PodSet podSet = PodSet.builder()
        .count(count)
        .requestAmount("cpu", milliCpu)
        .topologyRequest(request)
        .build();
    return new Member(podSet, count, PodRequest.of(podSet.requests(), catalog), false);
  }

  Member member(PodSet podSet) {
    return new Member(podSet, podSet.count(), PodRequest.of(podSet.requests(), catalog), false);
  }

  /** {@return where pods are after a host has failed, of those who are at {@code places} now} */
  String replace(TopologyRequest request, long milliCpu, String places, String failed) {
    ImmutableList.Builder<TopologyAssignment.Domain> domains = ImmutableList.builder();
    int count = 0;
    for (String place : Splitter.on(' ').split(places)) {
      List<String> parts = Splitter.on(':').splitToList(place);
      count += Integer.parseInt(parts.get(1));
      domains.add(new TopologyAssignment.Domain(
          ImmutableList.of(parts.get(0)), Integer.parseInt(parts.get(1))));
    }
    TopologyAssignment current = new TopologyAssignment(ImmutableList.of(HOST), domains.build());
    Member pods = pods(count, request, milliCpu);
    for (TopologyAssignment.Domain domain : current.domains()) {
      inventory
          .leaf(domain.values())
          .ifPresent(leaf -> inventory.charge(leaf, pods.request(), domain.count()));
    }
    NodeReplacement.Outcome outcome = new NodeReplacement(placer()).replace(pods, current, failed);
    return outcome instanceof NodeReplacement.Outcome.Replaced replaced
        ? replaced.assignment().domains().stream()
            .map(domain -> domain.values().get(0) + ":" + domain.count())
            .collect(Collectors.joining(" "))
        : ((NodeReplacement.Outcome.Failed) outcome).problem();
  }

  String place(int count, TopologyRequest request) {
    return text(outcome(pods(count, request), null));
  }

  /** {@return leader, then workers} */
  String place(Member workers, @Nullable Member leader) {
    return text(outcome(workers, leader));
  }

  /** Places pods and leaves them there. */
  String take(int count, TopologyRequest request) {
    Member pods = pods(count, request);
    Outcome outcome = outcome(pods, null);
    if (outcome instanceof Outcome.Placed placed) {
      placed.leaves().forEach(leaf -> inventory.charge(leaf.leaf(), pods.request(), leaf.count()));
    }
    return text(outcome);
  }

  private Outcome outcome(Member workers, @Nullable Member leader) {
    PodSetPlacer.Members members = new PodSetPlacer.Members(workers, leader);
    Outcome outcome = placer().place(members, true);
    assertThat(placer().fits(members).getAsBoolean()).isEqualTo(outcome instanceof Outcome.Placed);
    return outcome;
  }

  private PodSetPlacer placer() {
    return new PodSetPlacer(inventory, settings);
  }

  private String text(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.failure().toString();
    }
    Outcome.Placed placed = (Outcome.Placed) outcome;
    String leader =
        placed.leaderLeaf() < 0 ? "" : "leader " + name(placed.leaderLeaf()) + " workers ";
    return leader
        + placed.leaves().stream()
            .map(leaf -> name(leaf.leaf()) + ":" + leaf.count())
            .collect(Collectors.joining(" "));
  }

  private String name(int leaf) {
    return String.join("/", inventory.values(leaf));
  }
}
