package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.model.TopologyAssignment;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places that the pods of a group keep when their workload replaces a running elastic slice:
 * the places of all running pods if the number of pods grows, else of the first pods.
 *
 * <p>Rules: T-88.
 *
 * @param workers the places that workers keep
 * @param leader the place that the leader keeps, null if it has none yet
 * @param missing the number of workers without place
 */
record KeptPlaces(
    ImmutableList<LeafCount> workers, @Nullable ImmutableList<LeafCount> leader, int missing) {
  /**
   * {@return the places kept; null if no pods run or a leaf does not exist any more, so that all
   * pods are placed anew}
   *
   * @param inventory the leaves
   * @param runningWorkers the places of running workers
   * @param count the new number of workers
   * @param hasLeader whether there is a leader
   * @param runningLeader the place of the running leader
   */
  static @Nullable KeptPlaces of(
      Inventory inventory,
      Optional<TopologyAssignment> runningWorkers,
      int count,
      boolean hasLeader,
      Optional<TopologyAssignment> runningLeader) {
    ImmutableList<LeafCount> workers =
        runningWorkers.map(assignment -> first(count, assignment, inventory)).orElse(null);
    ImmutableList<LeafCount> leader = hasLeader
        ? runningLeader
            .map(assignment -> first(assignment.podCount(), assignment, inventory))
            .orElse(null)
        : null;
    if (workers == null || (leader == null && hasLeader && runningLeader.isPresent())) {
      return null;
    }
    int missing = count - workers.stream().mapToInt(LeafCount::count).sum();
    // A leader without place is placed together with the workers.
    return hasLeader && leader == null && missing == 0
        ? null
        : new KeptPlaces(workers, leader, missing);
  }

  /**
   * {@return the leaves of the first pods, null if a domain of the assignment does not exist any
   * more}
   */
  private static @Nullable ImmutableList<LeafCount> first(
      int count, TopologyAssignment assignment, Inventory inventory) {
    ImmutableList.Builder<LeafCount> leaves = ImmutableList.builder();
    int left = count;
    for (TopologyAssignment.Domain domain : assignment.domains()) {
      OptionalInt leaf = inventory.leaf(domain.values());
      if (leaf.isEmpty()) {
        return null;
      }
      int kept = Math.min(left, domain.count());
      if (kept > 0) {
        leaves.add(new LeafCount(leaf.getAsInt(), kept));
        left -= kept;
      }
    }
    return leaves.build();
  }

  /** {@return the places of the workers together with {@code added}, in ascending order} */
  ImmutableList<LeafCount> workersWith(ImmutableList<LeafCount> added) {
    return LeafCount.sum(Stream.concat(workers.stream(), added.stream()));
  }
}
