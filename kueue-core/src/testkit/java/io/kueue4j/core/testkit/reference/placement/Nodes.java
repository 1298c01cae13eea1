package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The nodes of all flavors with a topology, where each flavor counts usage separately; copies are
 * independent.
 *
 * <p>Rules: T-4, T-12, T-21.
 */
public final class Nodes {
  private final boolean sharesHosts;
  private final boolean sharesAtOnce;
  private final boolean isStrict;
  private final Map<String, FlavorNodes> flavors = new TreeMap<>();

  private Nodes(boolean sharesHosts, boolean sharesAtOnce, boolean isStrict) {
    this.sharesHosts = sharesHosts;
    this.sharesAtOnce = sharesAtOnce;
    this.isStrict = isStrict;
  }

  /**
   * {@return nodes without pods}
   *
   * @param flavors the flavors; those without topology, or without a known one, do not count
   * @param topologies the topologies by name
   * @param nodes the nodes
   * @param sharesHosts whether pods on a host count for each flavor that it belongs to
   * @param sharesAtOnce whether they do so within a cycle, too
   * @param countsEachNode whether nodes are counted one by one in every topology (T-13)
   * @param isStrict whether {@code pods} are always counted
   */
  public static Nodes of(
      Collection<ResourceFlavor> flavors,
      Map<String, Topology> topologies,
      Collection<Node> nodes,
      boolean sharesHosts,
      boolean sharesAtOnce,
      boolean countsEachNode,
      boolean isStrict) {
    Nodes all = new Nodes(sharesHosts, sharesAtOnce, isStrict);
    for (ResourceFlavor flavor : flavors) {
      Topology topology = flavor.topologyName().map(topologies::get).orElse(null);
      if (topology != null) {
        all.flavors.put(flavor.name(), FlavorNodes.of(flavor, topology, nodes, countsEachNode));
      }
    }
    return all;
  }

  /** {@return a copy} */
  public Nodes copy() {
    Nodes copy = new Nodes(sharesHosts, sharesAtOnce, isStrict);
    flavors.forEach((name, nodes) -> copy.flavors.put(name, nodes.copy()));
    return copy;
  }

  /** {@return the same nodes without placed pods} */
  Nodes emptied() {
    Nodes emptied = new Nodes(sharesHosts, sharesAtOnce, isStrict);
    flavors.forEach((name, nodes) -> emptied.flavors.put(name, nodes.emptied()));
    return emptied;
  }

  /** {@return whether a flavor has a topology that is known} */
  public boolean hasFlavor(String name) {
    return flavors.containsKey(name);
  }

  FlavorNodes flavor(String name) {
    return Objects.requireNonNull(flavors.get(name), name);
  }

  /** Charges pods in every flavor that shares their hosts. */
  public void charge(Collection<PlacedPods> placed) {
    charge(placed, 1);
  }

  private void charge(Collection<PlacedPods> placed, int sign) {
    for (PlacedPods pods : placed) {
      FlavorNodes own = flavors.get(pods.flavor());
      if (own == null) {
        continue;
      }
      if (sharesHosts && own.topology.endsInHosts()) {
        flavors.values().stream()
            .filter(nodes -> nodes.topology.endsInHosts())
            .forEach(nodes -> nodes.charge(pods, sign * pods.count()));
      } else {
        own.charge(pods, sign * pods.count());
      }
    }
  }

  /** Charges pods within a cycle: before 0.19.3 in their own flavor only (T-12). */
  public void chargeOwn(Collection<PlacedPods> placed) {
    chargeOwn(placed, 1);
  }

  /** Discharges pods within a cycle: before 0.19.3 in their own flavor only (T-12). */
  public void dischargeOwn(Collection<PlacedPods> placed) {
    chargeOwn(placed, -1);
  }

  private void chargeOwn(Collection<PlacedPods> placed, int sign) {
    if (sharesAtOnce) {
      charge(placed, sign);
      return;
    }
    for (PlacedPods pods : placed) {
      FlavorNodes own = flavors.get(pods.flavor());
      if (own != null) {
        own.charge(pods, sign * pods.count());
      }
    }
  }

  /**
   * {@return whether {@code placed} fits the nodes: each by itself (T-73), unless that is strict}
   */
  public boolean haveRoomFor(List<PlacedPods> placed) {
    if (isStrict) {
      for (int i = 0; i < placed.size(); i++) {
        List<PlacedPods> others = new ArrayList<>(placed);
        PlacedPods pods = others.remove(i);
        Nodes trial = copy();
        trial.charge(others);
        if (!trial.flavor(pods.flavor()).hasRoomForAll(pods)) {
          return false;
        }
      }
      return true;
    }
    return placed.stream().allMatch(pods -> flavor(pods.flavor()).hasRoomFor(pods));
  }
}
