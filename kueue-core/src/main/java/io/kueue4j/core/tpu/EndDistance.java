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

  private final PoolLayout layout;
  private PoolState.Held[] slices = new PoolState.Held[0];
  private OptionalLong end = OptionalLong.empty();

  EndDistance(PoolLayout layout) {
    this.layout = layout;
  }

  void load(PoolState state, OptionalLong expectedEndMillis) {
    slices = state.slices();
    end = expectedEndMillis;
  }

  /** {@return whether the slice has an expected end} */
  boolean matters() {
    return end.isPresent();
  }

  /**
   * {@return 0 if the ends of the neighbors are less than a minute away on average, then one more
   * for each doubling; {@link #UNKNOWN} if there are no neighbors or one has no expected end}
   *
   * @param beside the hosts beside the slice, as bits of the mesh
   */
  int distance(int mesh, long[] beside) {
    int first = mesh * layout.mesh().hosts();
    long sum = 0;
    int neighbours = 0;
    for (PoolState.Held held : slices) {
      if (held.hosts().intersects(beside, first)) {
        OptionalLong theirs = held.slice().expectedEndMillis();
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
    long minutes = Math.abs(end.orElse(0) / MINUTE_MILLIS - sum / neighbours);
    return Long.SIZE - Long.numberOfLeadingZeros(minutes);
  }
}
