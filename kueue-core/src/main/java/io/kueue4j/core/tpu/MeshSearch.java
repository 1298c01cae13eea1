package io.kueue4j.core.tpu;

/**
 * Looks at all places of a slice in one grid, torus or cube, with what the objective wants to know
 * of each. Reused, so that a search makes no objects.
 *
 * <p>Rules: TPU-F-8, TPU-F-9, TPU-F-14.
 */
final class MeshSearch implements PlacementCandidate {
  private final PoolLayout layout;
  private final HostGrid grid;
  private final int words;

  private final long[] free;
  private final long[] corners;
  private final long[] spare;

  /** Corners of the free aligned blocks, by level and way to turn them; as far as asked for. */
  private final long[] blocks;

  private long knownLevels;

  /** The levels of which blocks are free. */
  private long liveLevels;

  private boolean damaged;
  private boolean first;

  private final Orientation turned = new Orientation();
  private final int[] start = new int[3];
  private final int[] length = new int[3];

  MeshSearch(PoolLayout layout) {
    this.layout = layout;
    this.grid = layout.mesh();
    this.words = grid.words();
    this.free = new long[words];
    this.corners = new long[words];
    this.spare = new long[words];
    this.blocks = new long[layout.levels() * Orientation.MOST * words];
  }

  /** Takes over which hosts of a mesh are free; those of a cube are in one word. */
  void load(long[] poolFree, int mesh, boolean isDamaged, boolean isFirst) {
    int from = mesh * grid.hosts();
    if (layout.isMadeOfCubes()) {
      free[0] = (poolFree[from >> 6] >>> from) & (-1L >>> (Long.SIZE - grid.hosts()));
    } else {
      System.arraycopy(poolFree, 0, free, 0, words);
    }
    damaged = isDamaged;
    first = isFirst;
    knownLevels = 0;
    liveLevels = 0;
  }

  /** Offers all places of the slice. */
  void search(
      SliceShape shape,
      SliceRequest.Rings rings,
      boolean turn,
      PlacementObjective goal,
      Best best,
      int pool,
      int mesh) {
    boolean aligned = layout.isAligned();
    turned.begin(layout.pool(), shape, turn && !aligned);
    while (turned.next()) {
      int missing = turned.missingRings();
      if (rings == SliceRequest.Rings.REQUIRED && missing > 0) {
        continue;
      }
      int counted = rings == SliceRequest.Rings.PREFERRED ? missing : 0;
      System.arraycopy(free, 0, corners, 0, words);
      grid.corners(corners, turned.width(), turned.height(), turned.depth(), aligned, spare);
      length[0] = turned.width();
      length[1] = turned.height();
      length[2] = turned.depth();
      for (int word = 0; word < words; word++) {
        for (long rest = corners[word]; rest != 0; rest &= rest - 1) {
          int host = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
          for (int axis = 0; axis < 3; axis++) {
            start[axis] = grid.coordinate(host, axis);
          }
          if (best.offer(goal, this, counted)) {
            best.place(pool, mesh, turned.order(), host);
          }
        }
      }
    }
  }

  @Override
  public TpuPool pool() {
    return layout.pool();
  }

  @Override
  public int hosts() {
    return length[0] * length[1] * length[2];
  }

  @Override
  public boolean isInDamagedCube() {
    return damaged;
  }

  @Override
  public boolean isFirstInside() {
    return first;
  }

  @Override
  public int levels() {
    return layout.levels();
  }

  private boolean hasBlocks(int level) {
    if ((knownLevels & (1L << level)) == 0) {
      knownLevels |= 1L << level;
      for (int way = 0; way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
        findBlocks(level, way);
      }
    }
    return (liveLevels & (1L << level)) != 0;
  }

  private int blocks(int level, int way) {
    return (level * Orientation.MOST + way) * words;
  }

  private void findBlocks(int level, int way) {
    System.arraycopy(free, 0, spare, 0, words);
    grid.corners(
        spare,
        layout.block(level, way, 0),
        layout.block(level, way, 1),
        layout.block(level, way, 2),
        true,
        spare);
    for (int word = 0; word < words; word++) {
      blocks[blocks(level, way) + word] = spare[word];
      liveLevels |= spare[word] == 0 ? 0 : 1L << level;
    }
  }

  @Override
  public int alignedLoss(int level) {
    if (!hasBlocks(level)) {
      return 0;
    }
    int loss = 0;
    for (int way = 0; way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
      int x = layout.block(level, way, 0);
      int y = layout.block(level, way, 1);
      int z = layout.block(level, way, 2);
      int fromX = grid.floor(0, x, start[0]);
      int fromY = grid.floor(1, y, start[1]);
      int fromZ = grid.floor(2, z, start[2]);
      loss += grid.count(
          blocks,
          blocks(level, way),
          fromX,
          Math.min(start[0] - fromX + length[0], grid.extent(0)),
          fromY,
          Math.min(start[1] - fromY + length[1], grid.extent(1)),
          fromZ,
          Math.min(start[2] - fromZ + length[2], grid.extent(2)));
    }
    return loss;
  }

  @Override
  public int tightestBlockHosts() {
    for (int level = levels() - 1; level >= 0; level--) {
      boolean live = hasBlocks(level);
      for (int way = 0; live && way < Orientation.MOST && layout.block(level, way, 0) > 0; way++) {
        if (isInFreeBlock(level, way)) {
          return layout.block(level, way, 0)
              * layout.block(level, way, 1)
              * layout.block(level, way, 2);
        }
      }
    }
    return hosts();
  }

  private boolean isInFreeBlock(int level, int way) {
    int corner = 0;
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int extent = layout.block(level, way, axis);
      int from = grid.floor(axis, extent, start[axis]);
      if (start[axis] + length[axis] > from + extent) {
        return false;
      }
      corner += from * stride;
      stride *= grid.extent(axis);
    }
    return ((blocks[blocks(level, way) + (corner >> 6)] >>> corner) & 1) != 0;
  }

  @Override
  public int freeNeighbours() {
    int neighbours = 0;
    for (int axis = 0; axis < 3; axis++) {
      int extent = grid.extent(axis);
      int before = start[axis] - 1;
      int after = start[axis] + length[axis];
      if (grid.seams() && length[axis] < extent) {
        before = before < 0 ? extent - 1 : before;
        after = after >= extent ? after - extent : after;
      }
      neighbours += before < 0 ? 0 : face(axis, before);
      neighbours += after >= extent || after == before ? 0 : face(axis, after);
    }
    return neighbours;
  }

  private int face(int axis, int at) {
    return grid.count(
        free,
        0,
        axis == 0 ? at : start[0],
        axis == 0 ? 1 : length[0],
        axis == 1 ? at : start[1],
        axis == 1 ? 1 : length[1],
        axis == 2 ? at : start[2],
        axis == 2 ? 1 : length[2]);
  }
}
