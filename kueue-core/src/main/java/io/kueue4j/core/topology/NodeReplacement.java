package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.topology.Placement.LeafCount;
import io.kueue4j.core.topology.PodSetPlacer.Member;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds another place for the pods of a pod set that were on a host which has failed. The others
 * stay where they are.
 *
 * <p>Rules: T-81 … T-85, A.20 no. 14.
 */
public final class NodeReplacement {
  private final Inventory inventory;
  private final PodSetPlacer placer;

  /** Where the pods go, or why they cannot. */
  public sealed interface Outcome {
    /**
     * There is another place.
     *
     * @param assignment where all pods of the pod set are then
     * @param moved the leaves that are new, and how many pods go to each
     */
    record Replaced(TopologyAssignment assignment, ImmutableList<LeafCount> moved)
        implements Outcome {}

    /**
     * There is none.
     *
     * @param problem why, in Kueue's words
     */
    record Failed(String problem) implements Outcome {}
  }

  /** The leaves that may be used. */
  private record Range(int firstLeaf, int endOfLeaves) {}

  /** Creates a search among the nodes of {@code inventory}, for which {@code placer} is. */
  public NodeReplacement(Inventory inventory, PodSetPlacer placer) {
    this.inventory = inventory;
    this.placer = placer;
  }

  /** {@return whether pods that were placed so are on the host} */
  public static boolean concerns(TopologyAssignment assignment, String host) {
    return assignment.domains().stream().anyMatch(domain -> isOn(domain, assignment, host));
  }

  private static boolean isOn(Domain domain, TopologyAssignment assignment, String host) {
    int last = assignment.levels().size() - 1;
    return assignment.levels().get(last).equals(Topology.HOSTNAME)
        && domain.values().get(last).equals(host);
  }

  /**
   * Searches.
   *
   * @param pods the pod set
   * @param current where its pods are
   * @param host the host that has failed
   */
  public Outcome replace(Member pods, TopologyAssignment current, String host) {
    LevelResolution resolution = LevelResolution.of(
        pods.source().topologyRequest(), inventory.topology().levels(), pods.implied());
    LevelRequest request = resolution.request();
    if (request == null) {
      return new Outcome.Failed(resolution.problem());
    }
    TreeMap<Integer, Integer> kept = new TreeMap<>();
    int lost = 0;
    for (Domain domain : current.domains()) {
      if (isOn(domain, current, host)) {
        lost += domain.count();
        continue;
      }
      OptionalInt leaf = inventory.leaf(domain.values());
      if (leaf.isEmpty()) {
        return new Outcome.Failed("Cannot replace the node, because the existing topologyAssignment"
            + " is invalid, as it contains the stale domain " + String.join(",", domain.values()));
      }
      kept.merge(leaf.getAsInt(), domain.count(), Integer::sum);
    }
    SliceLayers.Layer broken = kept.isEmpty() ? null : request.slices().innermostBroken(lost);
    Range range = broken == null ? rangeByLevel(request, kept) : rangeOfBroken(broken, kept, lost);
    LevelRequest asked = broken == null
        ? request
        : request.withSlices(
            request.slices().innermostOf(lost, inventory.topology().levels().size()));
    Placement placement = range == null
        ? new Placement.DoesNotFit(0, request.level())
        : placer.placeWithin(pods, asked, lost, range.firstLeaf, range.endOfLeaves);
    if (!(placement instanceof Placement.Fits fits) || podCount(fits) < lost) {
      return new Outcome.Failed("cannot find replacement assignment for unhealthy node: " + host);
    }
    fits.leaves().forEach(leaf -> kept.merge(leaf.leaf(), leaf.count(), Integer::sum));
    ImmutableList.Builder<Domain> domains = ImmutableList.builder();
    kept.forEach((leaf, count) -> domains.add(new Domain(inventory.values(leaf), count)));
    return new Outcome.Replaced(
        new TopologyAssignment(inventory.assignedLevels(), domains.build()), fits.leaves());
  }

  private static int podCount(Placement.Fits fits) {
    return fits.leaves().stream().mapToInt(LeafCount::count).sum();
  }

  /** {@return the leaves near those that are kept, as far as pods are required to be near} */
  private Range rangeByLevel(LevelRequest request, NavigableMap<Integer, Integer> kept) {
    if (kept.isEmpty() || !request.isRequired()) {
      return new Range(0, inventory.leafCount());
    }
    return range(request.level(), inventory.tree().ancestor(kept.firstKey(), request.level()));
  }

  /** {@return the leaves of the domain whose slice is to be made whole, null if there is none} */
  private @Nullable Range rangeOfBroken(
      SliceLayers.Layer layer, NavigableMap<Integer, Integer> kept, int lost) {
    TreeMap<Integer, Integer> podsByDomain = new TreeMap<>();
    kept.forEach((leaf, count) ->
        podsByDomain.merge(inventory.tree().ancestor(leaf, layer.level()), count, Integer::sum));
    return podsByDomain.entrySet().stream()
        .filter(domain -> (domain.getValue() + lost) % layer.size() == 0)
        .map(Map.Entry::getKey)
        .findFirst()
        .map(domain -> range(layer.level(), domain))
        .orElse(null);
  }

  private Range range(int level, int domain) {
    DomainTree tree = inventory.tree();
    return new Range(tree.firstLeaf(level, domain), tree.endOfLeaves(level, domain));
  }
}
