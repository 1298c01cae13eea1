package io.kueue4j.core.tpu;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Finds places of a slice that have only a few movable slices in the way. Rules: TPU-F-19. */
final class MoveTargets {
  /** The maximum number of steps in the search for sets of cubes. */
  private static final int STEPS = 20_000;

  private final TrialPool pool;
  private final SliceShape shape;
  private final int most;
  private final int needed;
  private final List<Cube> cubes = new ArrayList<>();
  private final List<MoveTarget> targets;
  private final int[] chosen;
  private final List<Resident> inTheWay = new ArrayList<>();
  private int stepsLeft = STEPS;

  /** A cube that may be taken, and the slices in it. */
  private record Cube(int number, List<Resident> inTheWay, int chips) {
    static final Comparator<Cube> EASIEST = Comparator.comparingInt(
            (Cube cube) -> cube.inTheWay().size())
        .thenComparingInt(Cube::chips);
  }

  private MoveTargets(
      TrialPool pool, SliceShape shape, long[] allowed, int most, List<MoveTarget> targets) {
    this.pool = pool;
    this.shape = shape;
    this.most = most;
    this.needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
    this.targets = targets;
    this.chosen = new int[needed];
    for (int cube = 0; cube < pool.contents().meshes(); cube++) {
      if (pool.isCandidateCube(allowed, cube, most)) {
        cubes.add(new Cube(cube, pool.inTheWay(), pool.chipsInTheWay()));
      }
    }
    cubes.sort(Cube.EASIEST);
  }

  /**
   * Adds the places of a slice in a pool with a limited number of slices in the way: boxes in the
   * order of cube, orientation and host; sets of whole cubes with the fewest slices first, only one
   * of sets that are alike.
   *
   * @param allowed the hosts that may be used, mesh by mesh
   */
  static void add(
      TrialPool pool, PlaceTable.Key key, long[] allowed, int most, List<MoveTarget> targets) {
    if (pool.layout().pool().takesWholeCubes(key.shape())) {
      new MoveTargets(pool, key.shape(), allowed, most, targets).choose(0, 0);
      return;
    }
    PlaceTable table = pool.layout().places(key);
    for (int mesh = 0; mesh < pool.contents().meshes(); mesh++) {
      int place = pool.next(table, allowed, mesh, 0, most);
      while (place >= 0) {
        targets.add(MoveTarget.ofBox(pool, key.shape(), table, mesh, place));
        place = pool.next(table, allowed, mesh, place + 1, most);
      }
    }
  }

  /**
   * Chooses sets of cubes, those with the fewest slices first; a slice in several cubes counts
   * once.
   */
  private void choose(int from, int size) {
    if (size == needed) {
      int[] numbers = chosen.clone();
      Arrays.sort(numbers);
      ImmutableIntArray ascending = ImmutableIntArray.copyOf(numbers);
      targets.add(MoveTarget.ofCubes(pool, shape, ascending, inTheWay));
      return;
    }
    for (int next = from; next <= cubes.size() - (needed - size) && stepsLeft > 0; next++) {
      if (isAlikeOneBefore(from, next)) {
        continue;
      }
      stepsLeft--;
      Cube cube = cubes.get(next);
      int before = inTheWay.size();
      for (Resident resident : cube.inTheWay()) {
        if (!inTheWay.contains(resident)) {
          inTheWay.add(resident);
        }
      }
      if (inTheWay.size() <= most) {
        chosen[size] = cube.number();
        choose(next + 1, size + 1);
      }
      inTheWay.subList(before, inTheWay.size()).clear();
    }
  }

  /** The result for a cube is the result of an earlier one that is alike. */
  private boolean isAlikeOneBefore(int from, int next) {
    Cube cube = cubes.get(next);
    for (int i = next - 1; i >= from; i--) {
      if (Cube.EASIEST.compare(cubes.get(i), cube) != 0) {
        return false;
      }
      if (pool.areAlike(cubes.get(i).number(), cube.number())) {
        return true;
      }
    }
    return false;
  }
}
