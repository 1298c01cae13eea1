package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.TopologyAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a workload.
 *
 * <p>Rules: T-17, T-20, T-21, T-22, T-23, T-50, T-51, T-53, T-69, T-70, T-88.
 */
public final class Placement {
  /**
   * The result.
   *
   * @param assignments the places by the position of the pod set in the workload
   * @param problem why not all of them have a place, as worded by Kueue, empty if they do
   */
  public record Result(Map<Integer, TopologyAssignment> assignments, Optional<String> problem) {
    /** Copies what it is given. */
    public Result {
      assignments = ImmutableMap.copyOf(assignments);
    }
  }

  /**
   * The options of placement.
   *
   * @param simulatesEmpty whether to ignore all workloads on the nodes (T-70)
   * @param isMixed whether unconstrained pods use the smallest domains first (T-29)
   * @param isBalanced whether pods that prefer a level are spread evenly over it (T-53)
   * @param areNodesPreferred whether preferences of pods for nodes matter (T-61)
   * @param areLeadersFeasible whether a leader goes by its own conditions for nodes (T-23)
   * @param mayBePartial whether pods that fill no slice are a smaller one (T-93)
   * @param isStrict whether pods are placed without the known defects of Kueue
   */
  public record Options(
      boolean simulatesEmpty,
      boolean isMixed,
      boolean isBalanced,
      boolean areNodesPreferred,
      boolean areLeadersFeasible,
      boolean mayBePartial,
      boolean isStrict) {
    /** {@return the options for {@code settings}} */
    public static Options of(Settings settings, boolean simulatesEmpty) {
      return new Options(
          simulatesEmpty,
          settings.isEnabled(FeatureGate.TAS_PROFILE_MIXED),
          settings.isEnabled(FeatureGate.TAS_BALANCED_PLACEMENT),
          settings.isEnabled(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED),
          settings.isEnabled(FeatureGate.TAS_LEADER_POD_SET_FEASIBILITY),
          settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES),
          settings.strictTopology());
    }
  }

  private final Nodes nodes;
  private final Options options;

  /** The places of running pods, by the position of their pod set. */
  private final Map<Integer, TopologyAssignment> running;

  private final Map<Integer, TopologyAssignment> assignments = new TreeMap<>();

  private Placement(Nodes nodes, Options options, Map<Integer, TopologyAssignment> running) {
    this.running = running;
    this.nodes = options.simulatesEmpty() ? nodes.emptied() : nodes.copy();
    this.options = options;
  }

  /**
   * {@return places for all of {@code podSets}, or why there are none}
   *
   * @param podSets the pods by the position of their pod set in the workload
   * @param nodes the nodes with all running pods
   * @param options the options
   */
  public static Result place(Map<Integer, Pods> podSets, Nodes nodes, Options options) {
    return place(podSets, nodes, options, Map.of());
  }

  /**
   * {@return places for all of {@code podSets}, or why there are none; running pods keep their
   * places}
   *
   * @param podSets the pods by the position of their pod set in the workload
   * @param nodes the nodes with all running pods
   * @param options the options
   * @param running the places of running pods, by the position of their pod set
   */
  public static Result place(
      Map<Integer, Pods> podSets,
      Nodes nodes,
      Options options,
      Map<Integer, TopologyAssignment> running) {
    return new Placement(nodes, options, running).place(podSets);
  }

  /** T-20, T-22: by flavor, each until pods do not fit. */
  private Result place(Map<Integer, Pods> podSets) {
    Map<String, Map<Integer, Pods>> byFlavor = new TreeMap<>();
    new TreeMap<>(podSets).forEach((index, pods) -> {
      if (pods.count() > 0) {
        byFlavor.computeIfAbsent(pods.flavor(), flavor -> new TreeMap<>()).put(index, pods);
      }
    });
    @Nullable String problem = null;
    for (Map<Integer, Pods> ofFlavor : byFlavor.values()) {
      for (Map<Integer, Pods> group : groups(ofFlavor)) {
        Optional<String> found = placeGroup(group);
        if (found.isPresent()) {
          problem = problem == null ? found.get() : problem;
          break;
        }
      }
    }
    return new Result(ImmutableMap.copyOf(assignments), Optional.ofNullable(problem));
  }

  /** T-20; groups have two members (T-90), further ones are placed separately. */
  private static List<Map<Integer, Pods>> groups(Map<Integer, Pods> podSets) {
    List<Map<Integer, Pods>> groups = new ArrayList<>();
    podSets.forEach((index, pods) -> {
      Optional<Map<Integer, Pods>> group = groups.stream()
          .filter(known -> known.size() < 2 && isOfGroup(known, pods))
          .findFirst();
      if (group.isPresent()) {
        group.get().put(index, pods);
      } else {
        groups.add(new TreeMap<>(Map.of(index, pods)));
      }
    });
    return groups;
  }

  private static boolean isOfGroup(Map<Integer, Pods> group, Pods pods) {
    Optional<String> name = pods.podSet().group();
    return name.isPresent() && group.values().iterator().next().podSet().group().equals(name);
  }

  /** T-23. */
  private Optional<String> placeGroup(Map<Integer, Pods> group) {
    List<Integer> members = new ArrayList<>(group.keySet());
    if (members.size() == 1) {
      int only = members.get(0);
      return place(only, pods(group, only), -1, null);
    }
    int first = members.get(0);
    int second = members.get(1);
    boolean firstLeads = pods(group, first).count() < pods(group, second).count();
    int leader = firstLeads ? first : second;
    int worker = firstLeads ? second : first;
    return place(worker, pods(group, worker), leader, pods(group, leader));
  }

  private static Pods pods(Map<Integer, Pods> group, int index) {
    return Objects.requireNonNull(group.get(index));
  }

  private Optional<String> place(int index, Pods workers, int leaderIndex, @Nullable Pods leader) {
    FlavorNodes flavor = nodes.flavor(workers.flavor());
    @Nullable TopologyAssignment ofWorkers = running.get(index);
    @Nullable TopologyAssignment ofLeader = leader == null ? null : running.get(leaderIndex);
    boolean isKept = ofWorkers != null
        && flavor.hasAll(ofWorkers)
        && (ofLeader == null || flavor.hasAll(ofLeader));
    if (!isKept) {
      return placeAnew(index, workers, leaderIndex, leader);
    }
    List<TopologyAssignment.Domain> kept =
        first(workers.count(), Objects.requireNonNull(ofWorkers));
    int missing = workers.count() - count(kept);
    if (missing == 0 && leader != null && ofLeader == null) {
      // A leader without place is placed together with workers.
      return placeAnew(index, workers, leaderIndex, leader);
    }
    // T-88: charged twice, for the old slice and for the new one, unless that is strict.
    boolean isCharged = options.isStrict() && !options.simulatesEmpty();
    if (!isCharged) {
      charge(workers, flavor, kept);
    }
    if (leader != null && ofLeader != null) {
      if (!isCharged) {
        charge(leader, flavor, ofLeader.domains());
      }
      assignments.put(leaderIndex, ofLeader);
    }
    if (missing > 0) {
      Optional<String> problem = placeAnew(
          index,
          new Pods(workers.podSet(), missing, workers.flavor()),
          leaderIndex,
          ofLeader == null ? leader : null);
      if (problem.isPresent()) {
        return problem;
      }
      kept =
          flavor.together(kept, Objects.requireNonNull(assignments.get(index)).domains());
    }
    assignments.put(
        index, new TopologyAssignment(flavor.reportedLevels(), ImmutableList.copyOf(kept)));
    return Optional.empty();
  }

  private void charge(Pods pods, FlavorNodes flavor, List<TopologyAssignment.Domain> domains) {
    nodes.charge(PlacedPods.of(
        pods.podSet(),
        pods.flavor(),
        new TopologyAssignment(flavor.reportedLevels(), ImmutableList.copyOf(domains))));
  }

  private static int count(List<TopologyAssignment.Domain> domains) {
    return domains.stream().mapToInt(TopologyAssignment.Domain::count).sum();
  }

  /** T-88: the first pods in the order of the assignment. */
  private static List<TopologyAssignment.Domain> first(int count, TopologyAssignment places) {
    List<TopologyAssignment.Domain> first = new ArrayList<>();
    for (TopologyAssignment.Domain domain : places.domains()) {
      int kept = Math.min(count - count(first), domain.count());
      if (kept > 0) {
        first.add(new TopologyAssignment.Domain(domain.values(), kept));
      }
    }
    return first;
  }

  private Optional<String> placeAnew(
      int index, Pods workers, int leaderIndex, @Nullable Pods leader) {
    FlavorNodes flavor = nodes.flavor(workers.flavor());
    List<String> levels = flavor.topology.levels();
    Optional<String> problem = Wish.problem(workers.podSet().topologyRequest(), levels);
    if (problem.isPresent()) {
      return problem;
    }
    Wish wish = Wish.of(workers.podSet().topologyRequest(), levels);
    DomainTree tree = new DomainTree(flavor, workers, leader, wish, options, leaf -> true);
    if (tree.atLevel(wish.searchLevel()).isEmpty()) {
      return Optional.of("no topology domains at level: " + levels.get(wish.searchLevel()));
    }
    Search search = Search.of(tree, wish, workers.count(), options);
    if (search.end().domains().isEmpty()) {
      return Optional.of(
          failure(flavor.topology.name(), tree, wish, workers.count(), search.end()));
    }
    Found found = Found.of(search.leaves());
    List<TopologyAssignment.Domain> places = flavor.domains(found.pods());
    boolean isPartial = options.mayBePartial() && wish.leavesRest(workers.count());
    put(index, workers, isPartial ? PartialSearch.restLast(places, flavor, wish) : places);
    flavor.take(found.pods(), PlacedPods.requests(workers.podSet()));
    if (leader != null) {
      put(leaderIndex, leader, flavor.domains(found.ofLeader()));
      flavor.take(found.ofLeader(), PlacedPods.requests(leader.podSet()));
    }
    return Optional.empty();
  }

  private String failure(
      String topology, DomainTree tree, Wish wish, int pods, LevelChoice.Result choice) {
    return wish.slices().haveSeveralLayers()
        ? Failure.layersText(topology, tree, wish, pods, choice.level())
        : Failure.text(
            topology,
            choice.fitting(),
            (options.mayBePartial() ? pods + wish.sliceSize() - 1 : pods) / wish.sliceSize(),
            wish.sliceSize(),
            tree.statistics.suffix());
  }

  /** T-21, T-50, T-51. */
  private void put(int index, Pods pods, List<TopologyAssignment.Domain> places) {
    FlavorNodes flavor = nodes.flavor(pods.flavor());
    TopologyAssignment assignment = new TopologyAssignment(flavor.reportedLevels(), places);
    assignments.put(index, assignment);
    nodes.charge(PlacedPods.of(pods.podSet(), pods.flavor(), assignment));
  }
}
