package io.kueue4j.core.internal.topology;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Footprint.PlacedPods;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
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
public final class Inventories {
  private final Catalog catalog;
  private final Settings settings;
  private final Journal journal;
  private final VersionedMap<String, Topology> topologies;
  private final VersionedMap<String, Node> nodes;

  /** The flavors with a topology. */
  private final VersionedMap<String, ResourceFlavor> flavors;

  private final List<Inventory> all = new ArrayList<>();
  private final Map<String, Inventory> byFlavor = new HashMap<>();
  private boolean changed;

  /** Creates inventories without nodes. */
  public Inventories(Catalog catalog, Settings settings, Journal journal) {
    this.catalog = catalog;
    this.settings = settings;
    this.journal = journal;
    this.topologies = new VersionedMap<>(journal);
    this.nodes = new VersionedMap<>(journal);
    this.flavors = new VersionedMap<>(journal);
  }

  /** Takes the nodes of other inventories with their usage; there must be no trial. */
  public void share(Inventories origin) {
    topologies.share(origin.topologies);
    nodes.share(origin.nodes);
    flavors.share(origin.flavors);
    origin.all.forEach(inventory -> add(new Inventory(inventory)));
    changed = origin.changed;
  }

  /**
   * Sets an object, null to remove it.
   *
   * @return whether there was one
   */
  private <T> boolean set(VersionedMap<String, T> objects, String name, @Nullable T object) {
    T before = objects.set(name, object);
    if (!Objects.equals(object, before)) {
      recordChange();
      changed = true;
    }
    return before != null;
  }

  /** Lets the inventories be built anew if the current call fails. */
  private void recordChange() {
    journal.add(() -> changed = true);
  }

  private void add(Inventory inventory) {
    byFlavor.put(inventory.flavor().name(), inventory);
    all.add(inventory);
  }

  /** {@return whether any flavor has a topology} */
  public boolean isUsed() {
    return !flavors.isEmpty();
  }

  /**
   * Sets a topology, null to remove it.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean setTopology(String name, @Nullable Topology topology) {
    return set(topologies, name, topology);
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
   * Sets a node, null to remove it.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean setNode(String name, @Nullable Node node) {
    if (node == null) {
      return set(nodes, name, null);
    }
    Node before = nodes.set(name, node);
    if (!node.equals(before) && !changed) {
      recordChange();
      for (Inventory inventory : all) {
        changed |= !inventory.update(before, node);
      }
    }
    return before != null;
  }

  /** {@return the node with this name, empty if there is none} */
  public Optional<Node> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** {@return the nodes, in no particular order} */
  public Collection<Node> nodes() {
    return nodes.values();
  }

  /** Sets a flavor that has a topology, null to remove it. */
  public void setFlavor(String name, @Nullable ResourceFlavor flavor) {
    boolean unused = set(flavors, name, flavor);
  }

  /** {@return the settings} */
  public Settings settings() {
    return settings;
  }

  /** {@return whether anything changed since the last {@link #rebuild}} */
  public boolean isChanged() {
    return changed;
  }

  /** Makes changes take effect and resets all usage. */
  public void rebuild() {
    all.clear();
    byFlavor.clear();
    List<Node> inOrder = sorted(nodes, Node::name);
    boolean countsEachNode = settings.isEnabled(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS);
    for (ResourceFlavor flavor : sorted(flavors, ResourceFlavor::name)) {
      Topology topology = flavor.topologyName().map(topologies::get).orElse(null);
      if (topology != null) {
        add(Inventory.of(topology, flavor, inOrder, catalog, countsEachNode));
      }
    }
    changed = false;
  }

  private static <T> List<T> sorted(VersionedMap<String, T> objects, Function<T, String> name) {
    return objects.values().stream().sorted(Comparator.comparing(name)).toList();
  }

  /** Drops all fit counts; they are computed again when needed. */
  public void forgetCounts() {
    all.forEach(Inventory::forgetCounts);
  }

  /** {@return whether a flavor names a topology, even one that does not exist} */
  public boolean hasTopology(String flavor) {
    return flavors.get(flavor) != null;
  }

  /**
   * {@return the inventory of a flavor, null if it has no topology or the topology does not exist}
   */
  public @Nullable Inventory of(String flavor) {
    return byFlavor.get(flavor);
  }

  private @Nullable Inventory of(PlacedPods pods) {
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
        if (flavors.get(quotas.flavor()) == null) {
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

  /** Charges the pods of a workload in a trial. */
  public void charge(Footprint footprint) {
    change(footprint, 1, false);
  }

  /** Uncharges the pods of a workload in a trial. */
  public void uncharge(Footprint footprint) {
    change(footprint, -1, false);
  }

  /** Charges the pods of a workload permanently. */
  public void commit(Footprint footprint) {
    change(footprint, 1, true);
  }

  /** Uncharges the pods of a workload permanently. */
  public void withdraw(Footprint footprint) {
    change(footprint, -1, true);
  }

  /** Pods on leaves that do not exist any more use nothing until the leaves exist again (T-11). */
  private void change(Footprint footprint, int sign, boolean permanent) {
    for (PlacedPods pods : footprint.pods()) {
      Inventory own = of(pods);
      if (own == null) {
        continue;
      }
      int count = sign * pods.count();
      OptionalInt leaf = own.leaf(pods.values());
      if (leaf.isPresent()) {
        own.charge(leaf.getAsInt(), pods.request(), count);
      }
      if (permanent
          || (leaf.isPresent() && settings.includes(KueueFix.SHARED_HOSTS_WITHIN_CYCLE))) {
        chargeSiblings(own, pods::values, pods.request(), count);
      }
    }
  }

  /**
   * Charges {@code count} pods in a trial, or uncharges them if {@code count} is negative. Before
   * Kueue 0.19.3, other flavors do not see the change before the cycle ends (T-12).
   */
  public void charge(Inventory own, int leaf, PodRequest request, int count) {
    own.charge(leaf, request, count);
    if (settings.includes(KueueFix.SHARED_HOSTS_WITHIN_CYCLE)) {
      chargeSiblings(own, () -> own.values(leaf), request, count);
    }
  }

  /** Charges pods to every other flavor of their host, if leaves are hosts. */
  private void chargeSiblings(
      Inventory own, Supplier<List<String>> values, PodRequest request, int count) {
    forEachSibling(own, values, (sibling, leaf) -> sibling.charge(leaf, request, count));
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

  private void forEachSibling(Inventory own, Supplier<List<String>> values, LeafAction action) {
    if (all.size() < 2
        || !settings.isEnabled(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS)
        || !own.topology().endsInHosts()) {
      return;
    }
    for (Inventory sibling : all) {
      if (!sibling.equals(own) && sibling.topology().endsInHosts()) {
        sibling.leaf(values.get()).ifPresent(leaf -> action.accept(sibling, leaf));
      }
    }
  }

  /** {@return the nodes with these labels} */
  public List<Node> withLabels(Map<String, String> labels) {
    return nodes.values().stream()
        .filter(node -> node.labels().entrySet().containsAll(labels.entrySet()))
        .toList();
  }

  /** In a trial, closes a node, or opens it again. */
  public void setClosed(Node node, boolean isClosed) {
    all.forEach(inventory -> inventory.setClosed(node, isClosed));
  }

  /** {@return the result of {@code action}, a trial that is rolled back} */
  public <T> T inTrial(Supplier<T> action) {
    checkpoint();
    try {
      return action.get();
    } finally {
      rollback();
    }
  }

  /** Begins a trial. Trials are nested: the one that began last ends first. */
  public void checkpoint() {
    all.forEach(Inventory::checkpoint);
  }

  /** Ends the trial that began last and undoes its changes of usage. */
  public void rollback() {
    all.forEach(Inventory::rollback);
  }
}
