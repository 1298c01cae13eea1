package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.List;

/**
 * An upper bound on the slices of a request that pools can take when few slices may be displaced.
 * The bound does not ask where displaced slices go, so it only rules out what is hopeless.
 *
 * <p>Rules: TPU-F-19.
 */
final class MoveBound {
  /** The maximum number of steps per pool and number of displaced slices. */
  private static final int STEPS = 2_000;

  /** By pool and displaced slices: the slices that the pool can take. */
  private final int[][] inPool;

  /** By pool and displaced slices: the slices that the pool and all later ones can take. */
  private final int[][] from;

  /** Whether all slices must be in one pool. */
  private final boolean alone;

  MoveBound(TrialFleet trial, SliceRequest request, PlaceTable.Key key, int limit) {
    int pools = trial.pools();
    this.alone = request.scope() == SliceRequest.Scope.SAME_POOL;
    this.inPool = new int[pools][limit + 1];
    this.from = new int[pools + 1][limit + 1];
    for (int pool = pools - 1; pool >= 0; pool--) {
      TrialPool each = trial.pool(pool);
      TpuPool whole = each.layout().pool();
      int size = key.shape().chips() / whole.hostBox().chips();
      int most = Math.min(request.count(), whole.hosts() / Math.max(1, size));
      if (request.scope() == SliceRequest.Scope.SPREAD) {
        most = Math.min(most, request.maxPerPool());
      }
      List<MoveTarget> targets = new ArrayList<>();
      boolean boxes = !whole.takesWholeCubes(key.shape());
      if (boxes) {
        MoveTargets.add(each, key, each.state().allowed(request, key.shape()), limit, targets);
      }
      for (int moves = 0; moves <= limit; moves++) {
        inPool[pool][moves] = boxes ? new Packing(targets, moves, most).most() : most;
      }
      for (int moves = 0; moves <= limit; moves++) {
        for (int here = 0; here <= moves; here++) {
          int later = from[pool + 1][moves - here];
          int all = alone ? Math.max(inPool[pool][here], later) : inPool[pool][here] + later;
          from[pool][moves] = Math.max(from[pool][moves], all);
        }
      }
    }
  }

  /** {@return the maximum number of slices in all pools together} */
  int all(int moves) {
    return from[0][moves];
  }

  /**
   * {@return the maximum number of further slices in a pool and the later ones}
   *
   * @param placed the slices of the request in the pool
   * @param displaced the slices displaced there
   * @param left the number of slices that may still be displaced
   */
  int more(int pool, int placed, int displaced, int left) {
    int more = 0;
    for (int here = 0; here <= left; here++) {
      int later = alone ? 0 : from[pool + 1][left - here];
      more = Math.max(more, inPool[pool][displaced + here] - placed + later);
    }
    return more;
  }

  /** The largest set of disjoint places in a pool with a limited number of slices in the way. */
  private static final class Packing {
    private final List<MoveTarget> targets;
    private final int moves;
    private final int enough;
    private final List<MoveTarget> chosen = new ArrayList<>();
    private int best;
    private int stepsLeft = STEPS;

    Packing(List<MoveTarget> targets, int moves, int enough) {
      this.targets = targets;
      this.moves = moves;
      this.enough = enough;
    }

    int most() {
      choose(0, List.of());
      return stepsLeft > 0 ? best : enough;
    }

    private void choose(int next, List<Resident> out) {
      best = Math.max(best, chosen.size());
      for (int i = next; i < targets.size(); i++) {
        boolean hopeless = best >= enough || chosen.size() + targets.size() - i <= best;
        if (hopeless || stepsLeft <= 0) {
          return;
        }
        stepsLeft--;
        MoveTarget target = targets.get(i);
        List<Resident> all = new ArrayList<>(out);
        target.inTheWay().stream().filter(each -> !out.contains(each)).forEach(all::add);
        if (all.size() <= moves && chosen.stream().noneMatch(target::overlaps)) {
          chosen.add(target);
          choose(i + 1, all);
          chosen.remove(chosen.size() - 1);
        }
      }
    }
  }
}
