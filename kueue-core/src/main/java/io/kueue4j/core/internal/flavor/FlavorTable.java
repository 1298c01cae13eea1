package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.IdsInUse;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ResourceFlavors by id; decides which pods may use them.
 *
 * <p>Rules: M-3, F-10, F-11, F-12.
 */
public final class FlavorTable {
  private final Catalog catalog;

  /** Indexed by the id of the flavor. */
  private @Nullable Entry[] entries = new @Nullable Entry[0];

  /** Whether a fork shares the entries, so that they must be copied before a change. */
  private boolean shared;

  /** A flavor with its taints that exclude pods. */
  record Entry(ResourceFlavor flavor, List<Taint> taints) {}

  /** Creates an empty table. */
  public FlavorTable(Catalog catalog) {
    this.catalog = catalog;
  }

  /** {@return an independent copy} */
  public FlavorTable fork(Catalog forkOfCatalog) {
    FlavorTable fork = new FlavorTable(forkOfCatalog);
    fork.entries = entries;
    fork.shared = true;
    if (!shared) {
      // Written only once, so that several threads may fork an unchanged table.
      shared = true;
    }
    return fork;
  }

  /** Adds or changes a flavor. */
  public void put(ResourceFlavor flavor) {
    List<Taint> excluding = flavor.nodeTaints().stream()
        .filter(taint -> taint.effect().excludes())
        .filter(taint ->
            flavor.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
        .toList();
    set(catalog.flavor(flavor.name()), new Entry(flavor, excluding));
  }

  /** Removes a flavor. */
  public void remove(String name) {
    int id = catalog.findFlavor(name);
    if (id >= 0) {
      set(id, null);
    }
  }

  private void set(int id, @Nullable Entry entry) {
    if (id >= entries.length) {
      entries = Arrays.copyOf(entries, Math.max(16, 2 * id));
    } else if (shared) {
      entries = entries.clone();
    }
    shared = false;
    entries[id] = entry;
  }

  /** Adds the ids of the flavors, and shrinks the table to them. */
  public void addIds(IdsInUse inUse) {
    int end = 0;
    for (int id = 0; id < entries.length; id++) {
      if (entries[id] != null) {
        inUse.addFlavor(id);
        end = id + 1;
      }
    }
    entries = Arrays.copyOf(entries, end);
    shared = false;
  }

  /** {@return the flavor with this name, empty if there is none} */
  public Optional<ResourceFlavor> flavor(String name) {
    return Optional.ofNullable(entry(catalog.findFlavor(name))).map(Entry::flavor);
  }

  /** {@return all flavors, in no particular order} */
  public List<ResourceFlavor> all() {
    List<ResourceFlavor> flavors = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry != null) {
        flavors.add(entry.flavor);
      }
    }
    return flavors;
  }

  /** {@return why pods of {@code podSet} may not use the flavor, null if they may} */
  @Nullable
  ReasonCode obstacle(int flavor, CompiledPodSet podSet) {
    Entry entry = entry(flavor);
    if (entry == null) {
      return ReasonCode.FLAVOR_NOT_FOUND;
    }
    if (!entry.taints.isEmpty() && untolerated(entry, podSet.source()).isPresent()) {
      return ReasonCode.UNTOLERATED_TAINT;
    }
    Map<String, String> labels = entry.flavor.nodeLabels();
    if (labels.isEmpty() || !podSet.isConstrained()) {
      return null;
    }
    return selects(podSet.source().nodeSelector(), labels)
        ? affinityObstacle(podSet.source().nodeAffinity(), labels)
        : ReasonCode.NODE_AFFINITY_MISMATCH;
  }

  /** {@return the obstacle in words, for the flavor as it was when {@link #obstacle} found it} */
  static String describe(@Nullable Entry entry, PodSet podSet, ReasonCode obstacle) {
    return switch (obstacle) {
      case UNTOLERATED_TAINT ->
        "has the taint "
            + (entry == null
                ? ""
                : untolerated(entry, podSet).map(Taint::toString).orElse(""))
            + ", which the pods do not tolerate";
      case NODE_AFFINITY_MISMATCH ->
        "its node labels "
            + (entry == null ? "" : entry.flavor.nodeLabels())
            + " do not match the node selector or affinity of the pods";
      case INVALID_NODE_AFFINITY ->
        "the node affinity of the pods cannot be read: "
            + podSet.nodeAffinity().stream()
                .flatMap(term -> term.matchExpressions().stream())
                .flatMap(requirement -> requirement.problem().stream()
                    .map(problem -> requirement.key() + ": " + problem))
                .findFirst()
                .orElse("");
      case FLAVOR_OF_REPLACED_SLICE ->
        entry == null
            ? "the slice that the workload replaces has no flavor for these pods"
            : "the slice that the workload replaces is assigned " + entry.flavor.name();
      case FLAVOR_WITHOUT_TOPOLOGY -> "does not support TopologyAwareScheduling";
      case FLAVOR_WITH_TOPOLOGY -> "supports only TopologyAwareScheduling";
      case TOPOLOGY_LEVEL_NOT_FOUND -> "does not contain the requested level";
      default -> "there is no ResourceFlavor of that name";
    };
  }

  /** {@return the present flavor, null if there is none} */
  @Nullable
  Entry entry(int flavor) {
    return flavor >= 0 && flavor < entries.length ? entries[flavor] : null;
  }

  private static Optional<Taint> untolerated(Entry entry, PodSet podSet) {
    return entry.taints.stream()
        .filter(taint ->
            podSet.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
        .findFirst();
  }

  /** Only labels that the flavor declares are compared, because its nodes may have others. */
  private static boolean selects(Map<String, String> selector, Map<String, String> labels) {
    for (Map.Entry<String, String> selected : selector.entrySet()) {
      String label = labels.get(selected.getKey());
      if (label != null && !label.equals(selected.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable ReasonCode affinityObstacle(
      List<NodeSelectorTerm> terms, Map<String, String> labels) {
    boolean unreadable = false;
    for (NodeSelectorTerm term : terms) {
      boolean matches = true;
      boolean readable = true;
      for (LabelRequirement requirement : term.matchExpressions()) {
        if (labels.containsKey(requirement.key())) {
          readable &= requirement.problem().isEmpty();
          matches &= requirement.matches(labels);
        }
      }
      if (matches) {
        return null;
      }
      unreadable |= !readable;
    }
    if (terms.isEmpty()) {
      return null;
    }
    return unreadable ? ReasonCode.INVALID_NODE_AFFINITY : ReasonCode.NODE_AFFINITY_MISMATCH;
  }
}
