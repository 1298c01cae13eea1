package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * One pool during a search: the hosts that the request may use, less those it has taken in the
 * trial. Reused, so that a search allocates no objects.
 *
 * <p>Rules: TPU-F-10, TPU-F-11, TPU-F-16, TPU-F-17.
 */
final class PoolView implements PlacementCandidate {
  private final int index;
  private final PoolLayout layout;
  private final MeshSearch search;
  private final boolean tabled;

  /** The arrays of the state until the first slice is taken; copies from then on. */
  private long[] free;

  private long[] occupied;

  /** Working memory: the free hosts, except hosts in partitions that a slice cannot use. */
  private final long[] usable;

  private PoolState state;
  private SliceRequest request;
  private boolean plain;
  private int cubesNeeded;
  private int taken;

  /**
   * Creates a view.
   *
   * @param index the index of the pool in the order of ids
   */
  PoolView(int index, PoolState state, SliceRequest request) {
    this.index = index;
    this.state = state;
    this.request = request;
    this.layout = state.layout();
    this.tabled = CubeTable.isFor(layout);
    this.search = new MeshSearch(layout, this);
    this.usable = new long[layout.words()];
    this.free = state.free();
    this.occupied = state.occupied();
    begin(state, request);
  }

  /** Begins with the hosts of a state that a request may use. */
  void begin(PoolState at, SliceRequest of) {
    state = at;
    request = of;
    taken = 0;
    free = at.free(of);
    occupied = at.occupied();
    plain = at.isPlain(of) && at.health().hasHealthyPartitions();
  }

  PoolState state() {
    return state;
  }

  SliceRequest request() {
    return request;
  }

  PoolLayout layout() {
    return layout;
  }

  /** {@return the free hosts that a slice of a shape may use; valid until the next call} */
  long[] free(SliceShape slice) {
    if (state.health().hasHealthyPartitions()) {
      return free;
    }
    long[] allowed = state.health().usable(slice, request.allowDegraded());
    for (int word = 0; word < usable.length; word++) {
      usable[word] = free[word] & allowed[word];
    }
    return usable;
  }

  /** {@return the number of slices taken in the trial} */
  int taken() {
    return taken;
  }

  void take(SlicePlacement placement) {
    if (taken++ == 0) {
      free = free.clone();
      occupied = occupied.clone();
      plain = false;
    }
    HostMask hosts = new HostMask(layout, placement);
    hosts.toggle(free);
    hosts.toggle(occupied);
  }

  /** Offers all places of a slice in this pool. */
  void search(SliceShape shape, PlacementObjective goal, BestPlacement best) {
    if (layout.pool().takesWholeCubes(shape)) {
      cubesNeeded = shape.chips() / TpuGeneration.CUBE_CHIPS;
      if (wholeCubes() >= cubesNeeded && best.offer(goal, this, 0)) {
        best.place(index, 0, AxisOrder.XYZ, 0);
      }
      return;
    }
    ImmutableList<Way> ways = layout.ways(PlaceTable.Key.of(shape, request));
    boolean keepsBlocks = goal.equals(PlacementObjective.KEEP_BLOCKS);
    if (keepsBlocks && tabled && request.expectedEndMillis().isEmpty()) {
      searchTable(shape, ways, goal, best);
      return;
    }
    long[] room = free(shape);
    for (int mesh = 0; mesh < layout.pool().cubes(); mesh++) {
      boolean damaged = layout.isMadeOfCubes() && state.isDamaged(mesh);
      boolean first = !damaged && isUntouched(mesh);
      if (!keepsBlocks || !isWorse(best, damaged, first)) {
        search.load(room, mesh, damaged, first);
        search.search(ways, goal, best);
      }
    }
  }

  /** {@return whether the first two values of the default objective already decide against it} */
  private boolean isWorse(BestPlacement best, boolean damaged, boolean first) {
    if (!best.isFound() || request.rings() == SliceRequest.Rings.PREFERRED) {
      return false;
    }
    long byDamage = (damaged ? 0 : 1) - best.value(1);
    return byDamage > 0 || (byDamage == 0 && (first ? 1 : 0) > best.value(2));
  }

  /** Parts of cubes close no rings, so a request that requires rings finds none here. */
  private void searchTable(
      SliceShape shape, ImmutableList<Way> ways, PlacementObjective goal, BestPlacement best) {
    CubeTable table = CubeTable.get();
    int number = table.shape(shape);
    if (number < 0 || ways.isEmpty()) {
      return;
    }
    long[] room = free(shape);
    int cube = bestCube(table, number, room);
    if (cube >= 0) {
      boolean damaged = state.isDamaged(cube);
      search.load(room, cube, damaged, !damaged && isUntouched(cube));
      int host = table.host(number, room[cube]);
      search.offer(ways.get(0), host, goal, best);
    }
  }

  /** {@return the cube that the default objective chooses; -1 if there is none} */
  private int bestCube(CubeTable table, int shape, long[] room) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int cube = 0; cube < layout.pool().cubes(); cube++) {
      int rank = table.rank(shape, room[cube]);
      if (rank != CubeTable.NONE) {
        boolean damaged = state.isDamaged(cube);
        rank += damaged ? 0 : occupied[cube] == 0 ? 2 << Short.SIZE : 1 << Short.SIZE;
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
      return occupied[mesh] == 0;
    }
    for (long word : occupied) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  private int wholeCubes() {
    return plain ? state.wholeCubes() : HostBits.wholeCubes(free(layout.pool().chips()));
  }

  /** {@return the placement of the best candidate, which was found in this pool} */
  SlicePlacement placement(SliceShape shape, BestPlacement best) {
    TpuPool pool = layout.pool();
    return pool.takesWholeCubes(shape)
        ? onWholeCubes(shape, 1).get(0)
        : SlicePlacement.ofBox(
            pool, shape, best.order(), best.mesh() * pool.hostsPerMesh() + best.host());
  }

  /**
   * {@return as many disjoint placements of a slice of whole cubes as there are, up to a number}.
   * All whole cubes are equally good; healthy ones come first
   */
  List<SlicePlacement> onWholeCubes(SliceShape shape, int most) {
    int[] cubes = new int[shape.chips() / TpuGeneration.CUBE_CHIPS];
    int size = 0;
    long[] room = free(layout.pool().chips());
    List<SlicePlacement> places = new ArrayList<>();
    for (int pass = 0; pass < 2; pass++) {
      for (int cube = 0; cube < room.length && places.size() < most; cube++) {
        if (room[cube] == HostBits.CUBE && state.isDamaged(cube) == (pass == 1)) {
          cubes[size++] = cube;
        }
        if (size == cubes.length) {
          places.add(SlicePlacement.ofCubes(layout.pool(), shape, Ints.asList(cubes)));
          size = 0;
        }
      }
    }
    return places;
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
    return index;
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
