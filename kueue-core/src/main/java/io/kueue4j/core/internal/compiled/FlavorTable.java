package io.kueue4j.core.internal.compiled;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ResourceFlavors by name; decides which pods may use them.
 *
 * <p>Rules: M-3, F-10, F-11, F-12.
 */
public final class FlavorTable {
  private final VersionedMap<String, Entry> entries;

  /** A flavor with its taints that exclude pods. */
  public record Entry(ResourceFlavor flavor, List<Taint> taints) {}

  /** Creates an empty table. */
  public FlavorTable(Journal journal) {
    this.entries = new VersionedMap<>(journal);
  }

  /** Takes the flavors of another table. */
  public void share(FlavorTable origin) {
    entries.share(origin.entries);
  }

  /** Adds or changes a flavor. */
  public void put(ResourceFlavor flavor) {
    List<Taint> excluding = flavor.nodeTaints().stream()
        .filter(taint -> taint.effect().excludes())
        .filter(taint ->
            flavor.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
        .toList();
    entries.set(flavor.name(), new Entry(flavor, excluding));
  }

  /**
   * Removes a flavor.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean remove(String name) {
    return entries.set(name, null) != null;
  }

  /** {@return the flavor with this name, empty if there is none} */
  public Optional<ResourceFlavor> flavor(String name) {
    return Optional.ofNullable(entry(name)).map(Entry::flavor);
  }

  /** {@return all flavors, ordered by name} */
  public List<ResourceFlavor> all() {
    return entries.values().stream()
        .map(Entry::flavor)
        .sorted(Comparator.comparing(ResourceFlavor::name))
        .toList();
  }

  /** {@return why pods of {@code podSet} may not use the flavor, null if they may} */
  @Nullable
  public ReasonCode obstacle(String flavor, CompiledPodSet podSet) {
    Entry entry = entry(flavor);
    if (entry == null) {
      return ReasonCode.FLAVOR_NOT_FOUND;
    }
    if (!entry.taints.isEmpty() && untolerated(entry, podSet.source()).isPresent()) {
      return ReasonCode.UNTOLERATED_TAINT;
    }
    Map<String, String> labels = entry.flavor.nodeLabels();
    return selects(podSet.source().nodeSelector(), labels)
        ? affinityObstacle(podSet.source().nodeAffinity(), labels)
        : ReasonCode.NODE_AFFINITY_MISMATCH;
  }

  /** {@return the obstacle in words, for the flavor as it was when {@link #obstacle} found it} */
  public static String describe(@Nullable Entry entry, PodSet podSet, ReasonCode obstacle) {
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
  public Entry entry(String flavor) {
    return entries.get(flavor);
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
