package io.kueue4j.core.tpu;

/**
 * A place that a slice could take, as a {@link PlacementObjective} sees it. Valid during the call
 * only.
 *
 * <p>Rules: TPU-F-14.
 */
public interface PlacementCandidate {
  /** {@return the pool} */
  TpuPool pool();

  /** {@return the hosts that the slice takes} */
  int hosts();

  /** {@return whether it is part of a cube that lacks a healthy host and so cannot be joined} */
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
}
