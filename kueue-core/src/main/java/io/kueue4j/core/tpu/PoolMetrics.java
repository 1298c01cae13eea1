package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The room in a pool or fabric, and the shapes that it has room for.
 *
 * <p>Rules: TPU-F-13, B.18.
 *
 * @param pool the id of the pool, or the name of the fabric
 * @param hosts the number of hosts
 * @param healthyHosts the number of healthy hosts
 * @param freeHosts the number of hosts without slice
 * @param freeHealthyHosts the number of healthy hosts without slice
 * @param wholeCubes the number of cubes whose hosts are all healthy and free; 0 if there are no
 *     cubes
 * @param brokenCubes the number of cubes in which some, but not all hosts have slices
 * @param largest the largest slice that fits, in any orientation that is allowed
 * @param fragmentationPermille the part of the free healthy chips that the largest slice leaves, in
 *     thousandths; 0 if none are free
 * @param rooms the room for each block shape that the grid, torus or cube could hold, largest first
 * @since 0.1.0
 */
public record PoolMetrics(
    String pool,
    int hosts,
    int healthyHosts,
    int freeHosts,
    int freeHealthyHosts,
    int wholeCubes,
    int brokenCubes,
    Optional<SliceShape> largest,
    int fragmentationPermille,
    List<Room> rooms) {
  /** Copies what it is given. */
  public PoolMetrics {
    rooms = ImmutableList.copyOf(rooms);
  }

  /**
   * The room for slices of one shape.
   *
   * @param shape the shape, not turned
   * @param freeBlocks the number of aligned blocks of this shape that are healthy and free
   * @param unbrokenBlocks the number of those that are not part of a larger free aligned block;
   *     over all shapes they cover each free host once
   * @param blocksAfterMoving the number of such blocks if movable slices were moved together to
   *     aligned places; exact for pools with aligned slices of block shapes
   * @param strandedChips the number of free healthy chips that no place for this shape, turned or
   *     not, can use
   */
  public record Room(
      SliceShape shape,
      int freeBlocks,
      int unbrokenBlocks,
      int blocksAfterMoving,
      int strandedChips) {}

  /**
   * {@return the metrics of a pool}
   *
   * @throws IllegalArgumentException if there is no pool with that id
   */
  public static PoolMetrics of(TpuFleet fleet, String poolId) {
    PoolState state = fleet.state(fleet.indexOf(poolId));
    return new PoolCount(poolId, fleet, List.of(state)).metrics();
  }

  /**
   * {@return the total metrics of all pools of a fabric; the largest slice is within one pool}
   *
   * @throws IllegalArgumentException if no pool belongs to that fabric
   */
  public static PoolMetrics ofFabric(TpuFleet fleet, String fabric) {
    List<PoolState> members = fleet.states().stream()
        .filter(state -> state.layout().pool().fabric().equals(fabric))
        .toList();
    checkArgument(!members.isEmpty(), "no pool of fabric %s", fabric);
    return new PoolCount(fabric, fleet, members).metrics();
  }

  /**
   * {@return the part of the free chips that the expected slices cannot use, in thousandths,
   * averaged over their shapes; 0 if nothing is free or expected}
   *
   * @param weights the expected demand for each shape; shapes that the pool cannot hold are ignored
   */
  public int strandedPermille(Map<SliceShape, Integer> weights) {
    long stranded = 0;
    long all = 0;
    long freeChips = freeChips();
    for (Room room : rooms) {
      long weight = weights.getOrDefault(room.shape(), 0);
      stranded += weight * room.strandedChips();
      all += weight * freeChips;
    }
    return all == 0 ? 0 : (int) (1000 * stranded / all);
  }

  private long freeChips() {
    return rooms.stream()
        .mapToLong(room -> (long) room.unbrokenBlocks() * room.shape().chips())
        .sum();
  }
}
