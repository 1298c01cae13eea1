package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.Set;

/**
 * One pool during a search: the hosts that the request may use, less those it has taken in the
 * trial. Reused, so that a search allocates no objects.
 *
 * <p>Rules: TPU-F-10, TPU-F-11, TPU-F-16, TPU-F-17.
 */
final class PoolView implements PlacementCandidate {
  private final PoolLayout layout;
  private final MeshSearch search;
  private final boolean tabled;
  private final long[] ownFree;
  private final long[] ownOccupied;

  /** The array of the state until the first change; a copy from then on. */
  private long[] free;

  private long[] occupied;

  /** The free hosts, except those in partitions that a slice cannot use. */
  private final long[] usable;

  private PoolState state;
  private boolean allowDegraded;
  private int cubesNeeded;
  private int poolIndex;
  private int taken;

  PoolView(PoolState state) {
    this.state = state;
    this.layout = state.layout();
    this.tabled = CubeTable.isFor(layout);
    this.search = new MeshSearch(layout);
    this.ownFree = new long[layout.words()];
    this.ownOccupied = new long[layout.words()];
    this.usable = new long[layout.words()];
    this.free = state.free();
    this.occupied = state.occupied();
  }

  /** {@return a view of the hosts of a state that a request may use} */
  static PoolView of(PoolState state, SliceRequest request) {
    PoolView view = new PoolView(state);
    view.begin(state, request);
    return view;
  }

  /** Begins with the hosts of a state that a request may use. */
  void begin(PoolState at, SliceRequest request) {
    state = at;
    allowDegraded = request.allowDegraded();
    taken = 0;
    free = at.free();
    occupied = at.occupied();
    if (request.allowDegraded() && at.hasDegradedHosts()) {
      at.free(ownFree, true);
      free = ownFree;
    }
    confine(request);
    search.loadEnds(at, request);
  }

  /** Begins with the hosts of a state that a request may use, as if there were no slices. */
  void beginEmpty(PoolState at, SliceRequest request) {
    begin(at, request);
    Arrays.fill(ownOccupied, 0);
    occupied = ownOccupied;
    at.usable(ownFree, request.allowDegraded());
    free = ownFree;
    confine(request);
  }

  /** {@return whether the view shows the unchanged state, so that its index and counts apply} */
  @SuppressWarnings("ReferenceEquality") // which array it is, not what it holds
  private boolean isPlain() {
    return free != ownFree && state.isIndexed();
  }

  private void confine(SliceRequest request) {
    String id = layout.pool().id();
    if (!request.avoid().isEmpty()) {
      confine(request.avoid().getOrDefault(id, ImmutableSet.of()), false);
    }
    if (!request.pin().isEmpty()) {
      confine(request.pin().getOrDefault(id, ImmutableSet.of()), true);
    }
  }

  private void confine(Set<Integer> hosts, boolean only) {
    makeOwn();
    for (int host = 0; host < layout.pool().hosts(); host++) {
      if (hosts.contains(host) != only) {
        free[host >> 6] &= ~(1L << host);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // which array it is, not what it holds
  private void makeOwn() {
    if (free != ownFree) {
      System.arraycopy(free, 0, ownFree, 0, ownFree.length);
      free = ownFree;
    }
    if (occupied != ownOccupied) {
      System.arraycopy(occupied, 0, ownOccupied, 0, ownOccupied.length);
      occupied = ownOccupied;
    }
  }

  PoolLayout layout() {
    return layout;
  }

  long[] free() {
    return free;
  }

  /** {@return the free hosts that a slice of a shape may use; valid until the next call} */
  long[] free(SliceShape slice) {
    if (state.isIndexed()) {
      return free;
    }
    System.arraycopy(free, 0, usable, 0, usable.length);
    state.exclude(usable, slice, allowDegraded);
    return usable;
  }

  /** {@return the number of slices taken in the trial} */
  int taken() {
    return taken;
  }

  void take(SlicePlacement placement) {
    makeOwn();
    HostMask hosts = HostMask.of(placement.hosts());
    hosts.removeFrom(free);
    hosts.addTo(occupied);
    taken++;
  }

  /** Offers all places of a slice in this pool. */
  void search(
      SliceShape shape,
      SliceRequest request,
      PlacementObjective goal,
      BestPlacement best,
      int pool) {
    poolIndex = pool;
    if (layout.pool().takesWholeCubes(shape)) {
      cubesNeeded = shape.chips() / TpuGeneration.CUBE_CHIPS;
      if (wholeCubes() >= cubesNeeded && best.offer(goal, this, 0)) {
        best.place(pool, 0, AxisOrder.XYZ, 0);
      }
      return;
    }
    ImmutableList<Way> ways = layout.ways(PlaceTable.Key.of(shape, request));
    boolean keepsBlocks = goal.equals(PlacementObjective.KEEP_BLOCKS);
    if (keepsBlocks && tabled && request.expectedEndMillis().isEmpty()) {
      searchTable(shape, ways, request, goal, best, pool);
      return;
    }
    search.loadPool(this);
    long[] room = free(shape);
    for (int mesh = 0; mesh < layout.pool().cubes(); mesh++) {
      boolean damaged = layout.isMadeOfCubes() && state.isDamaged(mesh);
      boolean first = !damaged && isUntouched(mesh);
      if (!keepsBlocks || !isWorse(request, best, damaged, first)) {
        search.load(room, mesh, damaged, first);
        search.search(ways, request.rings(), goal, best, pool);
      }
    }
  }

  /** {@return whether the first two values of the default objective already decide against it} */
  private static boolean isWorse(
      SliceRequest request, BestPlacement best, boolean damaged, boolean first) {
    if (!best.isFound() || request.rings() == SliceRequest.Rings.PREFERRED) {
      return false;
    }
    long byDamage = (damaged ? 0 : 1) - best.value(1);
    return byDamage > 0 || (byDamage == 0 && (first ? 1 : 0) > best.value(2));
  }

  /** Parts of cubes close no rings, so a request that requires rings finds none here. */
  private void searchTable(
      SliceShape shape,
      ImmutableList<Way> ways,
      SliceRequest request,
      PlacementObjective goal,
      BestPlacement best,
      int pool) {
    CubeTable table = CubeTable.get();
    int number = table.shape(shape);
    if (number < 0 || ways.isEmpty()) {
      return;
    }
    long[] room = free(shape);
    int cube = isPlain() ? state.index().best(number) : bestCube(table, number, room);
    if (cube >= 0) {
      boolean damaged = state.isDamaged(cube);
      search.load(room, cube, damaged, !damaged && isUntouched(cube));
      int host = table.host(number, HostBits.lane(room, cube));
      search.offer(ways.get(0), host, request.rings(), goal, best, pool);
    }
  }

  /** {@return the cube that the default objective chooses; -1 if there is none} */
  private int bestCube(CubeTable table, int shape, long[] room) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int cube = 0; cube < layout.pool().cubes(); cube++) {
      int rank = table.rank(shape, table.signature(HostBits.lane(room, cube)));
      if (rank != CubeTable.NONE) {
        boolean damaged = state.isDamaged(cube);
        rank += damaged ? 0 : isUntouched(cube) ? 2 << Short.SIZE : 1 << Short.SIZE;
        if (rank < bestRank) {
          bestRank = rank;
          best = cube;
        }
      }
    }
    return best;
  }

  private boolean isUntouched(int mesh) {
    if (layout.isMadeOfCubes()) {
      return HostBits.lane(occupied, mesh) == 0;
    }
    for (long word : occupied) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  private int wholeCubes() {
    return isPlain()
        ? state.wholeCubes()
        : PoolState.wholeCubes(free(layout.pool().chips()), layout.pool().cubes());
  }

  /** {@return the placement of the best candidate, which was found in this pool} */
  SlicePlacement placement(SliceShape shape, BestPlacement best) {
    TpuPool pool = layout.pool();
    return pool.takesWholeCubes(shape)
        ? SlicePlacement.ofCubes(
            pool,
            shape,
            firstWholeCubes(shape.chips() / TpuGeneration.CUBE_CHIPS).asList())
        : SlicePlacement.ofBox(
            pool, shape, best.order(), best.mesh() * pool.hostsPerMesh() + best.host());
  }

  /** All whole cubes are equally good; healthy ones come first. */
  private ImmutableIntArray firstWholeCubes(int needed) {
    ImmutableIntArray.Builder cubes = ImmutableIntArray.builder(needed);
    int left = needed;
    long[] room = free(layout.pool().chips());
    for (int pass = 0; pass < 2; pass++) {
      for (int cube = 0; cube < layout.pool().cubes() && left > 0; cube++) {
        if (HostBits.lane(room, cube) == HostBits.CUBE && state.isDamaged(cube) == (pass == 1)) {
          cubes.add(cube);
          left--;
        }
      }
    }
    return cubes.build();
  }

  @Override
  public TpuPool pool() {
    return layout.pool();
  }

  @Override
  public int hosts() {
    return cubesNeeded * layout.pool().hostsPerMesh();
  }

  @Override
  public boolean isInDamagedCube() {
    return false;
  }

  @Override
  public boolean isFirstInside() {
    return false;
  }

  @Override
  public int levels() {
    return layout.levels();
  }

  /** All whole cubes are equally good. */
  @Override
  public int alignedLoss(int level) {
    return 0;
  }

  @Override
  public int tightestBlockHosts() {
    return wholeCubes() * layout.pool().hostsPerMesh();
  }

  @Override
  public int freeNeighbours() {
    return 0;
  }

  @Override
  public int poolIndex() {
    return poolIndex;
  }

  /** No slice is adjacent to a whole cube. */
  @Override
  public int endDistance() {
    return 0;
  }

  @Override
  public int strandedHosts(SliceShape shape) {
    if (!layout.pool().takesWholeCubes(shape)) {
      return 0;
    }
    int needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
    int before = wholeCubes();
    int after = before - cubesNeeded;
    return (after < needed ? after * layout.pool().hostsPerMesh() : 0)
        - (before < needed ? before * layout.pool().hostsPerMesh() : 0);
  }

  @Override
  public int roomAround(int level) {
    return -1;
  }

  @Override
  public int freeHostsAround(int level) {
    return -1;
  }

  @Override
  public int cornerAround(int level) {
    return -1;
  }

  @Override
  public int roomInPool() {
    return wholeCubes();
  }

  @Override
  public int freeHostsInPool() {
    return HostBits.size(free);
  }

  /** {@return the number of aligned boxes of free hosts in all meshes} */
  int room(int[] extents) {
    return layout.countAligned(free, extents);
  }
}
