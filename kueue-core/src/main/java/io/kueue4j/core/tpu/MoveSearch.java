package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fewest moves that make room, of as few those with the fewest chips. The request's slices are
 * put where few slices are in the way; those are placed anew, the largest first, where they may put
 * others out in turn; all as long as no more are moved than allowed.
 *
 * <p>What is put out goes to the free place that the objective likes best, if there is one. Among
 * aligned blocks any other free place would do no better (TPU-F-13); where slices are not aligned
 * the other free places are tried too, up to a number of steps.
 *
 * <p>Rules: TPU-F-19.
 */
final class MoveSearch {
  /** Steps before giving up. */
  static final int NODES = 20_000;

  private static final Comparator<TpuSlice> LARGEST_FIRST = Comparator.<TpuSlice>comparingInt(
          slice -> -slice.placement().shape().chips())
      .thenComparing(TpuSlice::id);

  private final SliceFitter fitter;
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final int maxMoves;
  private final String keptId;
  private final boolean aligned;
  private int nodesLeft = NODES;
  private int limit;
  private long bestChips;
  private @Nullable Defragmentation best;
  private final List<SliceMove> moves = new ArrayList<>();
  private final List<SlicePlacement> kept = new ArrayList<>();

  MoveSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    this.maxMoves = maxMoves;
    this.bestChips = maxChips + 1L;
    this.aligned = fleet.layouts().stream().allMatch(PoolLayout::isAligned);
    this.keptId = fleet.unusedPrefix();
  }

  Optional<Defragmentation> first() {
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      return Optional.of(new Defragmentation(ImmutableList.of(), fit.slices()));
    }
    long movable = fleet.slices().stream().filter(TpuSlice::movable).count();
    for (limit = 1; limit <= Math.min(maxMoves, movable) && best == null; limit++) {
      for (SliceShape shape : request.shapes()) {
        if (request.problem(fleet.generation(), shape).isEmpty()) {
          placeNew(fleet, request.withShapes(List.of(shape)), new ArrayList<>());
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static int chips(Iterable<TpuSlice> slices) {
    int chips = 0;
    for (TpuSlice slice : slices) {
      chips += slice.placement().shape().chips();
    }
    return chips;
  }

  private boolean isAllowed(List<TpuSlice> out) {
    return moves.size() + out.size() <= limit
        && movedChips() + chips(out) < bestChips
        && nodesLeft > 0;
  }

  private int movedChips() {
    return chips(Iterables.transform(moves, SliceMove::slice));
  }

  /** What has been put somewhere stays there. */
  private boolean mayMove(TpuSlice slice) {
    return slice.movable()
        && !slice.id().startsWith(keptId)
        && moves.stream().noneMatch(move -> move.slice().id().equals(slice.id()));
  }

  /** Puts the request's next slice somewhere, then those that it puts out. */
  private void placeNew(TpuFleet now, SliceRequest one, List<TpuSlice> out) {
    if (kept.size() == request.count()) {
      placeOut(now, out);
      return;
    }
    nodesLeft--;
    int mostMore = limit - out.size();
    for (Window window : MoveTargets.of(now, one, mostMore, this::mayMove)) {
      List<TpuSlice> more = new ArrayList<>(out);
      more.addAll(window.inTheWay());
      if (isAllowed(more) && isInScope(window.placement())) {
        TpuFleet after = without(now, window.inTheWay());
        kept.add(window.placement());
        TpuSlice placed = TpuSlice.of(keptId + kept.size(), window.placement());
        placeNew(after.allocate(placed), one, more);
        kept.remove(kept.size() - 1);
      }
    }
  }

  /** Equal slices are put in ascending order, as their order does not matter. */
  private boolean isInScope(SlicePlacement place) {
    if (kept.isEmpty()) {
      return true;
    }
    TpuPool pool = place.pool();
    SlicePlacement last = kept.get(kept.size() - 1);
    int byPool = pool.id().compareTo(last.pool().id());
    boolean ascends = byPool > 0 || (byPool == 0 && place.origin() > last.origin());
    return ascends
        && switch (request.scope()) {
          case ANY -> true;
          case SAME_POOL -> byPool == 0;
          case SAME_FABRIC -> pool.fabric().equals(last.pool().fabric());
          case SPREAD ->
            kept.stream().filter(each -> each.pool().equals(pool)).count() < request.maxPerPool();
        };
  }

  private static TpuFleet without(TpuFleet fleet, List<TpuSlice> slices) {
    TpuFleet left = fleet;
    for (TpuSlice slice : slices) {
      left = left.release(slice.id());
    }
    return left;
  }

  /** Finds a new place for the largest of those that are out, then for the others. */
  private void placeOut(TpuFleet now, List<TpuSlice> out) {
    if (out.isEmpty()) {
      best = new Defragmentation(MoveOrder.of(moves), ImmutableList.copyOf(kept));
      bestChips = movedChips();
      return;
    }
    nodesLeft--;
    TpuSlice slice = out.stream().min(LARGEST_FIRST).orElseThrow();
    List<TpuSlice> rest = new ArrayList<>(out);
    rest.remove(slice);
    SliceRequest again = SliceRequest.of(slice.placement().shape());
    again = slice.mayTurn() ? again.withTurning() : again;
    SliceFit fit = fitter.fit(now, again);
    if (fit.isPlaced()) {
      moveTo(now, slice, fit.slices().get(0), rest);
    }
    int mostMore = limit - moves.size() - out.size();
    // Another free place would help only others that are out; without one, others must go.
    if (fit.isPlaced() ? aligned || rest.isEmpty() : mostMore == 0) {
      return;
    }
    for (Window window : MoveTargets.of(now, again, mostMore, this::mayMove)) {
      List<TpuSlice> more = new ArrayList<>(rest);
      more.addAll(window.inTheWay());
      // The slice itself counts as moved already.
      if (isAllowedBeside(slice, more) && !isKnown(fit, window) && isWorthwhile(slice, window)) {
        moveTo(without(now, window.inTheWay()), slice, window.placement(), more);
      }
    }
  }

  private boolean isAllowedBeside(TpuSlice slice, List<TpuSlice> more) {
    List<TpuSlice> all = new ArrayList<>(more);
    all.add(slice);
    return isAllowed(all);
  }

  private static boolean isKnown(SliceFit fit, Window window) {
    return fit.slices().contains(window.placement());
  }

  /** Between aligned blocks of one size an exchange gains nothing. */
  private boolean isWorthwhile(TpuSlice slice, Window window) {
    int chips = slice.placement().shape().chips();
    return !aligned
        || window.inTheWay().stream().allMatch(each -> each.placement().shape().chips() < chips);
  }

  private void moveTo(TpuFleet now, TpuSlice slice, SlicePlacement to, List<TpuSlice> out) {
    if (to.equals(slice.placement())) {
      return;
    }
    moves.add(new SliceMove(slice, to, false));
    placeOut(now.allocate(slice.withPlacement(to)), out);
    moves.remove(moves.size() - 1);
  }
}
