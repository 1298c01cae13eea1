package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds another place for the pods of a pod set that were on a failed host. The other pods keep
 * their places. The failed host is never chosen, even if the inventory still has it.
 *
 * <p>Rules: T-81, T-82, T-83, T-84, T-85, T-93, A.20 number 14.
 *
 * @param placer places pods on the nodes to choose from
 */
public record NodeReplacement(PodSetPlacer placer) {
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
        pods.source().topologyRequest(), placer.inventory().topology().levels(), pods.implied());
    LevelRequest request = resolution.request();
    if (request == null) {
      return new Outcome.Failed(resolution.problem());
    }
    Map<Integer, Integer> kept = new LinkedHashMap<>();
    int lost = 0;
    for (Domain domain : current.domains()) {
      if (isOn(domain, current, host)) {
        lost += domain.count();
        continue;
      }
      OptionalInt leaf = placer.inventory().leaf(domain.values());
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
    ImmutableList<LeafCount> leaves = placer.ordered(
        request,
        LeafCount.sum(Stream.concat(
            kept.entrySet().stream().map(leaf -> new LeafCount(leaf.getKey(), leaf.getValue())),
            fits.leaves().stream())));
    if (placer.settings().isEnabled(FeatureGate.TAS_PARTIAL_SLICES)
        && splitsSlice(request, leaves)) {
      return new Outcome.Failed(
          "cannot replace the node " + host + " without splitting a PodSet slice");
    }
    ImmutableList.Builder<Domain> domains = ImmutableList.builder();
    for (LeafCount leaf : leaves) {
      domains.add(new Domain(placer.inventory().values(leaf.leaf()), leaf.count()));
    }
    return new Outcome.Replaced(
        new TopologyAssignment(placer.inventory().assignedLevels(), domains.build()),
        fits.leaves());
  }

  /** {@return whether several domains have pods that do not fill whole slices} */
  private boolean splitsSlice(LevelRequest request, ImmutableList<LeafCount> leaves) {
    return placer.podsByDomain(request, leaves).values().stream()
            .filter(pods -> pods % request.slices().size() != 0)
            .count()
        > 1;
  }

  private Placement.@Nullable Fits place(
      Member pods, LevelRequest request, Map<Integer, Integer> kept, int lost, String host) {
    OptionalInt failed = placer.inventory().topology().endsInHosts()
        ? placer.inventory().leaf(ImmutableList.of(host))
        : OptionalInt.empty();
    Attempt attempt = attempt(pods, request, kept, lost);
    Placement placement = attempt == null
        ? null
        : placer.placeWithin(pods, attempt.request, lost, attempt.range, failed);
    return placement instanceof Placement.Fits fits && podCount(fits) == lost ? fits : null;
  }

  private static int sum(Collection<Integer> counts) {
    return counts.stream().mapToInt(Integer::intValue).sum();
  }

  private static int podCount(Placement.Fits fits) {
    return fits.leaves().stream().mapToInt(LeafCount::count).sum();
  }

  /** {@return the way to place the lost pods, null if there is none} */
  private @Nullable Attempt attempt(
      Member pods, LevelRequest request, Map<Integer, Integer> kept, int lost) {
    SliceLayers.Layer broken = kept.isEmpty() ? null : request.slices().innermostBroken(lost);
    if (broken == null) {
      return new Attempt(request, rangeByLevel(request, kept));
    }
    LevelRequest rest = withFinestLayer(pods, request, lost);
    LeafRange range = rangeOfBroken(broken, kept, lost);
    return rest == null || range == null ? null : new Attempt(rest, range);
  }

  /**
   * {@return the request with only the finest layer that {@code lost} pods fill; null if it then
   * names no level, as in Kueue for a request with slices alone}
   */
  private @Nullable LevelRequest withFinestLayer(Member pods, LevelRequest request, int lost) {
    int levelCount = placer.inventory().topology().levels().size();
    SliceLayers finest = request.slices().innermostOf(lost, levelCount);
    if (!finest.layers().isEmpty()
        || !request.isUnconstrained()
        || placer.settings().strictTopology()) {
      return request.withSlices(finest);
    }
    return pods.source().topologyRequest().unconstrained().orElse(false)
        ? new LevelRequest(levelCount - 1, LevelRequest.Mode.UNCONSTRAINED, finest)
        : null;
  }

  /**
   * {@return the leaves of the domain that must contain all pods, given the places of the others}
   */
  private LeafRange rangeByLevel(LevelRequest request, Map<Integer, Integer> kept) {
    if (kept.isEmpty() || !request.isRequired()) {
      return new LeafRange(0, placer.inventory().leafCount());
    }
    DomainTree tree = placer.inventory().tree();
    return LeafRange.of(
        tree,
        request.level(),
        placer.inventory().ancestor(kept.keySet().iterator().next(), request.level()));
  }

  /**
   * {@return the leaves of the first domain whose slices the lost pods complete; null if there is
   * none. If slices may be partial, the last domain has the smaller one}
   */
  private @Nullable LeafRange rangeOfBroken(
      SliceLayers.Layer layer, Map<Integer, Integer> kept, int lost) {
    DomainTree tree = placer.inventory().tree();
    // The domain of a smaller slice is listed last.
    boolean partial = placer.settings().isEnabled(FeatureGate.TAS_PARTIAL_SLICES);
    Map<Integer, Integer> podsByDomain = partial ? new LinkedHashMap<>() : new TreeMap<>();
    kept.forEach((leaf, count) ->
        podsByDomain.merge(placer.inventory().ancestor(leaf, layer.level()), count, Integer::sum));
    int last = Objects.requireNonNull(Iterables.getLast(podsByDomain.keySet()));
    int remainder = partial ? (sum(kept.values()) + lost) % layer.size() : 0;
    for (Map.Entry<Integer, Integer> domain : podsByDomain.entrySet()) {
      int expected = domain.getKey() == last ? remainder : 0;
      if ((domain.getValue() + lost) % layer.size() == expected) {
        return LeafRange.of(tree, layer.level(), domain.getKey());
      }
    }
    return null;
  }
}
