package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.topology.Placement.LeafCount;
import io.kueue4j.core.topology.PodSetPlacer.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds another place for the pods of a pod set that were on a host which has failed. The others
 * stay where they are. The failed host is never chosen, even if the inventory still has it.
 *
 * <p>Rules: T-81, T-82, T-83, T-84, T-85, A.20 number 14.
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

  /**
   * A way to place the pods.
   *
   * @param request what is asked for, slices included
   * @param range where
   */
  private record Attempt(LevelRequest request, LeafRange range) {}

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
      // The slice that is smaller than the others may be the one that was lost, or broken.
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
   * {@return the request with only the finest layer that so many pods fill, null if it names no
   * level then: as in Kueue, one for slices alone does not without them}
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

  /** {@return the leaves near those that are kept, as far as pods are required to be near} */
  private LeafRange rangeByLevel(LevelRequest request, NavigableMap<Integer, Integer> kept) {
    if (kept.isEmpty() || !request.isRequired()) {
      return new LeafRange(0, inventory.leafCount());
    }
    DomainTree tree = inventory.tree();
    return LeafRange.of(tree, request.level(), tree.ancestor(kept.firstKey(), request.level()));
  }

  /**
   * {@return the leaves of the domain whose slices the lost pods make whole but for
   * {@code remainder} pods, null if there is none}
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
