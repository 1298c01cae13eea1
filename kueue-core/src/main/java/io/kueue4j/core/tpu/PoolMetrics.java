package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * How much room a pool has, and for what.
 *
 * <p>Rules: TPU-F-13, B.18.
 *
 * @param pool the pool's id
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
   * @param blocksAfterMoving how many such blocks there would be if movable slices were moved
   *     together, all at aligned places; exact for pools with aligned slices of block shapes
   * @param strandedChips free healthy chips that are part of no place for that shape, turned or not
   */
  public record Room(SliceShape shape, int freeBlocks, int blocksAfterMoving, int strandedChips) {}

  /**
   * {@return the metrics of a pool}
   *
   * @throws IllegalArgumentException if there is no pool with that id
   */
  public static PoolMetrics of(TpuFleet fleet, String poolId) {
    return new PoolCount(fleet.state(fleet.indexOf(poolId))).metrics(fleet);
  }
}
