package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Map;
import java.util.Optional;

/**
 * How much room a pool has, and for what.
 *
 * <p>Rules: TPU-F-13, B.18.
 *
 * @param pool the id of the pool, or the name of the fabric
 * @param hosts all hosts
 * @param healthyHosts hosts that are neither degraded nor down
 * @param freeHosts hosts without slice
 * @param freeHealthyHosts healthy hosts without slice
 * @param wholeCubes cubes all of whose hosts are healthy and free; 0 if there are no cubes
 * @param brokenCubes cubes some but not all of whose hosts have slices
 * @param largest the largest slice that fits, turned if that is allowed
 * @param fragmentationPermille thousandths of the free healthy chips that the largest slice leaves;
 *     0 if none are free
 * @param rooms the room for each block that the grid, torus or cube could hold, largest first
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
    ImmutableList<Room> rooms) {

  /**
   * The room for slices of one shape.
   *
   * @param shape the shape, as it is written
   * @param freeBlocks aligned blocks of that shape that are healthy and free
   * @param unbrokenBlocks of those, how many are part of no larger aligned block that is free; over
   *     all shapes they are the free hosts, each once
   * @param blocksAfterMoving how many such blocks there would be if movable slices were moved
   *     together, all at aligned places; exact for pools with aligned slices of block shapes
   * @param strandedChips free healthy chips that are part of no place for that shape, turned or not
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
    return new PoolCount(fleet.state(fleet.indexOf(poolId))).metrics(fleet);
  }

  /**
   * {@return the metrics of all pools of a fabric together; the largest slice is that of one pool}
   *
   * @throws IllegalArgumentException if no pool is of that fabric
   */
  public static PoolMetrics ofFabric(TpuFleet fleet, String fabric) {
    return new FabricCount(fleet, fabric).metrics();
  }

  /**
   * {@return thousandths of the free chips that are useless to the slices expected to come, on the
   * average of their shapes; 0 if nothing is free or expected}
   *
   * @param weights how much of each shape is expected; shapes without room here are left out
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
