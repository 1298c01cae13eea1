package io.kueue4j.core.tpu;

import java.util.Arrays;

/**
 * Counts the free hosts of a mesh that another slice would strand: that no place for a shape could
 * use any more.
 *
 * <p>Rules: TPU-F-15.
 */
final class StrandedHosts {
  private final PoolLayout layout;
  private final HostGrid grid;
  private final long[] free;
  private final long[] left;
  private final long[] covered;

  StrandedHosts(PoolLayout layout, long[] free) {
    this.layout = layout;
    this.grid = layout.mesh();
    this.free = free;
    this.left = new long[grid.words()];
    this.covered = new long[grid.words()];
  }

  /** {@return the number of hosts that a box would strand} */
  int by(SliceShape shape, int[] start, int[] length) {
    System.arraycopy(free, 0, left, 0, left.length);
    int before = stranded(shape);
    for (int word = 0; word < left.length; word++) {
      left[word] &= ~grid.box(word, start, length);
    }
    return stranded(shape) - before;
  }

  private int stranded(SliceShape shape) {
    int hosts = HostBits.size(left);
    if (layout.pool().takesWholeCubes(shape)) {
      return hosts == grid.hosts() ? 0 : hosts;
    }
    PlaceTable table = layout.places(new PlaceTable.Key(shape, true, false));
    Arrays.fill(covered, 0);
    for (int place = 0; place < table.size(); place++) {
      if (table.isInside(0, place, left)) {
        for (int word = 0; word < covered.length; word++) {
          covered[word] |= table.mask(place, word);
        }
      }
    }
    return hosts - HostBits.size(covered);
  }
}
