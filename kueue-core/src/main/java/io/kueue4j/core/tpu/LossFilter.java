package io.kueue4j.core.tpu;

/**
 * Finds, among all corners of a slice in a grid of one word, those that break the fewest free
 * aligned blocks, the largest first. This is what the default objective compares first, computed
 * for all places at once. Bit i of a count is kept in word i for 64 places, so that one addition
 * counts for 64 places.
 *
 * <p>Rules: TPU-F-8, TPU-F-9, TPU-F-14.
 */
final class LossFilter {
  private static final int DIGITS = 7;

  private final PoolLayout layout;
  private final HostGrid grid;
  private final FreeBlocks blocks;
  private final long[] digits = new long[DIGITS];

  LossFilter(PoolLayout layout, FreeBlocks blocks) {
    this.layout = layout;
    this.grid = layout.mesh();
    this.blocks = blocks;
  }

  /**
   * {@return the best of the corners}
   *
   * @param length the extents of the slice in hosts
   */
  long best(long corners, int[] length) {
    long left = corners;
    for (int level = 0; level < layout.levels() && (left & (left - 1)) != 0; level++) {
      // A slice breaks the same number of single-host blocks wherever it is.
      if (blocks.has(level) && HostGrid.hosts(layout.blocks(level)[0]) > 1) {
        left = fewest(left, level, length);
      }
    }
    return left;
  }

  private long fewest(long corners, int level, int[] length) {
    int used = 0;
    int[][] ways = layout.blocks(level);
    for (int way = 0; way < ways.length; way++) {
      for (long rest = blocks.corners(level, way); rest != 0; rest &= rest - 1) {
        long carry = touching(Long.numberOfTrailingZeros(rest), ways[way], length) & corners;
        for (int digit = 0; carry != 0; digit++) {
          if (digit == used) {
            digits[used++] = 0;
          }
          long sum = digits[digit] ^ carry;
          carry &= digits[digit];
          digits[digit] = sum;
        }
      }
    }
    long left = corners;
    for (int digit = used - 1; digit >= 0; digit--) {
      long fewer = left & ~digits[digit];
      left = fewer != 0 ? fewer : left;
    }
    return left;
  }

  /** {@return the corners of boxes that overlap a block} */
  private long touching(int corner, int[] block, int[] length) {
    return slab(corner, block, length, 0)
        & slab(corner, block, length, 1)
        & slab(corner, block, length, 2);
  }

  private long slab(int corner, int[] block, int[] length, int axis) {
    int at = grid.coordinate(corner, axis);
    int extent = grid.extent(axis);
    int before = length[axis] - 1;
    int first = at - before;
    int size = block[axis] + before;
    if (first < 0) {
      size = grid.seams() ? size : size + first;
      first = grid.seams() ? first + extent : 0;
    }
    return grid.slab(axis, first, Math.min(size, extent));
  }
}
