package io.kueue4j.core.tpu;

import java.util.Map;

/**
 * Which of all possible places a slice takes: the one whose values are smallest, compared one after
 * the other; if all are equal, the first by pool id, cube, way to turn it, and host.
 *
 * <p>An objective must depend on the candidate alone. Values are asked for in ascending order, and
 * later ones only as far as a candidate is not decided by earlier ones.
 *
 * <p>Rules: TPU-F-14, TPU-F-15.
 */
public interface PlacementObjective {
  /** {@return the number of values of each candidate of a generation with so many levels} */
  int values(int levels);

  /** {@return a value of a candidate; smaller is better} */
  long value(int index, PlacementCandidate candidate);

  /** The first place there is. */
  PlacementObjective FIRST_FIT = new PlacementObjective() {
    @Override
    public int values(int levels) {
      return 0;
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      return 0;
    }
  };

  /**
   * The default: damaged cubes first, then what is in use already, then so that the fewest free
   * aligned blocks are broken, the largest shapes first, then the tightest free block, then the
   * fewest free neighbours, then beside those who end at about the same time.
   */
  PlacementObjective KEEP_BLOCKS = new KeepBlocks();

  /**
   * As Kueue's topology-aware scheduling places a slice when each aligned block is a topology
   * domain, all pods are required in one pool, and the shape's domain is the slice level: from the
   * pool down, the domain in which the fewest places for the shape are left, then the one with the
   * fewest free hosts. For pools with aligned slices and requests that are not turned.
   */
  PlacementObjective TOPOLOGY_SLICES = new TopologyObjective(true);

  /**
   * As Kueue's topology-aware scheduling places a slice when its pods are required in one domain of
   * the shape's level: in the first one that is free, in the order of the domains.
   */
  PlacementObjective TOPOLOGY_DOMAINS = new TopologyObjective(false);

  /**
   * Places slices so that, of the slices expected to come, the fewest find less room: the sum over
   * shapes of the free hosts that become useless to a shape, times the shape's weight. Of equal
   * places the one that {@link #KEEP_BLOCKS} prefers.
   *
   * @param weights how much of each shape is expected; not negative
   * @throws IllegalArgumentException if a weight is negative
   */
  static PlacementObjective demandWeighted(Map<SliceShape, Integer> weights) {
    return new DemandObjective(weights);
  }
}
