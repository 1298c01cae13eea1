package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The fewest moves that make room for one slice. Rules: TPU-F-19. */
final class MoveSearch {
  private static final Comparator<TpuSlice> LARGEST_FIRST = Comparator.<TpuSlice>comparingInt(
          slice -> -slice.placement().shape().chips())
      .thenComparing(TpuSlice::id);

  private final SliceFitter fitter;
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final int maxMoves;
  private final int maxChips;

  MoveSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    this.maxMoves = maxMoves;
    this.maxChips = maxChips;
  }

  /**
   * A place with the slices that must leave it.
   *
   * @param placement the place
   * @param slices the slices
   * @param chips the chips of all of them
   */
  private record Target(SlicePlacement placement, ImmutableSet<TpuSlice> slices, int chips) {}

  Optional<Defragmentation> first() {
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      return Optional.of(new Defragmentation(ImmutableList.of(), fit.slices().get(0)));
    }
    List<Target> targets = new ArrayList<>();
    for (Window window : Window.boxes(fleet, request)) {
      addTarget(targets, window.placement(), ImmutableSet.copyOf(window.inTheWay()));
    }
    for (int pool = 0; pool < fleet.layouts().size(); pool++) {
      addCubes(targets, fleet.state(pool));
    }
    targets.sort(Comparator.comparingInt((Target target) -> target.slices().size())
        .thenComparingInt(Target::chips));
    for (Target target : targets) {
      Optional<Defragmentation> plan = plan(target);
      if (plan.isPresent()) {
        return plan;
      }
    }
    return Optional.empty();
  }

  private void addTarget(
      List<Target> targets, SlicePlacement placement, ImmutableSet<TpuSlice> slices) {
    int chips =
        slices.stream().mapToInt(slice -> slice.placement().shape().chips()).sum();
    if (slices.size() <= maxMoves
        && chips <= maxChips
        && slices.stream().allMatch(TpuSlice::movable)) {
      targets.add(new Target(placement, slices, chips));
    }
  }

  /** The cubes with the fewest slices; moving whole cubes makes no cube free. */
  private void addCubes(List<Target> targets, PoolState state) {
    TpuPool pool = state.layout().pool();
    for (SliceShape shape : request.shapes()) {
      if (pool.takesWholeCubes(shape)
          && request.problem(fleet.generation(), shape).isEmpty()) {
        int needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
        List<Window> cubes = Window.cubes(state, request).stream()
            .filter(cube -> cube.inTheWay().stream()
                .allMatch(slice ->
                    slice.movable() && !pool.takesWholeCubes(slice.placement().shape())))
            .sorted(Comparator.comparingInt((Window cube) -> cube.inTheWay().size())
                .thenComparingInt(MoveSearch::chips))
            .limit(needed)
            .toList();
        if (cubes.size() == needed) {
          addTarget(
              targets,
              SlicePlacement.ofCubes(
                  pool,
                  shape,
                  ImmutableIntArray.copyOf(cubes.stream()
                      .mapToInt(cube -> cube.placement().cubes().get(0))
                      .sorted())),
              cubes.stream()
                  .flatMap(cube -> cube.inTheWay().stream())
                  .collect(ImmutableSet.toImmutableSet()));
        }
      }
    }
  }

  private static int chips(Window window) {
    return window.inTheWay().stream()
        .mapToInt(slice -> slice.placement().shape().chips())
        .sum();
  }

  private Optional<Defragmentation> plan(Target target) {
    TpuFleet after = fleet;
    for (TpuSlice slice : target.slices()) {
      after = after.release(slice.id());
    }
    String kept = "kept";
    while (fleet.slice(kept).isPresent()) {
      kept += "-";
    }
    after = after.allocate(TpuSlice.of(kept, target.placement()));
    List<SliceMove> moves = new ArrayList<>();
    for (TpuSlice slice : ImmutableList.sortedCopyOf(LARGEST_FIRST, target.slices())) {
      SliceRequest again = SliceRequest.of(slice.placement().shape());
      SliceFit fit = fitter.fit(after, slice.mayTurn() ? again.withTurning() : again);
      if (!fit.isPlaced()) {
        return Optional.empty();
      }
      SlicePlacement to = fit.slices().get(0);
      after = after.allocate(slice.withPlacement(to));
      moves.add(new SliceMove(slice, to, false));
    }
    return ordered(moves).map(order -> new Defragmentation(order, target.placement()));
  }

  /** {@return the moves so that each finds its hosts free; nothing if they wait for each other} */
  private Optional<ImmutableList<SliceMove>> ordered(List<SliceMove> moves) {
    ImmutableList.Builder<SliceMove> order = ImmutableList.builder();
    List<SliceMove> left = new ArrayList<>(moves);
    while (!left.isEmpty()) {
      SliceMove next = left.stream()
          .filter(move -> !isBlocked(move, left))
          .min(Comparator.comparing(MoveSearch::overlapsItself))
          .orElse(null);
      if (next == null) {
        return Optional.empty();
      }
      left.remove(next);
      order.add(new SliceMove(next.slice(), next.to(), overlapsItself(next)));
    }
    return Optional.of(order.build());
  }

  private static boolean isBlocked(SliceMove move, List<SliceMove> left) {
    return left.stream()
        .anyMatch(other -> !other.slice().equals(move.slice())
            && overlap(move.to(), other.slice().placement()));
  }

  private static boolean overlapsItself(SliceMove move) {
    return overlap(move.to(), move.slice().placement());
  }

  private static boolean overlap(SlicePlacement one, SlicePlacement other) {
    return one.pool().equals(other.pool())
        && HostMask.of(one.hosts()).intersects(HostMask.of(other.hosts()));
  }
}
