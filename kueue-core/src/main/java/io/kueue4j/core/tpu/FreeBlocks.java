package io.kueue4j.core.tpu;

/**
 * The free aligned blocks of one grid, torus or cube, which measure its room. Found lazily. Reused,
 * so that a search allocates no objects.
 *
 * <p>Rules: TPU-F-14.
 */
final class FreeBlocks {
  private final PoolLayout layout;
  private final HostGrid grid;
  private final int words;
  private final long[] free;
  private final long[] spare;

  /** The corners of the blocks by level and orientation, filled lazily. */
  private final long[] corners;

  private long knownLevels;

  /** The levels with free blocks. */
  private long liveLevels;

  /** {@code free} belongs to the caller and is read lazily. */
  FreeBlocks(PoolLayout layout, long[] free) {
    this.layout = layout;
    this.grid = layout.mesh();
    this.words = grid.words();
    this.free = free;
    this.spare = new long[words];
    this.corners = new long[layout.levels() * Orientation.MOST * words];
  }

  /** Discards the blocks found so far. */
  void clear() {
    knownLevels = 0;
    liveLevels = 0;
  }

  /** {@return whether a level has free blocks} */
  boolean has(int level) {
    if ((knownLevels & (1L << level)) == 0) {
      knownLevels |= 1L << level;
      for (int way = 0; way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
        find(level, way);
      }
    }
    return (liveLevels & (1L << level)) != 0;
  }

  private void find(int level, int way) {
    System.arraycopy(free, 0, spare, 0, words);
    grid.corners(
        spare,
        layout.block(level, way, 0),
        layout.block(level, way, 1),
        layout.block(level, way, 2),
        true,
        spare);
    int at = at(level, way);
    for (int word = 0; word < words; word++) {
      corners[at + word] = spare[word];
      liveLevels |= spare[word] == 0 ? 0 : 1L << level;
    }
  }

  private int at(int level, int way) {
    return (level * Orientation.MOST + way) * words;
  }

  /** {@return the corners of the free blocks of a level in the first word; for small grids} */
  long corners(int level, int way) {
    return corners[at(level, way)];
  }

  /** {@return the number of free blocks of a level that a box would break} */
  int loss(int level, int[] start, int[] length) {
    if (!has(level)) {
      return 0;
    }
    int loss = 0;
    for (int way = 0; way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
      int fromX = grid.floor(0, layout.block(level, way, 0), start[0]);
      int fromY = grid.floor(1, layout.block(level, way, 1), start[1]);
      int fromZ = grid.floor(2, layout.block(level, way, 2), start[2]);
      loss += grid.count(
          corners,
          at(level, way),
          fromX,
          Math.min(start[0] - fromX + length[0], grid.extent(0)),
          fromY,
          Math.min(start[1] - fromY + length[1], grid.extent(1)),
          fromZ,
          Math.min(start[2] - fromZ + length[2], grid.extent(2)));
    }
    return loss;
  }

  /**
   * {@return the number of hosts of the smallest free block around a box; the number of hosts of
   * the box if there is none}
   */
  int tightest(int[] start, int[] length) {
    for (int level = layout.levels() - 1; level >= 0; level--) {
      boolean live = has(level);
      for (int way = 0; live && way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
        int corner = cornerAround(level, way, start, length);
        if (corner >= 0 && ((corners[at(level, way) + (corner >> 6)] >>> corner) & 1) != 0) {
          return layout.block(level, way, 0)
              * layout.block(level, way, 1)
              * layout.block(level, way, 2);
        }
      }
    }
    return length[0] * length[1] * length[2];
  }

  /**
   * {@return the host where the aligned block around a box begins; -1 if the box is not inside one
   * block}
   */
  int cornerAround(int level, int way, int[] start, int[] length) {
    int corner = 0;
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int extent = layout.block(level, way, axis);
      if (extent == 0) {
        return -1;
      }
      int from = grid.floor(axis, extent, start[axis]);
      if (start[axis] + length[axis] > from + extent) {
        return -1;
      }
      corner += from * stride;
      stride *= grid.extent(axis);
    }
    return corner;
  }

  /**
   * {@return the number of free places in the aligned block of a level around a box that are
   * aligned like the box; -1 if the box is not inside one block}
   */
  int roomAround(int level, int[] start, int[] length) {
    System.arraycopy(free, 0, spare, 0, words);
    grid.corners(spare, length[0], length[1], length[2], true, spare);
    return countAround(spare, level, start, length);
  }

  /**
   * {@return the number of free hosts in the aligned block of a level around a box; -1 if the box
   * is not inside one block}
   */
  int freeHostsAround(int level, int[] start, int[] length) {
    return countAround(free, level, start, length);
  }

  private int countAround(long[] set, int level, int[] start, int[] length) {
    if (cornerAround(level, 0, start, length) < 0) {
      return -1;
    }
    int x = layout.block(level, 0, 0);
    int y = layout.block(level, 0, 1);
    int z = layout.block(level, 0, 2);
    return grid.count(
        set,
        0,
        grid.floor(0, x, start[0]),
        x,
        grid.floor(1, y, start[1]),
        y,
        grid.floor(2, z, start[2]),
        z);
  }
}
