package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.List;

/**
 * A lower bound on the chips that must move so that displaced slices find places, without the
 * places themselves. The largest slice is placed first and may displace others in turn, up to the
 * allowed number of moves; the search compares only bits.
 *
 * <p>For aligned blocks any free place is as good as any other (TPU-F-13), and swapping blocks of
 * one size gains nothing; for slices that are not aligned all places are tried. After a number of
 * steps the search gives up with {@link #NONE}.
 *
 * <p>Rules: TPU-F-19.
 */
final class MoveCost {
  /** No solution was found. */
  static final int NONE = Integer.MAX_VALUE;

  private final TrialFleet trial;
  private final boolean aligned;
  private int nodesLeft;

  MoveCost(TrialFleet trial, boolean aligned) {
    this.trial = trial;
    this.aligned = aligned;
  }

  /** Allows a number of further steps. */
  void allow(int nodes) {
    nodesLeft = nodes;
  }

  /** {@return whether another step is allowed, which this counts} */
  boolean step() {
    return nodesLeft-- > 0;
  }

  /** {@return the merged list, largest first} */
  static List<Resident> merged(List<Resident> some, List<Resident> others) {
    List<Resident> all = new ArrayList<>(some.size() + others.size());
    all.addAll(some);
    all.addAll(others);
    if (all.size() > 1) {
      all.sort(Resident.LARGEST_FIRST);
    }
    return all;
  }

  /**
   * {@return the chips to move in addition to the displaced slices}; {@link #NONE} if there is no
   * solution with less than {@code below} chips
   *
   * @param out the displaced slices, the largest first
   * @param most the maximum number of other slices to move
   */
  int least(List<Resident> out, int most, int below) {
    if (out.isEmpty()) {
      return 0;
    }
    if (!step() || (most == 0 && !out.stream().allMatch(trial::hasRoom))) {
      return NONE;
    }
    Resident first = out.get(0);
    List<Resident> rest = out.subList(1, out.size());
    boolean hasRoom = trial.hasRoom(first);
    if (hasRoom && (aligned || rest.isEmpty())) {
      return rest.isEmpty() ? 0 : new Targets(first, rest, 0, 0).search(most, below);
    }
    int least = hasRoom ? new Targets(first, rest, 0, 0).search(most, below) : NONE;
    return least == 0 || most == 0
        ? least
        : Math.min(least, new Targets(first, rest, 1, most).search(most, Math.min(least, below)));
  }

  /**
   * Iterates over the places of one slice that have a limited number of other slices in the way.
   */
  private final class Targets {
    private final Resident first;
    private final List<Resident> rest;
    private final int fewest;
    private final int most;
    private int mayMove;
    private int below;
    private int best = NONE;
    private boolean done;

    Targets(Resident first, List<Resident> rest, int fewest, int most) {
      this.first = first;
      this.rest = rest;
      this.fewest = fewest;
      this.most = most;
    }

    int search(int others, int bound) {
      mayMove = others;
      below = bound;
      for (int index = 0; index < trial.pools() && !done; index++) {
        TrialPool pool = trial.pool(index);
        if (trial.mayGoTo(pool, first)) {
          search(pool);
        }
      }
      return best;
    }

    private void search(TrialPool pool) {
      PlaceTable.Key key = first.key();
      long[] usable = pool.state().usable(key.shape());
      if (pool.layout().pool().takesWholeCubes(key.shape())) {
        List<MoveTarget> targets = new ArrayList<>();
        MoveTargets.add(pool, key, usable, most, targets);
        for (int i = 0; i < targets.size() && !done; i++) {
          if (targets.get(i).inTheWay().size() >= fewest) {
            offer(targets.get(i));
          }
        }
        return;
      }
      PlaceTable table = pool.layout().places(key);
      for (int mesh = 0; mesh < pool.meshes() && !done; mesh++) {
        int place = pool.next(table, usable, mesh, 0, most);
        while (place >= 0 && !done) {
          if (pool.inTheWaySize() >= fewest && pool.chipsInTheWay() < below) {
            offer(MoveTarget.ofBox(pool, table, mesh, place));
          }
          place = pool.next(table, usable, mesh, place + 1, most);
        }
      }
    }

    private void offer(MoveTarget target) {
      int size = target.inTheWay().size();
      if (target.chips() >= below || (aligned && !target.areSmaller(first))) {
        return;
      }
      trial.put(target);
      int more = least(merged(rest, target.inTheWay()), mayMove - size, below - target.chips());
      trial.takeBack(target);
      if (more != NONE && target.chips() + more < below) {
        best = target.chips() + more;
        below = best;
      }
      // Without a swap the result cannot get below 0, and all free aligned blocks are alike.
      done = best == 0 || (aligned && size == 0);
    }
  }
}
