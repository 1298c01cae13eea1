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
  private final long[] corners;
  private final long[] covered;
  private final long[] spare;

  StrandedHosts(PoolLayout layout, long[] free) {
    this.layout = layout;
    this.grid = layout.mesh();
    this.free = free;
    this.left = new long[grid.words()];
    this.corners = new long[grid.words()];
    this.covered = new long[grid.words()];
    this.spare = new long[grid.words()];
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
    Arrays.fill(covered, 0);
    for (Way way : layout.ways(new PlaceTable.Key(shape, true, false))) {
      System.arraycopy(left, 0, corners, 0, corners.length);
      grid.corners(corners, way.extents(), layout.isAligned(), spare);
      cover(way);
    }
    return hosts - HostBits.size(covered);
  }

  private void cover(Way way) {
    for (int word = 0; word < corners.length; word++) {
      for (long rest = corners[word]; rest != 0; rest &= rest - 1) {
        int[] corner = grid.coordinatesOf(word * Long.SIZE + Long.numberOfTrailingZeros(rest));
        for (int each = 0; each < covered.length; each++) {
          covered[each] |= grid.box(each, corner, way.extents());
        }
      }
    }
  }
}
