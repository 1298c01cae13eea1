package io.kueue4j.k8s.internal.tpu;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The pools of the nodes of one flavor, or the problems of the nodes. */
public final class FlavorPools {
  private final String name;
  private final List<TpuPool> pools = new ArrayList<>();
  private final ImmutableSet.Builder<String> whole = ImmutableSet.builder();
  private final Map<String, TpuNode> nodes = new TreeMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /** By pool, the partitions that are not healthy. */
  private final ListMultimap<String, CubeNodes.PartitionState> partitions =
      ArrayListMultimap.create();

  /** Reads the labels of the nodes. */
  public FlavorPools(String name, List<Node> all) {
    this.name = name;
    Map<String, List<TpuNode>> nodePools = new TreeMap<>();
    Map<String, List<TpuNode>> blocks = new TreeMap<>();
    for (Node node : all) {
      TpuNode read = TpuNode.read(node, violations);
      if (read != null) {
        nodes.put(read.name(), read);
        (read.isInCube() ? blocks : nodePools)
            .computeIfAbsent(read.group(), unused -> new ArrayList<>())
            .add(read);
      }
    }
    nodePools.forEach(this::addNodePool);
    blocks.forEach((block, members) -> CubeNodes.read(block, members, violations)
        .ifPresent(read -> {
          pools.add(read.pool());
          partitions.putAll(block, read.states());
        }));
  }

  /** {@return the problems of the nodes} */
  public List<Violation> violations() {
    return violations;
  }

  /** {@return the pool set, empty if there are no nodes or they have problems} */
  public Optional<TpuPoolSet> poolSet() {
    if (!violations.isEmpty() || pools.isEmpty()) {
      return Optional.empty();
    }
    TpuFleet fleet = TpuFleet.of(pools);
    for (TpuPool pool : pools) {
      for (int host = 0; host < pool.hosts(); host++) {
        TpuNode node = nodes.get(pool.nodes().get(host));
        fleet = fleet.withHealth(pool.id(), node == null ? HostHealth.DOWN : node.health(), host);
      }
    }
    for (Map.Entry<String, CubeNodes.PartitionState> state : partitions.entries()) {
      fleet = fleet.withPartitionHealth(
          state.getKey(), state.getValue().health(), state.getValue().partition());
    }
    return Optional.of(TpuPoolSet.of(name, fleet).withWholePools(whole.build()));
  }

  private void addNodePool(String nodePool, List<TpuNode> members) {
    TpuNode first = members.get(0);
    for (TpuNode other : members) {
      if (!other.isLike(first)) {
        violations.add(other.violation(
            TpuLabels.TOPOLOGY,
            "%s with %d chips in node pool %s, where node %s is of %s with %d chips; expected equal"
                .formatted(
                    other.shape(),
                    other.chips(),
                    nodePool,
                    first.name(),
                    first.shape(),
                    first.chips())));
        return;
      }
    }
    if (first.hostsPerSlice() == 1) {
      members.forEach(node -> add(node, node.name(), nodePool, ImmutableList.of(node.name())));
    } else if (members.size() > first.hostsPerSlice()) {
      violations.add(members
          .get(first.hostsPerSlice())
          .violation(
              TpuLabels.NODE_POOL,
              "node pool %s has %d nodes, but a slice %s has %d hosts of %d chips; a node pool of"
                      .formatted(
                          nodePool,
                          members.size(),
                          first.shape(),
                          first.hostsPerSlice(),
                          first.chips())
                  + " several hosts is one slice"));
    } else {
      add(first, nodePool, nodePool, hosts(nodePool, members, first.hostsPerSlice()));
    }
  }

  /**
   * {@return the hosts} The position of each host is unknown, and does not matter because the slice
   * is assigned as a whole.
   */
  private static ImmutableList<String> hosts(String nodePool, List<TpuNode> members, int hosts) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    members.stream().map(TpuNode::name).sorted().forEach(names::add);
    for (int missing = members.size(); missing < hosts; missing++) {
      names.add("(missing node " + missing + " of " + nodePool + ")");
    }
    return names.build();
  }

  private void add(TpuNode like, String id, @Nullable String fabric, List<String> names) {
    TpuPool.Kind kind =
        like.shape().dimensions() == 2 ? TpuPool.Kind.GRID_2D : TpuPool.Kind.GRID_3D_FIXED;
    TpuPool pool = kind == TpuPool.Kind.GRID_2D
        ? TpuPool.grid(id, like.generation(), like.shape(), like.chips())
        : TpuPool.torus(id, like.generation(), like.shape(), like.chips());
    pools.add(pool.withFabric(fabric == null ? id : fabric).withNodes(names));
    whole.add(id);
  }
}
