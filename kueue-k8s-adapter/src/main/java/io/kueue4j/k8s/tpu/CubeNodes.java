package io.kueue4j.k8s.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool of cubes, of nodes whose labels say which partition of each shape they are in. Where a
 * node is in its cube follows from that: each partition has two of the next smaller shape, in the
 * order of their ids.
 *
 * <p>Rules: TPU-U-25, TPU-U-26.
 */
final class CubeNodes {
  private static final String CUBE = "4x4x4";
  private static final int HOSTS = 16;

  /** A shape that halves the one before, and how far apart the first hosts of the halves are. */
  private record Half(String shape, int distance) {}

  /** Hosts of a cube are numbered two wide, two high, four deep. */
  private static final ImmutableList<Half> HALVES = ImmutableList.of(
      new Half("2x4x4", 1), new Half("2x2x4", 2), new Half("2x2x2", 8), new Half("2x2x1", 4));

  private final String block;
  private final List<Violation> violations;
  private final List<String> names = new ArrayList<>();
  private final ImmutableMap.Builder<TpuPool.Block, String> ids = ImmutableMap.builder();

  private CubeNodes(String block, List<Violation> violations) {
    this.block = block;
    this.violations = violations;
  }

  /** {@return the pool, null if labels are wrong, which is added to the violations} */
  static @Nullable TpuPool pool(String block, List<TpuNode> nodes, List<Violation> violations) {
    int before = violations.size();
    CubeNodes pool = new CubeNodes(block, violations);
    Map<String, List<TpuNode>> cubes = by(CUBE, nodes);
    int cube = 0;
    for (Map.Entry<String, List<TpuNode>> members : cubes.entrySet()) {
      pool.addCube(cube, members.getKey(), members.getValue());
      cube++;
    }
    return violations.size() > before
        ? null
        : TpuPool.cubes(block, nodes.get(0).generation(), cubes.size())
            .withNodes(pool.names)
            .withPartitionIds(pool.ids.buildOrThrow());
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
    if (members.get(0).chips() * HOSTS != SliceShape.parse(CUBE).chips()) {
      violations.add(members
          .get(0)
          .violation(
              TpuLabels.ACCELERATOR_COUNT,
              members.get(0).chips() + " chips in a cube; expected hosts of 4 chips"));
      return;
    }
    Map<Integer, String> hosts = new LinkedHashMap<>();
    ids.put(new TpuPool.Block(SliceShape.parse(CUBE), first), id);
    divide(members, 0, first, hosts);
    for (int host = first; host < first + HOSTS; host++) {
      names.add(hosts.getOrDefault(host, "(missing node " + host + " of " + block + ")"));
    }
  }

  private void divide(List<TpuNode> members, int level, int first, Map<Integer, String> hosts) {
    if (level == HALVES.size()) {
      hosts.put(first, members.get(0).name());
      if (members.size() > 1) {
        violations.add(members
            .get(1)
            .violation(
                TpuLabels.partitionId(HALVES.get(level - 1).shape()),
                "the same as of node " + members.get(0).name() + "; expected one host in each"));
      }
      return;
    }
    Half half = HALVES.get(level);
    Map<String, List<TpuNode>> parts = by(half.shape(), members);
    String label = TpuLabels.partitionId(half.shape());
    if (parts.containsKey("")) {
      violations.add(parts
          .get("")
          .get(0)
          .violation(label, "missing; expected the ids of partitions of all shapes in a cube"));
      return;
    }
    if (parts.size() > 2) {
      violations.add(members
          .get(0)
          .violation(
              label,
              "one of %d beside it; expected two in a partition twice as large"
                  .formatted(parts.size())));
      return;
    }
    int part = 0;
    for (Map.Entry<String, List<TpuNode>> of : parts.entrySet()) {
      int at = first + part * half.distance();
      ids.put(new TpuPool.Block(SliceShape.parse(half.shape()), at), of.getKey());
      divide(of.getValue(), level + 1, at, hosts);
      part++;
    }
  }
}
