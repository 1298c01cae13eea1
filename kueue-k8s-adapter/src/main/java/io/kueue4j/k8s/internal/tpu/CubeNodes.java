package io.kueue4j.k8s.internal.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pool of cubes, built from nodes whose labels name their partition of each shape. The labels
 * determine the position of a node in its cube: each partition consists of two of the next smaller
 * shape, in the order of their ids. A cube without ids of smaller partitions can only be used as a
 * whole.
 *
 * <p>The state of a partition is the worst of its own label and of the partitions inside.
 *
 * <p>Rules: TPU-U-18, TPU-U-25, TPU-U-26.
 */
final class CubeNodes {
  private static final int HOSTS = 16;

  /** The states, worst first; no label value means cordoned. */
  private static final ImmutableList<HostHealth> WORST_FIRST =
      ImmutableList.of(HostHealth.DOWN, HostHealth.DEGRADED, HostHealth.HEALTHY);

  /**
   * A shape that is half of the previous one, and the distance between the first hosts of the
   * halves.
   */
  private record Half(String shape, int distance) {}

  /** Hosts of a cube are numbered two wide, two high, four deep. */
  private static final ImmutableList<Half> HALVES = ImmutableList.of(
      new Half("2x4x4", 1), new Half("2x2x4", 2), new Half("2x2x2", 8), new Half("2x2x1", 4));

  private final String block;
  private final List<Violation> violations;
  private final List<String> names = new ArrayList<>();
  private final ImmutableMap.Builder<TpuPool.Block, String> ids = ImmutableMap.builder();
  private final ImmutableList.Builder<PartitionState> states = ImmutableList.builder();

  /** The state of a partition that is not healthy. */
  record PartitionState(TpuPool.Block partition, HostHealth health) {}

  /** A pool with its partitions that are not healthy. */
  record Cubes(TpuPool pool, ImmutableList<PartitionState> states) {}

  private CubeNodes(String block, List<Violation> violations) {
    this.block = block;
    this.violations = violations;
  }

  /** {@return the pool, empty if labels are wrong, which is added to the violations} */
  static Optional<Cubes> read(String block, List<TpuNode> nodes, List<Violation> violations) {
    int before = violations.size();
    CubeNodes pool = new CubeNodes(block, violations);
    Map<String, List<TpuNode>> cubes = by(TpuNode.CUBE, nodes);
    int cube = 0;
    for (Map.Entry<String, List<TpuNode>> members : cubes.entrySet()) {
      pool.addCube(cube, members.getKey(), members.getValue());
      cube++;
    }
    return violations.size() > before
        ? Optional.empty()
        : Optional.of(new Cubes(
            TpuPool.cubes(block, nodes.get(0).generation(), cubes.size())
                .withNodes(pool.names)
                .withPartitionIds(pool.ids.buildOrThrow()),
            pool.states.build()));
  }

  private static Map<String, List<TpuNode>> by(String shape, List<TpuNode> nodes) {
    Map<String, List<TpuNode>> groups = new TreeMap<>();
    for (TpuNode node : nodes) {
      groups
          .computeIfAbsent(node.label(TpuLabels.partitionId(shape)), unused -> new ArrayList<>())
          .add(node);
    }
    return groups;
  }

  private void addCube(int cube, String id, List<TpuNode> members) {
    int first = cube * HOSTS;
    if (members.get(0).chips() * HOSTS != SliceShape.parse(TpuNode.CUBE).chips()) {
      violations.add(members
          .get(0)
          .violation(
              TpuLabels.ACCELERATOR_COUNT,
              members.get(0).chips() + " chips in a cube; expected hosts of 4 chips"));
      return;
    }
    if (members.size() > HOSTS) {
      violations.add(members
          .get(HOSTS)
          .violation(
              TpuLabels.partitionId(TpuNode.CUBE),
              "one of %d nodes with this id; expected %d in a cube"
                  .formatted(members.size(), HOSTS)));
      return;
    }
    Map<Integer, String> hosts = new LinkedHashMap<>();
    TpuPool.Block whole = new TpuPool.Block(SliceShape.parse(TpuNode.CUBE), first);
    ids.put(whole, id);
    HostHealth inside = divide(members, 0, first, hosts);
    addState(whole, worse(inside, worst(TpuNode.CUBE, members)));
    for (int host = first; host < first + HOSTS; host++) {
      names.add(hosts.getOrDefault(host, "(missing node " + host + " of " + block + ")"));
    }
  }

  private static HostHealth worst(String shape, List<TpuNode> members) {
    return members.stream()
        .map(member -> member.partitionHealth(shape))
        .reduce(HostHealth.HEALTHY, CubeNodes::worse);
  }

  private static HostHealth worse(HostHealth one, HostHealth other) {
    return WORST_FIRST.indexOf(one) <= WORST_FIRST.indexOf(other) ? one : other;
  }

  private void addState(TpuPool.Block partition, HostHealth health) {
    if (health != HostHealth.HEALTHY) {
      states.add(new PartitionState(partition, health));
    }
  }

  /** {@return the worst state of the partitions inside one} */
  private HostHealth divide(
      List<TpuNode> members, int level, int first, Map<Integer, String> hosts) {
    if (level == HALVES.size()) {
      hosts.put(first, members.get(0).name());
      if (members.size() > 1) {
        violations.add(members
            .get(1)
            .violation(
                TpuLabels.partitionId(HALVES.get(level - 1).shape()),
                "the same as of node " + members.get(0).name() + "; expected one host in each"));
      }
      return HostHealth.HEALTHY;
    }
    Half half = HALVES.get(level);
    Map<String, List<TpuNode>> parts = by(half.shape(), members);
    String label = TpuLabels.partitionId(half.shape());
    if (parts.containsKey("") && (level > 0 || parts.size() > 1)) {
      violations.add(
          parts
              .get("")
              .get(0)
              .violation(
                  label,
                  "missing; expected the ids of partitions of all shapes in a cube, or of 4x4x4 alone"));
      return HostHealth.DOWN;
    }
    if (parts.containsKey("")) {
      addWhole(members, first, hosts);
      return HostHealth.HEALTHY;
    }
    if (parts.size() > 2) {
      violations.add(members
          .get(0)
          .violation(
              label,
              "one of %d beside it; expected two in a partition twice as large"
                  .formatted(parts.size())));
      return HostHealth.DOWN;
    }
    HostHealth worst = HostHealth.HEALTHY;
    int part = 0;
    for (Map.Entry<String, List<TpuNode>> of : parts.entrySet()) {
      int at = first + part * half.distance();
      TpuPool.Block partition = new TpuPool.Block(SliceShape.parse(half.shape()), at);
      ids.put(partition, of.getKey());
      HostHealth inside = divide(of.getValue(), level + 1, at, hosts);
      HostHealth health = worse(inside, worst(half.shape(), of.getValue()));
      addState(partition, health);
      worst = worse(worst, health);
      part++;
    }
    return worst;
  }

  /** Adds a cube whose smaller partitions are unknown, so that no smaller slice can be formed. */
  private void addWhole(List<TpuNode> members, int first, Map<Integer, String> hosts) {
    members.sort(Comparator.comparing(TpuNode::name));
    for (int i = 0; i < members.size(); i++) {
      hosts.put(first + i, members.get(i).name());
    }
    addMissing(0, first);
  }

  private void addMissing(int level, int first) {
    if (level < HALVES.size()) {
      Half half = HALVES.get(level);
      for (int at = first; at <= first + half.distance(); at += half.distance()) {
        addState(new TpuPool.Block(SliceShape.parse(half.shape()), at), HostHealth.DOWN);
        addMissing(level + 1, at);
      }
    }
  }
}
