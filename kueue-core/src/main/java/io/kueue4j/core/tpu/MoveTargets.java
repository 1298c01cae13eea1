package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds places of a slice that have only a few movable slices in the way. Rules: TPU-F-19. */
final class MoveTargets {
  /** The maximum number of steps in the search for sets of cubes. */
  private static final int STEPS = 20_000;

  private final TrialPool pool;
  private final SliceShape shape;
  private final int most;
  private final int needed;

  /** The cubes that may be taken, those with the fewest slices first. */
  private final List<MoveTarget> cubes;

  private final List<MoveTarget> targets;
  private final int[] chosen;
  private final List<Resident> inTheWay = new ArrayList<>();
  private int stepsLeft = STEPS;

  private MoveTargets(
      TrialPool pool,
      SliceShape shape,
      int most,
      List<MoveTarget> cubes,
      List<MoveTarget> targets) {
    this.pool = pool;
    this.shape = shape;
    this.most = most;
    this.needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
    this.cubes = cubes;
    this.targets = targets;
    this.chosen = new int[needed];
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
      List<MoveTarget> cubes = new ArrayList<>();
      addBoxes(pool, pool.layout().wholeCube(), allowed, most, cubes);
      cubes.sort(MoveTarget.EASIEST);
      new MoveTargets(pool, key.shape(), most, cubes, targets).choose(0, 0);
    } else {
      addBoxes(pool, pool.layout().places(key), allowed, most, targets);
    }
  }

  private static void addBoxes(
      TrialPool pool, PlaceTable table, long[] allowed, int most, List<MoveTarget> targets) {
    for (int mesh = 0; mesh < pool.meshes(); mesh++) {
      int place = pool.next(table, allowed, mesh, 0, most);
      while (place >= 0) {
        targets.add(MoveTarget.ofBox(pool, table, mesh, place));
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
      targets.add(MoveTarget.ofCubes(pool, shape, numbers, inTheWay));
      return;
    }
    for (int next = from; next <= cubes.size() - (needed - size) && stepsLeft > 0; next++) {
      if (isAlikeOneBefore(from, next)) {
        continue;
      }
      stepsLeft--;
      MoveTarget cube = cubes.get(next);
      int before = inTheWay.size();
      for (Resident resident : cube.inTheWay()) {
        if (!inTheWay.contains(resident)) {
          inTheWay.add(resident);
        }
      }
      if (inTheWay.size() <= most) {
        chosen[size] = cube.hosts().mesh(0);
        choose(next + 1, size + 1);
      }
      inTheWay.subList(before, inTheWay.size()).clear();
    }
  }

  /** The result for a cube is the result of an earlier one that is alike. */
  private boolean isAlikeOneBefore(int from, int next) {
    MoveTarget cube = cubes.get(next);
    for (int i = next - 1; i >= from; i--) {
      if (MoveTarget.EASIEST.compare(cubes.get(i), cube) != 0) {
        return false;
      }
      if (pool.areAlike(cubes.get(i).hosts().mesh(0), cube.hosts().mesh(0))) {
        return true;
      }
    }
    return false;
  }
}
