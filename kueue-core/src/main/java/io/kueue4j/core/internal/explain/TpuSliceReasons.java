package io.kueue4j.core.internal.explain;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SlicePlanner;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;
import java.util.Optional;

/**
 * Completes reasons that concern TPU slices: finds moves that would make room for requests that do
 * not fit, and slices in use that cannot be used any more.
 *
 * <p>Rules: TPU-F-19, TPU-F-22.
 *
 * @param state the state of the engine
 */
record TpuSliceReasons(EngineState state) {
  /** The maximum number of moves; more rarely help. */
  private static final int MAX_MOVES = 2;

  /**
   * {@return the reasons, where reasons of TPU slices that do not fit include moves that would make
   * room}
   */
  List<Reason> withMoves(List<Reason> reasons, Workload workload) {
    return reasons.stream().map(reason -> withMoves(reason, workload)).collect(toImmutableList());
  }

  private Reason withMoves(Reason reason, Workload workload) {
    Optional<SliceRequest> request = workload.podSets().stream()
        .filter(podSet -> reason.podSet().equals(Optional.of(podSet.name())))
        .findFirst()
        .flatMap(PodSet::sliceRequest);
    if (reason.code() != ReasonCode.SLICES_DO_NOT_FIT
        || reason
            .sliceFailure()
            .filter(failure -> failure.constraint() == FitFailure.Constraint.GEOMETRY)
            .isEmpty()
        || request.isEmpty()) {
      return reason;
    }
    List<SliceMove> moves = reason
        .flavor()
        .flatMap(flavor -> Optional.ofNullable(state.fleets().stateOf(flavor)))
        .map(pools -> moves(pools.fleet(), pools.confined(request.get())))
        .orElse(ImmutableList.of());
    return Reason.builder().from(reason).sliceMoves(moves).build();
  }

  /** Places as many TPU slices as fit, then finds moves for one more. */
  private static List<SliceMove> moves(TpuFleet fleet, SliceRequest request) {
    SliceFitter fitter = SliceFitter.create();
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

  /** {@return the reasons why TPU slices of an admission cannot be used} */
  ImmutableList<Reason> unusable(Admission admission) {
    ImmutableList.Builder<Reason> reasons = ImmutableList.builder();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (SliceAssignment slice : podSet.slices()) {
        state
            .fleets()
            .state(slice.poolSet())
            .map(pools -> down(pools.fleet(), slice))
            .orElseGet(() -> Optional.of("TpuPoolSet " + slice.poolSet() + " does not exist"))
            .ifPresent(problem -> reasons.add(Reason.builder()
                .code(ReasonCode.SLICE_UNUSABLE)
                .podSet(podSet.name())
                .detail("slice " + slice + " cannot be used: " + problem)
                .build()));
      }
    }
    return reasons.build();
  }

  private static Optional<String> down(TpuFleet fleet, SliceAssignment slice) {
    Optional<TpuPool> pool =
        fleet.pools().stream().filter(each -> each.id().equals(slice.pool())).findFirst();
    if (pool.isEmpty() || pool.get().hosts() < slice.placement().pool().hosts()) {
      return Optional.of("pool " + slice.pool() + " is not what it was");
    }
    List<String> down = slice.placement().hosts().stream()
        .filter(host -> fleet.health(slice.pool(), host) == HostHealth.DOWN)
        .map(host -> pool.get().nodes().isEmpty()
            ? Integer.toString(host)
            : pool.get().nodes().get(host))
        .toList();
    if (!down.isEmpty()) {
      return Optional.of(
          "host " + String.join(", ", down) + (down.size() > 1 ? " are" : " is") + " down");
    }
    return fleet.partitionsDown(slice.placement()).stream()
        .findFirst()
        .map(partition ->
            "partition " + partition.shape() + " at host " + partition.firstHost() + " is down");
  }
}
