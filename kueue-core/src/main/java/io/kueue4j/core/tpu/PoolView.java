package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/**
 * One pool during a search: which hosts the request may use, less what it has taken on trial.
 * Reused, so that a search makes no objects.
 *
 * <p>Rules: TPU-F-10, TPU-F-16, TPU-F-17.
 */
final class PoolView implements PlacementCandidate {
  private static final long CUBE = 0xFFFF;

  private final PoolLayout layout;
  private final MeshSearch search;
  private final long[] free;
  private final long[] occupied;

  private PoolState state;
  private int cubesNeeded;
  private int taken;

  PoolView(PoolState state) {
    this.state = state;
    this.layout = state.layout();
    this.search = new MeshSearch(layout);
    this.free = new long[layout.words()];
    this.occupied = new long[layout.words()];
  }

  /** Begins with what a state leaves to a request. */
  void begin(PoolState at, SliceRequest request) {
    state = at;
    taken = 0;
    if (request.allowDegraded()) {
      at.free(free, true);
    } else {
      System.arraycopy(at.free(), 0, free, 0, free.length);
    }
    System.arraycopy(at.occupied(), 0, occupied, 0, free.length);
    confine(request);
  }

  /** Begins with what a state would leave to a request if there were no slices. */
  void beginEmpty(PoolState at, SliceRequest request) {
    begin(at, request);
    Arrays.fill(occupied, 0);
    at.usable(free, request.allowDegraded());
    confine(request);
  }

  private void confine(SliceRequest request) {
    String id = layout.pool().id();
    if (!request.avoid().isEmpty()) {
      confine(request.avoid().get(id), false);
    }
    if (!request.pin().isEmpty()) {
      confine(request.pin().get(id), true);
    }
  }

  private void confine(ImmutableSet<Integer> hosts, boolean only) {
    for (int host = 0; host < layout.pool().hosts(); host++) {
      if (hosts.contains(host) != only) {
        free[host >> 6] &= ~(1L << host);
      }
    }
  }

  PoolLayout layout() {
    return layout;
  }

  long[] free() {
    return free;
  }

  /** {@return the number of slices taken on trial} */
  int taken() {
    return taken;
  }

  void take(SlicePlacement placement) {
    HostMask hosts = HostMask.of(placement.hosts());
    hosts.removeFrom(free);
    hosts.addTo(occupied);
    taken++;
  }

  /** Offers all places of a slice in this pool. */
  void search(
      SliceShape shape, SliceRequest request, PlacementObjective goal, Best best, int pool) {
    if (layout.pool().takesWholeCubes(shape)) {
      cubesNeeded = shape.chips() / TpuGeneration.CUBE_CHIPS;
      if (wholeCubes() >= cubesNeeded && best.offer(goal, this, 0)) {
        best.place(pool, 0, AxisOrder.XYZ, 0);
      }
      return;
    }
    boolean tabled =
        layout.isMadeOfCubes() && layout.isAligned() && goal.equals(PlacementObjective.KEEP_BLOCKS);
    CubeTable table = tabled ? CubeTable.of(shape) : null;
    int first = table == null ? 0 : bestCube(table);
    int last = table == null ? layout.pool().cubes() - 1 : first;
    for (int mesh = first; mesh <= last && mesh >= 0; mesh++) {
      boolean damaged = layout.isMadeOfCubes() && state.isDamaged(mesh);
      search.load(free, mesh, damaged, !damaged && isUntouched(mesh));
      search.search(shape, request.rings(), request.mayTurn(), goal, best, pool, mesh);
    }
  }

  /** {@return the cube that the default objective chooses; -1 if there is none} */
  private int bestCube(CubeTable table) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int cube = 0; cube < layout.pool().cubes(); cube++) {
      int rank = table.rank(PoolState.lane(free, cube));
      if (rank != CubeTable.NONE) {
        boolean damaged = state.isDamaged(cube);
        rank += damaged ? 0 : 2 << Short.SIZE;
        rank += damaged || !isUntouched(cube) ? 0 : 1 << Short.SIZE;
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
      return PoolState.lane(occupied, mesh) == 0;
    }
    for (long word : occupied) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  private int wholeCubes() {
    int whole = 0;
    for (int cube = 0; cube < layout.pool().cubes(); cube++) {
      whole += PoolState.lane(free, cube) == CUBE ? 1 : 0;
    }
    return whole;
  }

  /** {@return the place of the best candidate, which was found in this pool} */
  SlicePlacement placement(SliceShape shape, Best best) {
    TpuPool pool = layout.pool();
    return pool.takesWholeCubes(shape)
        ? SlicePlacement.ofCubes(
            pool, shape, firstWholeCubes(shape.chips() / TpuGeneration.CUBE_CHIPS))
        : SlicePlacement.ofBox(
            pool, shape, best.order(), best.mesh() * pool.hostsPerMesh() + best.host());
  }

  /** All whole cubes are worth the same; healthy ones come first. */
  private ImmutableIntArray firstWholeCubes(int needed) {
    ImmutableIntArray.Builder cubes = ImmutableIntArray.builder(needed);
    int left = needed;
    for (int pass = 0; pass < 2; pass++) {
      for (int cube = 0; cube < layout.pool().cubes() && left > 0; cube++) {
        if (PoolState.lane(free, cube) == CUBE && state.isDamaged(cube) == (pass == 1)) {
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

  /** Of whole cubes none is worth more than another. */
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
}
