package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Places of a slice in which only a few movable slices are in the way. Rules: TPU-F-19. */
final class MoveTargets {
  /** Steps of looking for sets of cubes. */
  private static final int STEPS = 2_000;

  private static final Comparator<Window> EASIEST = Comparator.comparingInt(
          (Window window) -> window.inTheWay().size())
      .thenComparingInt(MoveTargets::chips);

  private final PoolState state;
  private final SliceShape shape;
  private final int needed;
  private final int most;
  private final List<Window> cubes;
  private final List<Window> targets;
  private final List<Window> chosen = new ArrayList<>();
  private int stepsLeft = STEPS;

  private MoveTargets(
      PoolState state,
      SliceRequest request,
      int most,
      Predicate<TpuSlice> mayMove,
      List<Window> targets) {
    this.state = state;
    this.shape = request.shapes().get(0);
    this.most = most;
    this.needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
    this.targets = targets;
    this.cubes = Window.cubes(state, request).stream()
        .filter(window -> isMovable(window, most, mayMove))
        .sorted(EASIEST)
        .toList();
  }

  /**
   * {@return the places with at most so many slices, those with the fewest first}
   *
   * @param request a request with one shape
   * @param mayMove which slices may be in the way
   */
  static List<Window> of(
      TpuFleet fleet, SliceRequest request, int most, Predicate<TpuSlice> mayMove) {
    List<Window> targets = new ArrayList<>();
    for (Window window : Window.boxes(fleet, request)) {
      if (isMovable(window, most, mayMove)) {
        targets.add(window);
      }
    }
    SliceShape shape = request.shapes().get(0);
    for (int pool = 0; pool < fleet.layouts().size(); pool++) {
      if (fleet.layouts().get(pool).pool().takesWholeCubes(shape)) {
        new MoveTargets(fleet.state(pool), request, most, mayMove, targets).chooseCubes(0);
      }
    }
    targets.sort(EASIEST);
    return targets;
  }

  private static boolean isMovable(Window window, int most, Predicate<TpuSlice> mayMove) {
    return window.inTheWay().size() <= most && window.inTheWay().stream().allMatch(mayMove);
  }

  private static int chips(Window window) {
    return window.inTheWay().stream()
        .mapToInt(slice -> slice.placement().shape().chips())
        .sum();
  }

  /** All sets of cubes, those with the fewest slices first; a slice in several is moved once. */
  private void chooseCubes(int from) {
    if (chosen.size() == needed) {
      targets.add(together());
      return;
    }
    for (int next = from;
        next <= cubes.size() - (needed - chosen.size()) && stepsLeft > 0;
        next++) {
      stepsLeft--;
      chosen.add(cubes.get(next));
      boolean few = inTheWay().size() <= most;
      if (few) {
        chooseCubes(next + 1);
      }
      chosen.remove(chosen.size() - 1);
    }
  }

  private Set<TpuSlice> inTheWay() {
    Set<TpuSlice> slices = new LinkedHashSet<>();
    chosen.forEach(cube -> slices.addAll(cube.inTheWay()));
    return slices;
  }

  private Window together() {
    ImmutableIntArray ids = ImmutableIntArray.copyOf(
        chosen.stream().mapToInt(cube -> cube.placement().cubes().get(0)).sorted());
    SlicePlacement place = SlicePlacement.ofCubes(state.layout().pool(), shape, ids);
    ImmutableSet<TpuSlice> slices = ImmutableSet.copyOf(inTheWay());
    return new Window(place, HostMask.of(place.hosts()), ImmutableList.copyOf(slices));
  }
}
