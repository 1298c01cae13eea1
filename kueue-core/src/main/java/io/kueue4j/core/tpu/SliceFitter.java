package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether TPU slices fit and where they are placed best.
 *
 * <p>Exact: a single slice is refused only if it fits nowhere. Several slices are placed one after
 * another, each at the place that the objective prefers; if that fails, all combinations are tried,
 * up to a number of steps, after which the answer is {@link SliceFit.Undecided}. Deterministic:
 * equal fleets and requests give equal answers.
 *
 * <pre>{@code
 * SliceFitter fitter = SliceFitter.create();
 * SliceFit fit = fitter.fit(fleet, SliceRequest.of("4x8").withTurning());
 * if (fit.isPlaced()) {
 *   fleet = fleet.allocate(TpuSlice.of("training-0", fit.slices().get(0)));
 * }
 * }</pre>
 *
 * <p>Not thread-safe, since it reuses its working memory between calls.
 *
 * <p>Rules: TPU-U-24, TPU-F-6, TPU-F-12, TPU-F-14, TPU-F-17.
 *
 * @since 0.1.0
 */
public final class SliceFitter {
  /** The default number of steps tried for several slices before giving up. */
  public static final long DEFAULT_NODES = 50_000;

  private final PlacementObjective objective;
  private final long nodes;
  private final ImmutableList<SliceShape> guarded;
  private final BestPlacement best = new BestPlacement();

  private PoolView[] views = new PoolView[0];

  /** The pools that must not be used. */
  private boolean[] closed = new boolean[0];

  private SliceFitter(PlacementObjective objective, long nodes, ImmutableList<SliceShape> guarded) {
    this.objective = objective;
    this.nodes = nodes;
    this.guarded = guarded;
  }

  /** {@return a fitter with the default objective} */
  public static SliceFitter create() {
    return new SliceFitter(PlacementObjective.KEEP_BLOCKS, DEFAULT_NODES, ImmutableList.of());
  }

  /** {@return a fitter with another objective} */
  public SliceFitter withObjective(PlacementObjective other) {
    return new SliceFitter(other, nodes, guarded);
  }

  /**
   * {@return a fitter that tries {@code steps} steps for several slices before giving up}
   *
   * @throws IllegalArgumentException if {@code steps} is not positive
   */
  public SliceFitter withNodes(long steps) {
    checkArgument(steps >= 1, "%s steps, expected at least 1", steps);
    return new SliceFitter(objective, steps, guarded);
  }

  /**
   * {@return a fitter that keeps room for large slices}. When a request would take the last room
   * for the largest of these shapes that still fits, the fitter places it in other fabrics if it
   * fits there
   */
  public SliceFitter withLargeShapeGuard(Collection<SliceShape> shapes) {
    return new SliceFitter(
        objective,
        nodes,
        ImmutableList.sortedCopyOf(Comparator.comparingInt(SliceShape::chips).reversed(), shapes));
  }

  /** {@return whether and where a request fits} */
  public SliceFit fit(TpuFleet fleet, SliceRequest request) {
    learn(fleet, request);
    // An earlier call may have failed at any place.
    Arrays.fill(closed, false);
    best.forgetExamined();
    SliceFit fit = fitUnguarded(fleet, request);
    if (guarded.isEmpty() || !fit.isPlaced()) {
      return fit;
    }
    return guarded.stream()
        .filter(shape -> hasRoom(fleet, shape))
        .findFirst()
        .filter(shape -> !hasRoom(taken(fleet, fit), shape))
        .map(shape -> elsewhere(fleet, request, fit))
        .orElse(fit);
  }

  private boolean hasRoom(TpuFleet fleet, SliceShape shape) {
    return fitUnguarded(fleet, SliceRequest.of(shape).withTurning()).isPlaced();
  }

  private static TpuFleet taken(TpuFleet fleet, SliceFit fit) {
    String id = fleet.unusedPrefix();
    TpuFleet after = fleet;
    for (SlicePlacement place : fit.slices()) {
      after = after.allocate(TpuSlice.of(id + after.slices().size(), place));
    }
    return after;
  }

  /** The large slice fitted only where the request was placed. */
  private SliceFit elsewhere(TpuFleet fleet, SliceRequest request, SliceFit fit) {
    ImmutableSet<String> fabrics = fit.slices().stream()
        .map(place -> place.pool().fabric())
        .collect(ImmutableSet.toImmutableSet());
    for (int pool = 0; pool < views.length; pool++) {
      closed[pool] = fabrics.contains(views[pool].layout().pool().fabric());
    }
    SliceFit other = fitUnguarded(fleet, request);
    return other.isPlaced() ? other : fit;
  }

  /** Makes the views fit the pools of a fleet; fleets that share pools can share the views. */
  private void learn(TpuFleet fleet, SliceRequest request) {
    List<PoolState> states = fleet.states();
    if (views.length != states.size() || views[0].layout() != states.get(0).layout()) {
      PoolView[] learned = new PoolView[states.size()];
      Arrays.setAll(learned, pool -> new PoolView(pool, states.get(pool), request));
      closed = new boolean[learned.length];
      // Last, so that a failure leaves nothing half learned.
      views = learned;
    }
  }

  private SliceFit fitUnguarded(TpuFleet fleet, SliceRequest request) {
    long undecided = 0;
    for (int i = 0; i < request.shapes().size(); i++) {
      SliceShape shape = request.shapes().get(i);
      if (request.problem(fleet.generation(), shape).isEmpty()) {
        SliceFit fit =
            request.count() == 1 ? fitOne(fleet, request, shape) : fitAll(fleet, request, shape);
        if (fit.isPlaced()) {
          return fit;
        }
        undecided += fit instanceof SliceFit.Undecided left ? left.searchedNodes() : 0;
      }
    }
    return undecided > 0 ? new SliceFit.Undecided(undecided) : SliceFit.NoRoom.INSTANCE;
  }

  /**
   * Lists all places of one slice of a request, regardless of its count and scope.
   *
   * @param shape the shape of the slice, one of those requested
   * @return the places, which may overlap; for slices of whole cubes one place per pool, since all
   *     whole cubes are equally good
   */
  public List<SlicePlacement> places(TpuFleet fleet, SliceRequest request, SliceShape shape) {
    ImmutableList.Builder<SlicePlacement> places = ImmutableList.builder();
    if (request.problem(fleet.generation(), shape).isEmpty()) {
      for (PoolState state : fleet.states()) {
        places.addAll(places(state, request, shape, 1));
      }
    }
    return places.build();
  }

  /**
   * {@return all places of a box in a pool, or as many disjoint places on whole cubes as there are,
   * up to a number}
   */
  static List<SlicePlacement> places(
      PoolState state, SliceRequest request, SliceShape shape, int mostOnCubes) {
    return state.layout().pool().takesWholeCubes(shape)
        ? new PoolView(0, state, request).onWholeCubes(shape, mostOnCubes)
        : state
            .layout()
            .places(PlaceTable.Key.of(shape, request))
            .inside(state.free(request, shape))
            .toList();
  }

  /**
   * Explains why a request does not fit.
   *
   * @return the constraint that prevents the fit; empty if the request fits
   */
  public Optional<FitFailure> explain(TpuFleet fleet, SliceRequest request) {
    return new FitExplainer(this, fleet, request).failure();
  }

  /** {@return the number of places that the last call of {@link #fit} examined} */
  public long candidates() {
    return best.examined();
  }

  /** {@return the largest slice that fits under the conditions of a request, if any} */
  public Optional<SliceShape> largest(TpuFleet fleet, SliceRequest request) {
    return LargestSlice.of(this, fleet, request);
  }

  private SliceFit fitOne(TpuFleet fleet, SliceRequest request, SliceShape shape) {
    begin(fleet, request);
    return findBest(request, shape, closed)
        ? new SliceFit.Placed(ImmutableList.of(views[best.pool()].placement(shape, best)))
        : SliceFit.NoRoom.INSTANCE;
  }

  /**
   * Tries the groups of pools that the scope allows, first those where the first slice fits best.
   */
  private SliceFit fitAll(TpuFleet fleet, SliceRequest request, SliceShape shape) {
    boolean[] tried = closed.clone();
    long searched = 0;
    while (true) {
      begin(fleet, request);
      if (!findBest(request, shape, tried)) {
        return searched > 0 ? new SliceFit.Undecided(searched) : SliceFit.NoRoom.INSTANCE;
      }
      boolean[] others = others(request.scope(), best.pool());
      List<SlicePlacement> places = oneByOne(request, shape, others);
      if (places.size() < request.count()) {
        begin(fleet, request);
        PackingSearch packing = new PackingSearch(shape, nodes);
        places = together(request, others, packing);
        searched += packing.isComplete() ? 0 : nodes;
      }
      if (places.size() == request.count()) {
        return new SliceFit.Placed(ImmutableList.copyOf(places));
      }
      for (int pool = 0; pool < views.length; pool++) {
        tried[pool] |= !others[pool];
      }
    }
  }

  private void begin(TpuFleet fleet, SliceRequest request) {
    for (int pool = 0; pool < views.length; pool++) {
      views[pool].begin(fleet.state(pool), request);
    }
  }

  private boolean findBest(SliceRequest request, SliceShape shape, boolean[] left) {
    best.clear();
    for (int pool = 0; pool < views.length; pool++) {
      if (!left[pool] && views[pool].taken() < request.maxPerPool()) {
        views[pool].search(shape, objective, best);
      }
    }
    return best.isFound();
  }

  /** {@return the pools that must not be used together with a slice in {@code pool}} */
  private boolean[] others(SliceRequest.Scope scope, int pool) {
    boolean[] others = new boolean[views.length];
    TpuPool chosen = views[pool].layout().pool();
    for (int each = 0; each < views.length; each++) {
      others[each] = closed[each]
          || switch (scope) {
            case SAME_POOL -> each != pool;
            case SAME_FABRIC -> !views[each].layout().pool().fabric().equals(chosen.fabric());
            case ANY, SPREAD -> false;
          };
    }
    return others;
  }

  private List<SlicePlacement> oneByOne(SliceRequest request, SliceShape shape, boolean[] others) {
    List<SlicePlacement> places = new ArrayList<>();
    while (places.size() < request.count() && findBest(request, shape, others)) {
      SlicePlacement place = views[best.pool()].placement(shape, best);
      views[best.pool()].take(place);
      places.add(place);
    }
    return places;
  }

  private List<SlicePlacement> together(
      SliceRequest request, boolean[] others, PackingSearch packing) {
    List<SlicePlacement> places = new ArrayList<>();
    for (int pool = 0; pool < views.length && places.size() < request.count(); pool++) {
      if (!others[pool]) {
        int wanted = Math.min(request.count() - places.size(), request.maxPerPool());
        places.addAll(packing.most(views[pool], wanted));
      }
    }
    return places;
  }
}
