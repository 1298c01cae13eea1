package io.kueue4j.core.tpu;

import java.util.OptionalLong;

/**
 * The distance between the expected end of a slice and the expected ends of its neighbors. Slices
 * that end together should lie together, because they then leave more contiguous room.
 *
 * <p>Rules: TPU-F-14.
 */
final class EndDistance {
  /** The distance if there are no neighbors, or if one has no expected end. */
  static final int UNKNOWN = Long.SIZE;

  private static final long MINUTE_MILLIS = 60_000;

  private EndDistance() {}

  /**
   * {@return 0 if the ends of the neighbors are less than a minute away on average, then one more
   * for each doubling; {@link #UNKNOWN} if there are no neighbors or one has no expected end}
   *
   * @param endMillis the expected end of the slice
   * @param residents the slices in its mesh
   * @param beside the hosts beside the slice, as bits of the mesh
   */
  static int of(long endMillis, Resident[] residents, long[] beside) {
    long sum = 0;
    int neighbours = 0;
    for (Resident resident : residents) {
      if (resident.intersectsInMesh(beside)) {
        OptionalLong theirs = resident.slice().expectedEndMillis();
        if (theirs.isEmpty()) {
          return UNKNOWN;
        }
        sum += theirs.getAsLong() / MINUTE_MILLIS;
        neighbours++;
      }
    }
    if (neighbours == 0) {
      return UNKNOWN;
    }
    long minutes = Math.abs(endMillis / MINUTE_MILLIS - sum / neighbours);
    return Long.SIZE - Long.numberOfLeadingZeros(minutes);
  }
}
