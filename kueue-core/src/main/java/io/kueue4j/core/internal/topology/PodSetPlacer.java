package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.model.PodSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for a pod set, alone or with the leader of its group, on the nodes of one flavor.
 *
 * <p>Rules: T-13, T-23, T-32, T-61, T-63, T-64, T-65, T-84, T-93.
 *
 * @param inventory the nodes of the flavor
 * @param settings the settings
 */
public record PodSetPlacer(Inventory inventory, Settings settings) {
  /**
   * A pod set to place.
   *
   * @param source the pod set
   * @param count the number of pods
   * @param request what one pod uses
   * @param implied whether it is placed even if it does not request it
   */
  public record Member(PodSet source, int count, PodRequest request, boolean implied) {}

  /**
   * Pod sets that are placed together.
   *
   * @param workers the pod set
   * @param leader the pod set with the leader pod, null if there is none
   */
  public record Members(Member workers, @Nullable Member leader) {}

  /** The place of a pod set, or why it has none. */
  public sealed interface Outcome {
    /**
     * The pod set has a place.
     *
     * @param leaves the leaves of the pods, in ascending order but for a smaller last slice
     * @param leaderLeaf the leaf of the leader, negative if there is none
     * @param below the same on leaves of the tree, which may be nodes below the leaves
     */
    record Placed(ImmutableList<LeafCount> leaves, int leaderLeaf, Placement.Fits below)
        implements Outcome {}

    /**
     * The pod set has no place.
     *
     * @param failure the reason
     */
    record Failed(PlacementFailure failure) implements Outcome {}
  }

  /** {@return a test whether there is a place; each evaluation uses the current usage} */
  public BooleanSupplier fits(Members members) {
    Member workers = members.workers;
    LevelRequest request = resolution(workers).request();
    if (request == null || inventory.leafCount() == 0) {
      return () -> false;
    }
    FitKey key = key(workers, members.leader, true, request.slices());
    return () -> new Placer(inventory.counts(key), request, workers.count, settings).fits();
  }

  private LevelResolution resolution(Member workers) {
    return LevelResolution.of(
        workers.source.topologyRequest(), inventory.topology().levels(), workers.implied);
  }

  /**
   * Searches.
   *
   * @param countsUsage whether the usage of admitted workloads counts
   */
  public Outcome place(Members members, boolean countsUsage) {
    Member workers = members.workers;
    String topology = inventory.topology().name();
    List<String> levels = inventory.topology().levels();
    LevelResolution resolution = resolution(workers);
    LevelRequest request = resolution.request();
    if (request == null) {
      return new Outcome.Failed(PlacementFailure.of(topology, resolution.problem()));
    }
    if (inventory.leafCount() == 0) {
      String problem = "no topology domains at level: " + levels.get(request.level());
      return new Outcome.Failed(PlacementFailure.of(topology, problem));
    }
    FitCounts counts =
        inventory.counts(key(workers, members.leader, countsUsage, request.slices()));
    Placement placement = new Placer(counts, request, workers.count, settings).place();
    if (placement instanceof Placement.Fits fits) {
      Placement.Fits onLeaves = inventory.onLeaves(fits);
      return new Outcome.Placed(ordered(request, onLeaves.leaves()), onLeaves.leaderLeaf(), fits);
    }
    Placement.DoesNotFit misfit = (Placement.DoesNotFit) placement;
    return new Outcome.Failed(new PlacementFailure(
        topology,
        "",
        misfit.fitting(),
        workers.count / request.slices().size()
            + (Placer.hasPartialSlice(request, workers.count, settings) ? 1 : 0),
        request.slices().size() == 1 ? "pod" : "slice",
        layers(counts, levels, misfit.level(), workers.count),
        counts.endOfLeaves() - counts.firstLeaf(),
        counts.exclusions()));
  }

  /**
   * {@return the placement of a number of pods on some of the leaves, excluding leaf
   * {@code failed}}
   */
  Placement placeWithin(
      Member pods, LevelRequest request, int count, LeafRange range, OptionalInt failed) {
    if (range.isEmpty()) {
      return new Placement.DoesNotFit(0, request.level());
    }
    FitKey key = key(pods, null, true, request.slices());
    if (failed.isPresent()) {
      key = key.withMatches(key.matches().without(failed.getAsInt(), "failed"));
    }
    FitCounts counts = inventory.counts(key, range.first(), range.end());
    Placement placement = new Placer(counts, request, count, settings).place();
    return placement instanceof Placement.Fits fits ? inventory.onLeaves(fits) : placement;
  }

  /**
   * {@return leaves in the order in which assignments list them: the leaves of the domain with a
   * smaller slice last}
   */
  ImmutableList<LeafCount> ordered(LevelRequest request, ImmutableList<LeafCount> leaves) {
    int sliceSize = request.slices().size();
    if (!settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES) || sliceSize == 1) {
      return leaves;
    }
    Map<Integer, Integer> podsByDomain = podsByDomain(request, leaves);
    Map<Boolean, List<LeafCount>> byWholeness = leaves.stream()
        .collect(Collectors.partitioningBy(
            leaf -> podsByDomain.getOrDefault(domain(request, leaf), 0) % sliceSize != 0));
    return ImmutableList.<LeafCount>builder()
        .addAll(byWholeness.getOrDefault(false, List.of()))
        .addAll(byWholeness.getOrDefault(true, List.of()))
        .build();
  }

  /** {@return the numbers of pods on leaves, by the domain that holds their slices} */
  Map<Integer, Integer> podsByDomain(LevelRequest request, List<LeafCount> leaves) {
    return leaves.stream()
        .collect(Collectors.toMap(leaf -> domain(request, leaf), LeafCount::count, Integer::sum));
  }

  private int domain(LevelRequest request, LeafCount leaf) {
    return inventory.ancestor(leaf.leaf(), request.slices().level());
  }

  private FitKey key(
      Member workers, @Nullable Member leader, boolean countsUsage, SliceLayers slices) {
    LeafMatches matches = inventory.filter().matches(PodConstraints.of(workers.source));
    return new FitKey(
        workers.request,
        leader == null ? null : leader.request,
        matches,
        leader == null || !settings.isEnabled(FeatureGate.TAS_LEADER_POD_SET_FEASIBILITY)
            ? matches
            : inventory.filter().matches(PodConstraints.of(leader.source)),
        countsUsage,
        slices,
        settings.isEnabled(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED)
            ? inventory
                .filter()
                .scores(PodConstraints.of(workers.source), workers.source.preferredNodeAffinity())
            : NodeScores.NONE);
  }

  /** {@return the fit of each layer in the domain with the most slices; rule T-65} */
  private static ImmutableList<PlacementFailure.Layer> layers(
      FitCounts counts, List<String> levels, int level, int podCount) {
    SliceLayers slices = counts.key().slices();
    if (slices.layers().size() < 2) {
      return ImmutableList.of();
    }
    int best = 0;
    for (int domain = 1; domain < counts.tree().size(level); domain++) {
      if (counts.slices(level, domain) > counts.slices(level, best)) {
        best = domain;
      }
    }
    int chosen = best;
    return slices.layers().stream()
        .map(layer -> new PlacementFailure.Layer(
            levels.get(layer.level()),
            fitting(counts, level, chosen, layer),
            podCount / layer.size()))
        .collect(ImmutableList.toImmutableList());
  }

  private static int fitting(FitCounts counts, int level, int domain, SliceLayers.Layer layer) {
    int first = domain;
    int end = domain + 1;
    for (int at = level; at < layer.level(); at++) {
      first = counts.tree().firstChild(at, first);
      end = counts.tree().endOfChildren(at, end - 1);
    }
    return IntStream.range(first, end)
        .map(below -> counts.pods(layer.level(), below) / layer.size())
        .sum();
  }
}
