package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.internal.topology.PlacementFailure;
import io.kueue4j.core.internal.topology.PodSetPlacer;
import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.internal.topology.PodSetPlacer.Outcome;
import io.kueue4j.core.model.TopologyRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a workload whose flavors are chosen: by flavor, then by group, each with what
 * earlier ones leave free. Valid while the nodes do not change.
 *
 * <p>Rules: E-9, T-20, T-21, T-22, T-23, T-88.
 */
public final class PlacementPlan {
  private static final Places NO_ROOM = Places.failed(0, PlacementFailure.of("", "no room"));

  private final Inventories inventories;
  private final CompiledWorkload workload;
  private final boolean implied;

  /** The replaced slice whose pods keep their places, null if there is none. */
  private final @Nullable ReplacedSlice replaced;

  private final @Nullable SlicePlan slices;
  private final ListMultimap<String, Group> byFlavor =
      MultimapBuilder.treeKeys().arrayListValues().build();

  /** Why nothing can be placed regardless of the nodes, null if placement is possible. */
  private @Nullable Places problem;

  /** Pod sets that are to be placed together. */
  private static final class Group {
    final Inventory inventory;
    final PodSetFlavors first;
    PodSetFlavors workers;

    /** The pod set with the leader pod, null if there is none. */
    @Nullable
    PodSetFlavors leader;

    /** Whether the group fits, created lazily. */
    @Nullable
    BooleanSupplier fits;

    Group(Inventory inventory, PodSetFlavors first) {
      this.inventory = inventory;
      this.first = first;
      this.workers = first;
    }

    void join(PodSetFlavors second) {
      boolean leads = first.count() < second.count();
      leader = leads ? first : second;
      workers = leads ? second : first;
    }
  }

  PlacementPlan(
      Inventories inventories,
      CompiledWorkload workload,
      List<PodSetFlavors> podSets,
      boolean implied,
      boolean keepsPlaces,
      @Nullable ReplacedSlice replaced,
      @Nullable SlicePlan slices) {
    this.inventories = inventories;
    this.workload = workload;
    this.implied = implied;
    this.replaced = keepsPlaces ? replaced : null;
    this.slices = slices;
    // The assignment lists a group at its first member; its pod sets may have different flavors.
    List<PodSetFlavors> inOrder =
        ImmutableList.sortedCopyOf(Comparator.comparingInt(PodSetFlavors::podSet), podSets);
    for (PodSetFlavors podSet : inOrder) {
      if (problem == null
          && podSet.count() > 0
          && request(podSet).sliceRequest() == null
          && (implied || request(podSet).asksForPlaces())) {
        add(podSet, keepsPlaces);
      }
    }
  }

  private CompiledPodSet request(PodSetFlavors podSet) {
    return workload.podSet(podSet.podSet());
  }

  private void add(PodSetFlavors podSet, boolean keepsPlaces) {
    List<String> flavors = podSet.flavors(inventories::hasTopology);
    TopologyRequest asked = request(podSet).source().topologyRequest();
    if (keepsPlaces && isRefusedOfSlices(asked)) {
      String refused = (asked.required().isPresent() ? "required" : "preferred")
          + " topology is not supported with ElasticJobsViaWorkloadSlices";
      problem = Places.failed(podSet.podSet(), PlacementFailure.of("", refused));
    } else if (flavors.size() > 1) {
      String found = "more than one TAS flavor assigned: " + String.join(", ", flavors);
      problem = Places.failed(podSet.podSet(), PlacementFailure.of("", found));
    } else if (flavors.isEmpty() || inventories.of(flavors.get(0)) == null) {
      problem = Places.failed(podSet.podSet(), PlacementFailure.of("", "no TAS flavor assigned"));
    } else {
      join(flavors.get(0), podSet);
    }
  }

  /** {@return whether slices whose pods keep their places may not ask for that; rule T-88} */
  static boolean isRefusedOfSlices(TopologyRequest asked) {
    return asked.required().isPresent() || asked.preferred().isPresent();
  }

  private void join(String flavor, PodSetFlavors podSet) {
    Optional<String> name = request(podSet).source().group();
    if (name.isPresent()) {
      for (Group group : byFlavor.get(flavor)) {
        if (group.leader == null && request(group.first).source().group().equals(name)) {
          group.join(podSet);
          return;
        }
      }
    }
    byFlavor.put(flavor, new Group(Objects.requireNonNull(inventories.of(flavor)), podSet));
  }

  /**
   * Searches for places for all pods.
   *
   * @param countsUsage whether the usage of admitted workloads counts
   */
  public Places place(boolean countsUsage) {
    Places pods = placePods(countsUsage, true);
    return slices == null || !pods.isFound() ? pods : slices.place(pods, countsUsage);
  }

  /** {@return whether all pods fit with what admitted workloads leave free} */
  public boolean fits() {
    return placePods(true, false).isFound() && (slices == null || slices.fits());
  }

  /**
   * {@return the places of all pods, or why there are none}
   *
   * @param needsPlaces whether the places matter, not only whether there are some
   */
  private Places placePods(boolean countsUsage, boolean needsPlaces) {
    if (problem != null) {
      return problem;
    }
    return inventories.inTrial(() -> {
      List<Places.PodSetPlace> places = new ArrayList<>();
      int left = byFlavor.size();
      for (Group group : byFlavor.values()) {
        left--;
        boolean isOnlyTested = !needsPlaces && left == 0 && keptPlaces(group) == null;
        Places failure = isOnlyTested ? test(group) : place(group, countsUsage, left == 0, places);
        if (failure != null) {
          return failure;
        }
      }
      return Places.found(ImmutableList.copyOf(places));
    });
  }

  /** {@return the failure, without a reason, null if the group fits} */
  private @Nullable Places test(Group group) {
    if (group.fits == null) {
      group.fits = placer(group).fits(members(group));
    }
    return group.fits.getAsBoolean() ? null : NO_ROOM;
  }

  /**
   * Places one group.
   *
   * @param isLast whether no other group needs to know which room it takes
   * @return the failure, null if the group is placed
   */
  private @Nullable Places place(
      Group group, boolean countsUsage, boolean isLast, List<Places.PodSetPlace> places) {
    KeptPlaces kept = keptPlaces(group);
    if (kept != null) {
      return placeBeside(kept, group, countsUsage, places);
    }
    Outcome outcome = placer(group).place(members(group), countsUsage);
    if (outcome instanceof Outcome.Failed failed) {
      return Places.failed(group.first.podSet(), failed.failure());
    }
    Outcome.Placed found = (Outcome.Placed) outcome;
    add(places, group, found.leaves(), leaf(found));
    if (!isLast) {
      assume(group, found);
    }
    return null;
  }

  /** {@return the places that pods of a group keep, null if all must be placed} */
  private @Nullable KeptPlaces keptPlaces(Group group) {
    ReplacedSlice slice = replaced;
    if (slice == null) {
      return null;
    }
    PodSetFlavors workers = group.workers;
    PodSetFlavors leader = group.leader;
    return KeptPlaces.of(
        group.inventory,
        slice.places(workload, workers.podSet()),
        workers.count(),
        leader != null,
        leader == null ? Optional.empty() : slice.places(workload, leader.podSet()));
  }

  /**
   * Places the pods of a group that have no place yet.
   *
   * @return the failure, null if all are placed
   */
  private @Nullable Places placeBeside(
      KeptPlaces kept, Group group, boolean countsUsage, List<Places.PodSetPlace> places) {
    PodSetFlavors leader = group.leader;
    PodSetFlavors workers = group.workers;
    ImmutableList<LeafCount> ofWorkers = kept.workers();
    ImmutableList<LeafCount> ofLeader = kept.leader();
    if (!countsUsage || !inventories.settings().strictTopology()) {
      assume(group, workers, ofWorkers);
      assume(group, leader, ofLeader);
    }
    if (kept.missing() > 0) {
      Member added = member(workers, kept.missing());
      Member placedLeader = leader == null || ofLeader != null ? null : member(leader);
      Outcome outcome =
          placer(group).place(new PodSetPlacer.Members(added, placedLeader), countsUsage);
      if (outcome instanceof Outcome.Failed failed) {
        return Places.failed(workers.podSet(), failed.failure());
      }
      Outcome.Placed found = (Outcome.Placed) outcome;
      assume(group, found);
      if (placedLeader != null) {
        ofLeader = leaf(found);
      }
      ofWorkers = kept.workersWith(found.leaves());
    }
    add(places, group, ofWorkers, ofLeader);
    return null;
  }

  private static ImmutableList<LeafCount> leaf(Outcome.Placed found) {
    return found.leaderLeaf() < 0
        ? ImmutableList.of()
        : ImmutableList.of(new LeafCount(found.leaderLeaf(), 1));
  }

  private static void add(
      List<Places.PodSetPlace> places,
      Group group,
      ImmutableList<LeafCount> ofWorkers,
      @Nullable ImmutableList<LeafCount> ofLeader) {
    String flavor = group.inventory.flavor().name();
    places.add(new Places.PodSetPlace(group.workers.podSet(), flavor, ofWorkers));
    PodSetFlavors leader = group.leader;
    if (leader != null && ofLeader != null) {
      places.add(new Places.PodSetPlace(leader.podSet(), flavor, ofLeader));
    }
  }

  private PodSetPlacer placer(Group group) {
    return new PodSetPlacer(group.inventory, inventories.settings());
  }

  /** Assumes pods on the nodes, so that later pods do not use the same room. */
  private void assume(Group group, Outcome.Placed found) {
    for (LeafCount leaf : found.below().leaves()) {
      assumeBelow(group, group.workers, leaf);
    }
    PodSetFlavors leader = group.leader;
    if (leader != null && found.below().leaderLeaf() >= 0) {
      assumeBelow(group, leader, new LeafCount(found.below().leaderLeaf(), 1));
    }
  }

  private void assumeBelow(Group group, PodSetFlavors podSet, LeafCount leaf) {
    inventories.assumeBelow(
        group.inventory, leaf.leaf(), request(podSet).podRequest(), leaf.count());
  }

  /** Assumes pods that stay on their leaves. */
  private void assume(
      Group group, @Nullable PodSetFlavors podSet, @Nullable ImmutableList<LeafCount> leaves) {
    if (podSet != null && leaves != null) {
      for (LeafCount leaf : leaves) {
        inventories.assume(
            group.inventory, leaf.leaf(), request(podSet).podRequest(), leaf.count());
      }
    }
  }

  private PodSetPlacer.Members members(Group group) {
    PodSetFlavors leader = group.leader;
    return new PodSetPlacer.Members(member(group.workers), leader == null ? null : member(leader));
  }

  private Member member(PodSetFlavors podSet) {
    return member(podSet, podSet.count());
  }

  private Member member(PodSetFlavors podSet, int count) {
    CompiledPodSet compiled = request(podSet);
    return new Member(
        compiled.source(), count, compiled.podRequest(), implied && !compiled.asksForPlaces());
  }
}
