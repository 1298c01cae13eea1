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

  private final int[] blockStart = new int[3];
  private final int[] blockLength = new int[3];
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
    this.corners = new long[layout.levels() * Way.MOST * words];
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
      for (int way = 0; way < layout.blocks(level).length; way++) {
        find(level, way);
      }
    }
    return (liveLevels & (1L << level)) != 0;
  }

  private void find(int level, int way) {
    System.arraycopy(free, 0, spare, 0, words);
    grid.corners(spare, layout.blocks(level)[way], true, spare);
    int at = at(level, way);
    for (int word = 0; word < words; word++) {
      corners[at + word] = spare[word];
      liveLevels |= spare[word] == 0 ? 0 : 1L << level;
    }
  }

  private int at(int level, int way) {
    return (level * Way.MOST + way) * words;
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
    int[][] blocks = layout.blocks(level);
    for (int way = 0; way < blocks.length; way++) {
      for (int axis = 0; axis < 3; axis++) {
        int from = grid.floor(axis, blocks[way][axis], start[axis]);
        blockStart[axis] = from;
        blockLength[axis] = Math.min(start[axis] - from + length[axis], grid.extent(axis));
      }
      loss += grid.count(corners, at(level, way), blockStart, blockLength);
    }
    return loss;
  }

  /**
   * {@return the number of hosts of the smallest free block around a box; the number of hosts of
   * the box if there is none}
   */
  int tightest(int[] start, int[] length) {
    for (int level = layout.levels() - 1; level >= 0; level--) {
      int[][] blocks = layout.blocks(level);
      boolean live = has(level);
      for (int way = 0; live && way < blocks.length; way++) {
        int corner = cornerAround(blocks[way], start, length);
        if (corner >= 0 && ((corners[at(level, way) + (corner >> 6)] >>> corner) & 1) != 0) {
          return HostGrid.hosts(blocks[way]);
        }
      }
    }
    return HostGrid.hosts(length);
  }

  /**
   * {@return the host where the aligned block of a level around a box begins; -1 if the box is not
   * inside one block}
   */
  int cornerAround(int level, int[] start, int[] length) {
    int[][] blocks = layout.blocks(level);
    return blocks.length == 0 ? -1 : cornerAround(blocks[0], start, length);
  }

  private int cornerAround(int[] block, int[] start, int[] length) {
    int corner = 0;
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int from = grid.floor(axis, block[axis], start[axis]);
      if (start[axis] + length[axis] > from + block[axis]) {
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
    grid.corners(spare, length, true, spare);
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
    int corner = cornerAround(level, start, length);
    return corner < 0
        ? -1
        : grid.count(set, 0, grid.coordinatesOf(corner), layout.blocks(level)[0]);
  }
}
