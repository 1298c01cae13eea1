package io.kueue4j.core.tpu;

import java.util.Map;

/**
 * Decides which of all possible places a slice takes: the one with the smallest values, compared
 * lexicographically; if all are equal, the first by pool id, cube, orientation and host.
 *
 * <p>The values must depend on the candidate alone. They are computed in ascending order of their
 * index, and only until they decide.
 *
 * <p>Rules: TPU-F-14, TPU-F-15.
 *
 * @since 0.1.0
 */
public interface PlacementObjective {
  /** {@return the number of values of a candidate, for a generation with {@code levels} levels} */
  int values(int levels);

  /** {@return the value at {@code index} of a candidate; smaller is better} */
  long value(int index, PlacementCandidate candidate);

  /** Chooses the first possible place. */
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
   * The default. Prefers damaged cubes; then grids, tori and cubes in use; then places that break
   * the fewest free aligned blocks, the largest shapes first; then the tightest free block; then
   * the fewest free neighbors; then neighbors that end at about the same time.
   */
  PlacementObjective KEEP_BLOCKS = new KeepBlocks();

  /**
   * Places a slice as Kueue's topology-aware scheduling does when each aligned block is a topology
   * domain, all pods are required in one pool, and the domain of the shape is the slice level. From
   * the pool down, it chooses the domain with the fewest places left for the shape, then the one
   * with the fewest free hosts. For pools with aligned slices and requests that are not turned.
   */
  PlacementObjective TOPOLOGY_SLICES = new TopologyObjective(true);

  /**
   * Places a slice as Kueue's topology-aware scheduling does when its pods are required in one
   * domain of the shape's level: in the first free domain, in the order of domains.
   */
  PlacementObjective TOPOLOGY_DOMAINS = new TopologyObjective(false);

  /**
   * Minimizes the room lost for the slices expected to come: the sum over all shapes of the weight
   * of the shape times the free hosts that the place would strand for it. Among equal places
   * chooses the one that {@link #KEEP_BLOCKS} prefers.
   *
   * @param weights the expected demand for each shape, 0 or more
   * @throws IllegalArgumentException if a weight is negative
   */
  static PlacementObjective demandWeighted(Map<SliceShape, Integer> weights) {
    return new DemandObjective(weights);
  }
}
