package io.kueue4j.core.internal.explain;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.SliceFigures;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SliceMove;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SlicePlanner;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.Optional;

/**
 * Finds moves of TPU slices that would make room for requests that do not fit.
 *
 * <p>Rules: TPU-F-19.
 */
final class SliceRepairs {
  /** The maximum number of moves; more rarely help. */
  private static final int MAX_MOVES = 2;

  private final EngineState state;
  private final Workload workload;
  private final SliceFitter fitter = SliceFitter.create();

  SliceRepairs(EngineState state, Workload workload) {
    this.state = state;
    this.workload = workload;
  }

  /**
   * {@return the reasons, where reasons of TPU slices that do not fit include moves that would make
   * room}
   */
  ImmutableList<Reason> addTo(ImmutableList<Reason> reasons) {
    return reasons.stream().map(this::add).collect(toImmutableList());
  }

  private Reason add(Reason reason) {
    Optional<SliceFigures> figures = reason.sliceFigures();
    Optional<SliceRequest> request = workload.podSets().stream()
        .filter(podSet -> reason.podSet().equals(Optional.of(podSet.name())))
        .findFirst()
        .flatMap(PodSet::sliceRequest);
    if (reason.code() != ReasonCode.SLICES_DO_NOT_FIT
        || figures.isEmpty()
        || figures.get().failure().constraint() != FitFailure.Constraint.GEOMETRY
        || request.isEmpty()) {
      return reason;
    }
    ImmutableList<SliceMove> moves = reason
        .flavor()
        .flatMap(this::pools)
        .map(pools -> moves(pools.fleet(), pools.confined(request.get())))
        .orElse(ImmutableList.of());
    return Reason.builder()
        .from(reason)
        .sliceFigures(figures.get().withMoves(moves))
        .build();
  }

  private Optional<PoolSetState> pools(String flavor) {
    Fleets fleets = state.fleets();
    String poolSet = fleets.poolSetOf(flavor);
    return poolSet == null ? Optional.empty() : fleets.state(poolSet);
  }

  /** Places as many TPU slices as fit, then finds moves for one more. */
  private ImmutableList<SliceMove> moves(TpuFleet fleet, SliceRequest request) {
    TpuFleet left = fleet;
    for (int i = 0; i < request.count() - 1; i++) {
      Optional<SlicePlacement> place =
          fitter.fit(left, request.withCount(1)).slices().stream().findFirst();
      if (place.isEmpty()) {
        return ImmutableList.of();
      }
      left = left.allocate(TpuSlice.of("trial-" + i, place.get()).withoutMoving());
    }
    return SlicePlanner.using(fitter)
        .defragmentation(left, request.withCount(1), MAX_MOVES, Integer.MAX_VALUE)
        .map(plan -> plan.moves())
        .orElse(ImmutableList.of());
  }
}
