package io.kueue4j.core.tpu;

/**
 * A place that a slice could take, as a {@link PlacementObjective} sees it. Valid only during the
 * call.
 *
 * <p>Rules: TPU-F-14, TPU-F-15.
 *
 * @since 0.1.0
 */
public interface PlacementCandidate {
  /** {@return the pool} */
  TpuPool pool();

  /** {@return the index of the pool in the order of ids} */
  int poolIndex();

  /** {@return the number of hosts of the slice} */
  int hosts();

  /**
   * {@return whether the place is in a cube that cannot be joined with others anyway: a host is not
   * healthy, or has a slice smaller than the cube that must not be moved}
   */
  boolean isInDamagedCube();

  /** {@return whether the slice would be the first in its grid, torus or whole cube} */
  boolean isFirstInside();

  /** {@return the number of levels, which are the block shapes of the generation, largest first} */
  int levels();

  /** {@return the number of free aligned blocks of a level that the slice would break} */
  int alignedLoss(int level);

  /**
   * {@return the number of hosts of the smallest free aligned block around the slice, or of the
   * slice itself if there is none; for whole cubes, the hosts of all whole cubes of the pool}
   */
  int tightestBlockHosts();

  /** {@return the number of free hosts adjacent to the slice} */
  int freeNeighbours();

  /**
   * {@return the distance between the expected end of the slice and the average expected end of
   * adjacent slices}: 0 below a minute, then one more for each doubling; 64 if no slice is adjacent
   * or one has no expected end; 0 if the request has no expected end
   */
  int endDistance();

  /**
   * {@return the number of free hosts that the slice would strand: that no place for {@code shape},
   * turned or not, could use any more}
   */
  int strandedHosts(SliceShape shape);

  /**
   * {@return the number of free aligned places for equal slices in the aligned block of a level
   * around the slice; -1 if the slice is not inside one such block}
   */
  int roomAround(int level);

  /**
   * {@return the number of free hosts in that block; -1 if the slice is not inside one such block}
   */
  int freeHostsAround(int level);

  /**
   * {@return the host of the pool where that block begins; -1 if the slice is not inside one such
   * block}
   */
  int cornerAround(int level);

  /** {@return the number of free aligned places for equal slices in the pool} */
  int roomInPool();

  /** {@return the number of free hosts in the pool} */
  int freeHostsInPool();
}
