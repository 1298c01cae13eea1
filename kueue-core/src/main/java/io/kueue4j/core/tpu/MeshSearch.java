package io.kueue4j.core.tpu;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Examines all places of a slice in one grid, torus or cube, and provides the values that the
 * objective compares. Reused, so that a search allocates no objects.
 *
 * <p>Rules: TPU-F-8, TPU-F-9, TPU-F-14.
 */
final class MeshSearch implements PlacementCandidate {
  /** The distance of ends if there are no neighbors, or if one has no expected end. */
  private static final int UNKNOWN_DISTANCE = Long.SIZE;

  private static final long MINUTE_MILLIS = 60_000;

  private final PoolLayout layout;
  private final @Nullable PoolView view;
  private final HostGrid grid;
  private final int words;
  private final long[] free;
  private final long[] corners;
  private final long[] spare;
  private final FreeBlocks blocks;
  private final LossFilter filter;
  private final StrandedHosts stranded;
  private int mesh;
  private boolean damaged;
  private boolean first;
  private final int[] start = new int[3];
  private int[] length = start;
  private final int[] faceStart = new int[3];
  private final int[] faceLength = new int[3];

  /**
   * Creates a search.
   *
   * @param view the view of the whole pool with the request; null to examine a mesh alone
   */
  MeshSearch(PoolLayout layout, @Nullable PoolView view) {
    this.layout = layout;
    this.view = view;
    this.grid = layout.mesh();
    this.words = grid.words();
    this.free = new long[words];
    this.corners = new long[words];
    this.spare = new long[words];
    this.blocks = new FreeBlocks(layout, free);
    this.filter = new LossFilter(layout, blocks);
    this.stranded = new StrandedHosts(layout, free);
  }

  /** Loads the free hosts of a mesh. */
  void load(long[] poolFree, int from, boolean isDamaged, boolean isFirst) {
    mesh = from;
    System.arraycopy(poolFree, from * words, free, 0, words);
    damaged = isDamaged;
    first = isFirst;
    blocks.clear();
  }

  /** Offers all places of the slice in these orientations. */
  void search(List<Way> ways, PlacementObjective goal, BestPlacement best) {
    for (int i = 0; i < ways.size(); i++) {
      length = ways.get(i).extents();
      System.arraycopy(free, 0, corners, 0, words);
      grid.corners(corners, length, layout.isAligned(), spare);
      if (words == 1 && goal.equals(PlacementObjective.KEEP_BLOCKS)) {
        long left = filter.best(corners[0], length);
        best.skip(Long.bitCount(corners[0] ^ left));
        corners[0] = left;
      }
      for (int word = 0; word < words; word++) {
        for (long rest = corners[word]; rest != 0; rest &= rest - 1) {
          int host = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
          offer(ways.get(i), host, goal, best);
        }
      }
    }
  }

  /** Offers one place. */
  void offer(Way way, int host, PlacementObjective goal, BestPlacement best) {
    length = way.extents();
    for (int axis = 0; axis < 3; axis++) {
      start[axis] = grid.coordinate(host, axis);
    }
    boolean prefersRings = view != null && view.request().rings() == SliceRequest.Rings.PREFERRED;
    if (best.offer(goal, this, prefersRings ? way.missingRings() : 0)) {
      best.place(poolIndex(), mesh, way.order(), host);
    }
  }

  @Override
  public TpuPool pool() {
    return layout.pool();
  }

  @Override
  public int poolIndex() {
    return view == null ? 0 : view.poolIndex();
  }

  @Override
  public int hosts() {
    return HostGrid.hosts(length);
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

  @Override
  public int alignedLoss(int level) {
    return blocks.loss(level, start, length);
  }

  @Override
  public int tightestBlockHosts() {
    return blocks.tightest(start, length);
  }

  @Override
  public int freeNeighbours() {
    int neighbours = 0;
    for (int axis = 0; axis < 3; axis++) {
      int before = before(axis);
      int after = after(axis);
      neighbours += before < 0 ? 0 : face(axis, before);
      neighbours += after < 0 || after == before ? 0 : face(axis, after);
    }
    return neighbours;
  }

  /** {@return the coordinate before the slice along an axis; -1 at the edge} */
  private int before(int axis) {
    int before = start[axis] - 1;
    boolean wraps = grid.seams() && length[axis] < grid.extent(axis);
    return before < 0 && wraps ? grid.extent(axis) - 1 : before;
  }

  private int after(int axis) {
    int extent = grid.extent(axis);
    int after = start[axis] + length[axis];
    if (after < extent) {
      return after;
    }
    return grid.seams() && length[axis] < extent ? after - extent : -1;
  }

  private int face(int axis, int at) {
    takeFace(axis, at);
    return grid.count(free, 0, faceStart, faceLength);
  }

  private void takeFace(int axis, int at) {
    for (int each = 0; each < 3; each++) {
      faceStart[each] = each == axis ? at : start[each];
      faceLength[each] = each == axis ? 1 : length[each];
    }
  }

  @Override
  public int endDistance() {
    if (view == null || view.request().expectedEndMillis().isEmpty()) {
      return 0;
    }
    for (int word = 0; word < words; word++) {
      long touching = 0;
      for (int axis = 0; axis < 3; axis++) {
        touching |= face(axis, before(axis), word) | face(axis, after(axis), word);
      }
      spare[word] = touching;
    }
    return endDistance(
        view.request().expectedEndMillis().getAsLong(), view.state().residents(mesh), spare);
  }

  /**
   * {@return the distance of an expected end from the ends of the neighbors} Slices that end
   * together should lie together, because they then leave more contiguous room. 0 if the ends are
   * less than a minute away on average, then one more for each doubling.
   *
   * @param endMillis the expected end of the slice
   * @param residents the slices in its mesh
   * @param beside the hosts beside the slice, as bits of the mesh
   */
  private static int endDistance(long endMillis, Resident[] residents, long[] beside) {
    long sum = 0;
    int neighbors = 0;
    for (Resident resident : residents) {
      if (resident.intersectsInMesh(beside)) {
        OptionalLong theirs = resident.slice().expectedEndMillis();
        if (theirs.isEmpty()) {
          return UNKNOWN_DISTANCE;
        }
        sum += theirs.getAsLong() / MINUTE_MILLIS;
        neighbors++;
      }
    }
    if (neighbors == 0) {
      return UNKNOWN_DISTANCE;
    }
    long minutes = Math.abs(endMillis / MINUTE_MILLIS - sum / neighbors);
    return Long.SIZE - Long.numberOfLeadingZeros(minutes);
  }

  /** {@return the hosts of a word at one side of the slice} */
  private long face(int axis, int at, int word) {
    if (at < 0) {
      return 0;
    }
    takeFace(axis, at);
    return grid.box(word, faceStart, faceLength);
  }

  @Override
  public int strandedHosts(SliceShape shape) {
    return stranded.by(shape, start, length);
  }

  @Override
  public int roomAround(int level) {
    return blocks.roomAround(level, start, length);
  }

  @Override
  public int freeHostsAround(int level) {
    return blocks.freeHostsAround(level, start, length);
  }

  @Override
  public int cornerAround(int level) {
    int corner = blocks.cornerAround(level, start, length);
    return corner < 0 ? -1 : mesh * grid.hosts() + corner;
  }

  @Override
  public int freeHostsInPool() {
    return view == null ? 0 : view.freeHostsInPool();
  }

  @Override
  public int roomInPool() {
    return view == null ? 0 : view.room(length);
  }
}
