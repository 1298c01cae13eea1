package io.kueue4j.core.tpu;

/**
 * A place that a slice could take, as a {@link PlacementObjective} sees it. Valid during the call
 * only.
 *
 * <p>Rules: TPU-F-14, TPU-F-15.
 */
public interface PlacementCandidate {
  /** {@return the pool} */
  TpuPool pool();

  /** {@return the pool's place in the order of ids} */
  int poolIndex();

  /** {@return the hosts that the slice takes} */
  int hosts();

  /**
   * {@return whether it is part of a cube that cannot be joined anyway: a host is not healthy, or
   * has a slice that is a part of the cube and must stay}
   */
  boolean isInDamagedCube();

  /** {@return whether the slice would be the first in its grid, torus or whole cube} */
  boolean isFirstInside();

  /** {@return how many shapes room is measured by, largest first: the generation's blocks} */
  int levels();

  /** {@return how many free aligned blocks of a level's shape the slice would break} */
  int alignedLoss(int level);

  /**
   * {@return hosts of the smallest free aligned block around the slice; its own hosts if there is
   * none; for whole cubes, the hosts of all whole cubes of the pool}
   */
  int tightestBlockHosts();

  /** {@return free hosts that touch the slice} */
  int freeNeighbours();

  /**
   * {@return how far the expected end of the slice is from the average of those of the slices that
   * touch it}: 0 below a minute, then one more for each doubling, 64 if nobody touches it or one
   * never ends; 0 if the request does not say when it ends
   */
  int endDistance();

  /**
   * {@return by how many free hosts more than before would be part of no place for a shape, turned
   * or not}
   */
  int strandedHosts(SliceShape shape);

  /**
   * {@return how many aligned places for equal slices are free in the aligned block of a level
   * around the slice; -1 if the slice is not inside one such block}
   */
  int roomAround(int level);

  /** {@return how many hosts are free in that block; -1 likewise} */
  int freeHostsAround(int level);

  /** {@return the host of the pool where that block begins; -1 likewise} */
  int cornerAround(int level);

  /** {@return how many aligned places for equal slices are free in the pool} */
  int roomInPool();

  /** {@return how many hosts are free in the pool} */
  int freeHostsInPool();
}
