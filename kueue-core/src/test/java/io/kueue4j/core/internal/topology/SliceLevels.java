package io.kueue4j.core.internal.topology;

import io.kueue4j.core.model.TopologyRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Topology-aware scheduling of gangs that are slices, for tests of what places slices otherwise.
 */
public final class SliceLevels {
  private final NodeTree cluster;

  /**
   * Takes hosts.
   *
   * @param levels the levels above hosts, the widest first
   * @param hosts for each host its domains at these levels and its name, with a slash between;
   *     whether it is free
   */
  public SliceLevels(List<String> levels, Map<String, Boolean> hosts) {
    List<String> all = new ArrayList<>(levels);
    all.add(NodeTree.HOST);
    List<String> nodes = hosts.entrySet().stream()
        .map(host -> host.getKey() + ":" + (host.getValue() ? 1 : 0))
        .sorted(Comparator.naturalOrder())
        .toList();
    this.cluster = NodeTree.of(all, String.join(" ", nodes));
  }

  /** {@return the hosts of a gang that is a slice inside a domain of a level; empty if none} */
  public List<String> sliceInside(String required, String sliceLevel, int pods) {
    return hosts(
        pods,
        TopologyRequest.builder()
            .required(required)
            .sliceTopology(sliceLevel)
            .sliceSize(pods)
            .build());
  }

  /** {@return the hosts of a gang in one domain of a level; empty if there is none} */
  public List<String> gangInside(String required, int pods) {
    return hosts(pods, TopologyRequest.required(required));
  }

  private List<String> hosts(int pods, TopologyRequest request) {
    String placed = cluster.place(pods, request);
    return placed.contains("topology ")
        ? List.of()
        : List.of(placed.split(" ")).stream()
            .map(text -> text.substring(0, text.indexOf(':')))
            .toList();
  }
}
