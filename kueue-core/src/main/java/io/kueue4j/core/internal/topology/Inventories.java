package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.TrialParticipant;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of all flavors that have a topology.
 *
 * <p>Changes of nodes, topologies and flavors take effect in {@link #rebuild}, after which all
 * usage must be charged again.
 *
 * <p>Rules: T-3, T-11, T-12, T-13, T-21.
 */
public final class Inventories implements TrialParticipant {
  private final Catalog catalog;
  private final PlacementRules rules;
  private TreeMap<String, Topology> topologies = new TreeMap<>();
  private TreeMap<String, Node> nodes = new TreeMap<>();

  /** The flavors with a topology. */
  private TreeMap<String, ResourceFlavor> flavors = new TreeMap<>();

  /** Whether a fork shares the maps, so that they must be copied before a change. */
  private boolean shared;

  private final List<Inventory> all = new ArrayList<>();
  private final Map<String, Inventory> byFlavor = new HashMap<>();
  private int[] marks = new int[0];
  private int markCount;
  private boolean changed;

  /** Creates inventories without nodes. */
  public Inventories(Catalog catalog, PlacementRules rules) {
    this.catalog = catalog;
    this.rules = rules;
  }

  private Inventories(Inventories other) {
    this.catalog = other.catalog;
    this.rules = other.rules;
    this.topologies = other.topologies;
    this.nodes = other.nodes;
    this.flavors = other.flavors;
    this.shared = true;
    this.changed = other.changed;
    for (Inventory inventory : other.all) {
      add(inventory.fork());
    }
  }

  /** {@return an independent copy with the same usage; there must be no trial} */
  public Inventories fork() {
    if (!shared) {
      // Written only once, so that several threads may fork an unchanged configuration.
      shared = true;
    }
    return new Inventories(this);
  }

  private void beforeChange() {
    if (shared) {
      topologies = new TreeMap<>(topologies);
      nodes = new TreeMap<>(nodes);
      flavors = new TreeMap<>(flavors);
      shared = false;
    }
  }

  private void add(Inventory inventory) {
    byFlavor.put(inventory.flavor().name(), inventory);
    all.add(inventory);
  }

  /** {@return whether any flavor has a topology} */
  public boolean isUsed() {
    return !flavors.isEmpty();
  }

  /** Adds or changes a topology. */
  public void put(Topology topology) {
    if (!topology.equals(topologies.get(topology.name()))) {
      beforeChange();
      topologies.put(topology.name(), topology);
      changed = true;
    }
  }

  /**
   * Removes a topology.
   *
   * @return whether there was one
   */
  public boolean removeTopology(String name) {
    boolean known = topologies.containsKey(name);
    if (known) {
      beforeChange();
      topologies.remove(name);
      changed = true;
    }
    return known;
  }

  /** {@return the topologies, in no particular order} */
  public Collection<Topology> topologies() {
    return topologies.values();
  }

  /** {@return the topology with this name, empty if there is none} */
  public Optional<Topology> topology(String name) {
    return Optional.ofNullable(topologies.get(name));
  }

  /**
   * Adds or changes a node.
   *
   * @return whether this changes anything
   */
  public boolean put(Node node) {
    Node before = nodes.get(node.name());
    if (node.equals(before)) {
      return false;
    }
    beforeChange();
    nodes.put(node.name(), node);
    if (!changed) {
      for (Inventory inventory : all) {
        changed |= !inventory.update(before, node);
      }
    }
    return true;
  }

  /**
   * Removes a node.
   *
   * @return whether there was one
   */
  public boolean removeNode(String name) {
    boolean known = nodes.containsKey(name);
    if (known) {
      beforeChange();
      nodes.remove(name);
      changed = true;
    }
    return known;
  }

  /** {@return the node with this name, empty if there is none} */
  public Optional<Node> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** {@return the nodes by name} */
  public Collection<Node> nodes() {
    return nodes.values();
  }

  /** Adds or changes a flavor; a flavor without a topology is removed. */
  public void put(ResourceFlavor flavor) {
    if (flavor.topologyName().isEmpty()) {
      removeFlavor(flavor.name());
    } else if (!flavor.equals(flavors.get(flavor.name()))) {
      beforeChange();
      flavors.put(flavor.name(), flavor);
      changed = true;
    }
  }

  /** Removes a flavor. */
  public void removeFlavor(String name) {
    if (flavors.containsKey(name)) {
      beforeChange();
      flavors.remove(name);
      changed = true;
    }
  }

  /** {@return the settings} */
  public PlacementRules rules() {
    return rules;
  }

  /** {@return whether anything changed since the last {@link #rebuild}} */
  public boolean isChanged() {
    return changed;
  }

  /** Makes changes take effect and resets all usage. */
  public void rebuild() {
    all.clear();
    byFlavor.clear();
    for (ResourceFlavor flavor : flavors.values()) {
      Topology topology = flavor.topologyName().map(topologies::get).orElse(null);
      if (topology != null) {
        add(Inventory.of(topology, flavor, nodes.values(), catalog, rules.countsEachNode()));
      }
    }
    changed = false;
  }

  /** Drops all fit counts; they are computed again when needed. */
  public void forgetCounts() {
    all.forEach(Inventory::forgetCounts);
  }

  /** {@return whether a flavor names a topology, even one that does not exist} */
  public boolean hasTopology(String flavor) {
    return flavors.containsKey(flavor);
  }

  /**
   * {@return the inventory of a flavor, null if it has no topology or the topology does not exist}
   */
  public @Nullable Inventory of(String flavor) {
    return byFlavor.get(flavor);
  }

  private @Nullable Inventory of(PlacedPods.Part pods) {
    for (String flavor : pods.flavors()) {
      Inventory inventory = of(flavor);
      if (inventory != null) {
        return inventory;
      }
    }
    return null;
  }

  /**
   * {@return whether all flavors of {@code queue} have a topology, so that all its pods are placed}
   */
  public boolean isTopologyOnly(ClusterQueue queue) {
    if (flavors.isEmpty()) {
      return false;
    }
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        if (!flavors.containsKey(quotas.flavor())) {
          return false;
        }
      }
    }
    return !queue.resourceGroups().isEmpty();
  }

  /** {@return the inventories of all flavors, ordered by the names of the flavors} */
  public List<Inventory> all() {
    return all;
  }

  @Override
  public void charge(Footprint footprint) {
    change(footprint, 1);
  }

  @Override
  public void uncharge(Footprint footprint) {
    change(footprint, -1);
  }

  /** Pods on leaves that do not exist any more use nothing until the leaves exist again (T-11). */
  private void change(Footprint footprint, int sign) {
    if (footprint instanceof PlacedPods pods) {
      for (PlacedPods.Part part : pods.parts()) {
        Inventory inventory = of(part);
        int leaf = inventory == null ? -1 : inventory.leaf(part);
        if (inventory != null && leaf >= 0) {
          charge(inventory, leaf, part.request(), sign * part.count());
        }
      }
    }
  }

  /**
   * Charges {@code count} pods in a trial, or uncharges them if {@code count} is negative. Before
   * Kueue 0.19.3, other flavors do not see the change before the cycle ends (T-12).
   */
  public void charge(Inventory own, int leaf, PodRequest request, int count) {
    own.charge(leaf, request, count);
    if (rules.sharedAtOnce()) {
      forEachSibling(
          own,
          () -> own.values(leaf),
          (sibling, siblingLeaf) -> sibling.charge(siblingLeaf, request, count));
    }
  }

  @Override
  public void commit(Footprint footprint) {
    settle(footprint, 1);
  }

  @Override
  public void withdraw(Footprint footprint) {
    settle(footprint, -1);
  }

  private void settle(Footprint footprint, int sign) {
    if (footprint instanceof PlacedPods pods) {
      for (PlacedPods.Part part : pods.parts()) {
        Inventory inventory = of(part);
        if (inventory != null) {
          commit(inventory, part, sign * part.count());
        }
      }
    }
  }

  /**
   * Charges pods permanently: to their flavor and, if leaves are hosts, to every other flavor of
   * the host.
   *
   * @param count the number of pods, negative to uncharge them
   */
  private void commit(Inventory own, PlacedPods.Part pods, int count) {
    int leaf = own.leaf(pods);
    if (leaf >= 0) {
      own.charge(leaf, pods.request(), count);
    }
    forEachSibling(
        own,
        pods::values,
        (sibling, siblingLeaf) -> sibling.charge(siblingLeaf, pods.request(), count));
  }

  /**
   * Charges pods of the workload that is being placed to where {@link PodSetPlacer.Outcome.Placed}
   * has them on the tree, in every flavor that contains it.
   */
  public void assumeBelow(Inventory own, int leaf, PodRequest request, int count) {
    if (own.countsNodes()) {
      own.assumeBelow(leaf, request, count);
    } else {
      assume(own, leaf, request, count);
    }
  }

  /**
   * Charges pods of the workload that is being placed to their leaf, in every flavor that contains
   * it.
   */
  public void assume(Inventory own, int leaf, PodRequest request, int count) {
    own.assume(leaf, request, count);
    forEachSibling(
        own,
        () -> own.values(leaf),
        (sibling, siblingLeaf) -> sibling.assume(siblingLeaf, request, count));
  }

  /** Acts on a leaf of an inventory. */
  private interface LeafAction {
    void accept(Inventory inventory, int leaf);
  }

  private void forEachSibling(
      Inventory own, Supplier<ImmutableList<String>> values, LeafAction action) {
    if (all.size() < 2 || !rules.overlappingFlavors() || !own.topology().endsInHosts()) {
      return;
    }
    for (Inventory sibling : all) {
      if (!sibling.equals(own) && sibling.topology().endsInHosts()) {
        sibling.leaf(values.get()).ifPresent(leaf -> action.accept(sibling, leaf));
      }
    }
  }

  @Override
  public int checkpoint() {
    int count = markCount + all.size();
    if (count > marks.length) {
      marks = Arrays.copyOf(marks, Math.max(count, 2 * marks.length));
    }
    int mark = markCount;
    for (Inventory inventory : all) {
      marks[markCount++] = inventory.checkpoint();
    }
    return mark;
  }

  @Override
  public void rollback(int checkpoint) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).rollback(marks[checkpoint + i]);
    }
    markCount = checkpoint;
  }
}
