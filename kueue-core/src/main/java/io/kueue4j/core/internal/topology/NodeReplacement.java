package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds another place for the pods of a pod set that were on a failed host. The other pods keep
 * their places. The failed host is never chosen, even if the inventory still has it.
 *
 * <p>Rules: T-81, T-82, T-83, T-84, T-85, A.20 number 14.
 */
public final class NodeReplacement {
  private final Inventory inventory;
  private final PodSetPlacer placer;

  /** The new places of the pods, or why there are none. */
  public sealed interface Outcome {
    /**
     * The pods have another place.
     *
     * @param assignment the new places of all pods of the pod set
     * @param moved the leaves of the moved pods
     */
    record Replaced(TopologyAssignment assignment, ImmutableList<LeafCount> moved)
        implements Outcome {}

    /**
     * There is no other place.
     *
     * @param problem the reason in Kueue's words
     */
    record Failed(String problem) implements Outcome {}
  }

  /**
   * A way to place the pods.
   *
   * @param request the request, including slices
   * @param range the leaves to search
   */
  private record Attempt(LevelRequest request, LeafRange range) {}

  /** Creates a search among the nodes of {@code inventory}; {@code placer} must belong to it. */
  public NodeReplacement(Inventory inventory, PodSetPlacer placer) {
    this.inventory = inventory;
    this.placer = placer;
  }

  /** {@return whether an assignment has pods on the host} */
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
   * @param current the current places of its pods
   * @param host the failed host
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
    Placement.Fits fits = place(pods, request, kept, lost, host);
    if (fits == null) {
      return new Outcome.Failed("cannot find replacement assignment for unhealthy node: " + host);
    }
    fits.leaves().forEach(leaf -> kept.merge(leaf.leaf(), leaf.count(), Integer::sum));
    ImmutableList.Builder<Domain> domains = ImmutableList.builder();
    kept.forEach((leaf, count) -> domains.add(new Domain(inventory.values(leaf), count)));
    return new Outcome.Replaced(
        new TopologyAssignment(inventory.assignedLevels(), domains.build()), fits.leaves());
  }

  private Placement.@Nullable Fits place(
      Member pods,
      LevelRequest request,
      NavigableMap<Integer, Integer> kept,
      int lost,
      String host) {
    OptionalInt failed = inventory.topology().endsInHosts()
        ? inventory.leaf(ImmutableList.of(host))
        : OptionalInt.empty();
    for (Attempt attempt : attempts(pods, request, kept, lost)) {
      Placement placement = placer.placeWithin(pods, attempt.request, lost, attempt.range, failed);
      if (placement instanceof Placement.Fits fits && podCount(fits) == lost) {
        return fits;
      }
    }
    return null;
  }

  private static int podCount(Placement.Fits fits) {
    return fits.leaves().stream().mapToInt(LeafCount::count).sum();
  }

  private List<Attempt> attempts(
      Member pods, LevelRequest request, NavigableMap<Integer, Integer> kept, int lost) {
    SliceLayers slices = request.slices();
    SliceLayers.Layer broken = kept.isEmpty() ? null : slices.innermostBroken(lost);
    if (broken == null) {
      return List.of(new Attempt(request, rangeByLevel(request, kept)));
    }
    List<Attempt> attempts = new ArrayList<>();
    int levelCount = inventory.topology().levels().size();
    LevelRequest rest = withFinestLayer(pods, request, lost);
    LeafRange broughtTo = rangeOfBroken(broken, kept, lost, 0);
    if (broughtTo != null && rest != null) {
      attempts.add(new Attempt(rest, broughtTo));
    }
    int remainder = pods.count() % broken.size();
    if (placer.rules().strict() && remainder != 0) {
      // A smaller last slice may be the one that was lost or broken.
      LeafRange smaller = rangeOfBroken(broken, kept, lost, remainder);
      if (smaller != null) {
        attempts.add(
            new Attempt(request.withSlices(slices.innermostOf(lost, levelCount)), smaller));
      }
      if (lost == remainder) {
        attempts.add(new Attempt(
            request.withSlices(SliceLayers.of(
                ImmutableList.of(new SliceLayers.Layer(broken.level(), lost)), levelCount)),
            rangeByLevel(request, kept)));
      }
    }
    return attempts;
  }

  /**
   * {@return the request with only the finest layer that {@code lost} pods fill; null if it then
   * names no level, as in Kueue for a request with slices alone}
   */
  private @Nullable LevelRequest withFinestLayer(Member pods, LevelRequest request, int lost) {
    int levelCount = inventory.topology().levels().size();
    SliceLayers finest = request.slices().innermostOf(lost, levelCount);
    if (!finest.layers().isEmpty()
        || !request.isUnconstrained()
        || placer.rules().strict()) {
      return request.withSlices(finest);
    }
    return pods.source().topologyRequest().unconstrained().orElse(false)
        ? new LevelRequest(levelCount - 1, LevelRequest.Mode.UNCONSTRAINED, finest)
        : null;
  }

  /**
   * {@return the leaves of the domain that must contain all pods, given the places of the others}
   */
  private LeafRange rangeByLevel(LevelRequest request, NavigableMap<Integer, Integer> kept) {
    if (kept.isEmpty() || !request.isRequired()) {
      return new LeafRange(0, inventory.leafCount());
    }
    DomainTree tree = inventory.tree();
    return LeafRange.of(tree, request.level(), tree.ancestor(kept.firstKey(), request.level()));
  }

  /**
   * {@return the leaves of the domain whose broken slices the lost pods complete, except for
   * {@code remainder} pods; null if there is none}
   */
  private @Nullable LeafRange rangeOfBroken(
      SliceLayers.Layer layer, NavigableMap<Integer, Integer> kept, int lost, int remainder) {
    DomainTree tree = inventory.tree();
    TreeMap<Integer, Integer> podsByDomain = new TreeMap<>();
    kept.forEach((leaf, count) ->
        podsByDomain.merge(tree.ancestor(leaf, layer.level()), count, Integer::sum));
    return podsByDomain.entrySet().stream()
        .filter(domain -> (domain.getValue() + lost) % layer.size() == remainder)
        .map(Map.Entry::getKey)
        .findFirst()
        .map(domain -> LeafRange.of(tree, layer.level(), domain))
        .orElse(null);
  }
}
