package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the fewest moves that make room; among those, the ones with the fewest chips. The slices of
 * the request take places with few slices in the way. The displaced slices are placed anew, the
 * largest first, and may displace others in turn, up to the allowed number of moves.
 *
 * <p>Among plans with equal moves and chips the first one wins, in this order of places: for the
 * request, and for a slice without a free place, fewest slices in the way, then fewest chips in the
 * way, then pool, cube, orientation and host; for a slice with a free place, the place that the
 * objective prefers, then the others in the same order.
 *
 * <p>Rules: TPU-F-19.
 */
final class MoveSearch {
  /** The maximum number of steps for each number of moves. */
  static final int NODES = 20_000;

  private final SliceFitter fitter;
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final int maxMoves;
  private final String keptId;
  private final boolean aligned;
  private final TrialFleet trial;
  private final MoveCost cost;
  private int limit;
  private long bestChips;
  private ImmutableList<MoveTarget> best = ImmutableList.of();
  private final List<MoveTarget> kept = new ArrayList<>();
  private final List<SliceMove> moves = new ArrayList<>();

  private MoveSearch(
      SliceFitter fitter, TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    this.maxMoves = maxMoves;
    this.bestChips = maxChips + 1L;
    this.aligned = fleet.states().stream().allMatch(state -> state.layout().isAligned());
    this.keptId = fleet.unusedPrefix();
    this.trial = new TrialFleet(fleet, request);
    this.cost = new MoveCost(trial, aligned);
  }

  static Optional<Defragmentation> first(
      SliceFitter fitter, TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    SliceFit fit = fitter.fit(fleet, request);
    return fit.isPlaced()
        ? Optional.of(new Defragmentation(ImmutableList.of(), fit.slices()))
        : new MoveSearch(fitter, fleet, request, maxMoves, maxChips).first();
  }

  private Optional<Defragmentation> first() {
    long movable = fleet.slices().stream().filter(TpuSlice::movable).count();
    for (limit = 1; limit <= Math.min(maxMoves, movable) && best.isEmpty(); limit++) {
      cost.allow(NODES);
      for (SliceShape shape : request.shapes()) {
        if (request.problem(fleet.generation(), shape).isEmpty() && isEnough(shape)) {
          PlaceTable.Key key = PlaceTable.Key.of(shape, request);
          MoveBound bound = new MoveBound(trial, request, key, limit);
          if (bound.all(limit) >= request.count()) {
            placeNew(key, bound, List.of());
          }
        }
      }
    }
    limit--;
    return best.isEmpty() ? Optional.empty() : plan();
  }

  /** Moves free no hosts, so enough hosts must be free already. */
  private boolean isEnough(SliceShape shape) {
    long free = 0;
    for (int pool = 0; pool < trial.pools(); pool++) {
      PoolState state = fleet.state(pool);
      long[] allowed = fleet.state(pool).allowed(request, shape);
      long[] usable = state.usable(shape);
      for (int word = 0; word < allowed.length; word++) {
        long hosts = (allowed[word] | usable[word]) & ~state.occupied()[word];
        free += Long.bitCount(hosts) * (long) state.layout().pool().hostBox().chips();
      }
    }
    return free >= (long) shape.chips() * request.count();
  }

  /** Places the next slice of the request, then the slices that it displaces. */
  private void placeNew(PlaceTable.Key key, MoveBound bound, List<Resident> out) {
    int chips = out.stream().mapToInt(Resident::chips).sum();
    if (kept.size() == request.count()) {
      int below = (int) Math.min(bestChips - chips, MoveCost.NONE);
      int more = cost.least(MoveCost.merged(out, List.of()), limit - out.size(), below);
      if (more < below) {
        best = ImmutableList.copyOf(kept);
        bestChips = (long) chips + more;
      }
      return;
    }
    List<MoveTarget> targets = new ArrayList<>();
    for (int pool = 0; pool < trial.pools(); pool++) {
      long[] allowed = fleet.state(pool).allowed(request, key.shape());
      MoveTargets.add(trial.pool(pool), key, allowed, limit - out.size(), targets);
    }
    targets.sort(MoveTarget.EASIEST);
    for (MoveTarget target : targets) {
      if (chips + target.chips() < bestChips
          && isInScope(target)
          && leavesRoom(bound, target, limit - out.size() - target.inTheWay().size())
          && cost.step()) {
        List<Resident> more = new ArrayList<>(out);
        more.addAll(target.inTheWay());
        trial.put(target);
        kept.add(target);
        placeNew(key, bound, more);
        kept.remove(kept.size() - 1);
        trial.takeBack(target);
      }
    }
  }

  /** Whether the slices still to place can fit into the pool of a target and the later ones. */
  private boolean leavesRoom(MoveBound bound, MoveTarget target, int left) {
    int placed = 1;
    int displaced = target.inTheWay().size();
    for (MoveTarget each : kept) {
      boolean here = each.pool().layout() == target.pool().layout();
      placed += here ? 1 : 0;
      displaced += here ? each.inTheWay().size() : 0;
    }
    int pool = fleet.indexOf(target.pool().layout().pool().id());
    return bound.more(pool, placed, displaced, left) >= request.count() - kept.size() - 1;
  }

  /** Equal slices are placed in ascending order, because their order does not matter. */
  private boolean isInScope(MoveTarget target) {
    if (kept.isEmpty()) {
      return true;
    }
    TpuPool pool = target.pool().layout().pool();
    MoveTarget last = kept.get(kept.size() - 1);
    int byPool = pool.id().compareTo(last.pool().layout().pool().id());
    boolean ascends = byPool > 0 || (byPool == 0 && target.origin() > last.origin());
    return ascends
        && request.allows(
            pool, Lists.transform(kept, each -> each.pool().layout().pool()));
  }

  /** {@return the plan found} */
  private Optional<Defragmentation> plan() {
    TpuFleet now = fleet;
    List<Resident> out = new ArrayList<>();
    ImmutableList.Builder<SlicePlacement> placements = ImmutableList.builder();
    for (int i = 0; i < best.size(); i++) {
      MoveTarget target = best.get(i);
      SlicePlacement placement = target.placement();
      trial.put(target);
      now = without(now, target).allocate(TpuSlice.of(keptId + i, placement));
      out.addAll(target.inTheWay());
      placements.add(placement);
    }
    int chips = (int) bestChips - out.stream().mapToInt(Resident::chips).sum();
    List<Resident> ordered = MoveCost.merged(out, List.of());
    return placeOut(now, ordered, limit - out.size(), chips)
        ? Optional.of(new Defragmentation(MoveOrder.of(moves), placements.build()))
        : Optional.empty();
  }

  private static TpuFleet without(TpuFleet fleet, MoveTarget target) {
    TpuFleet left = fleet;
    for (Resident resident : target.inTheWay()) {
      left = left.release(resident.slice().id());
    }
    return left;
  }

  /** Finds a new place for the largest displaced slice, then for the others. */
  private boolean placeOut(TpuFleet now, List<Resident> out, int most, int chips) {
    if (out.isEmpty()) {
      return true;
    }
    Resident first = out.get(0);
    List<Resident> rest = out.subList(1, out.size());
    if (trial.hasRoom(first)) {
      for (SlicePlacement free : fitter.fit(now, first.again()).slices()) {
        TrialPool pool = trial.pool(fleet.indexOf(free.pool().id()));
        if (moveTo(now, first, MoveTarget.ofFree(pool, free), rest, most, chips)) {
          return true;
        }
      }
    }
    List<MoveTarget> targets = new ArrayList<>();
    for (int index = 0; index < trial.pools(); index++) {
      TrialPool pool = trial.pool(index);
      if (trial.mayGoTo(pool, first)) {
        long[] usable = pool.state().usable(first.key().shape());
        MoveTargets.add(pool, first.key(), usable, most, targets);
      }
    }
    targets.sort(MoveTarget.EASIEST);
    for (MoveTarget target : targets) {
      if (target.chips() <= chips && moveTo(now, first, target, rest, most, chips)) {
        return true;
      }
    }
    return false;
  }

  /** Moves a slice to a place if the rest can be solved then. */
  private boolean moveTo(
      TpuFleet now, Resident first, MoveTarget target, List<Resident> rest, int most, int chips) {
    List<Resident> out = MoveCost.merged(rest, target.inTheWay());
    int left = most - target.inTheWay().size();
    trial.put(target);
    if (isPossible(out, left, chips - target.chips())) {
      SlicePlacement to = target.placement();
      moves.add(new SliceMove(first.slice(), to, false));
      TpuFleet after = without(now, target).allocate(first.slice().withPlacement(to));
      return placeOut(after, out, left, chips - target.chips());
    }
    trial.takeBack(target);
    return false;
  }

  private boolean isPossible(List<Resident> out, int most, int chips) {
    cost.allow(NODES);
    return cost.least(out, most, chips + 1) <= chips;
  }
}
