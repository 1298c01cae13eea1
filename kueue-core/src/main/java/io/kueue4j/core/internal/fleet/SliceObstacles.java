package io.kueue4j.core.internal.fleet;

import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether pods can use the TPU pools of a flavor at all, regardless of free room.
 *
 * <p>Rules: TPU-F-6, TPU-U-19, TPU-F-22.
 */
public final class SliceObstacles {
  private SliceObstacles() {}

  /** {@return the obstacle, null if there is none} */
  public static @Nullable ReasonCode of(
      Fleets fleets, String flavor, CompiledGroup group, CompiledPodSet podSet, ResourceName tpu) {
    SliceRequest request = podSet.sliceRequest();
    if (request == null) {
      return fleets.hasPools(flavor) && chips(podSet.source()) > 0
          ? ReasonCode.FLAVOR_WITH_TPU_POOLS
          : null;
    }
    if (!fleets.hasPools(flavor)) {
      return group.covers(tpu) ? ReasonCode.FLAVOR_WITHOUT_TPU_POOLS : null;
    }
    PoolSetState state = fleets.stateOf(flavor);
    if (state == null) {
      return ReasonCode.FLAVOR_WITHOUT_TPU_POOLS;
    }
    return problem(state, podSet.source(), request) != null ? ReasonCode.SLICE_NOT_OFFERED : null;
  }

  /** {@return the obstacle in words, for the present pools} */
  public static String describe(ReasonCode code, @Nullable PoolSetState state, PodSet podSet) {
    if (code == ReasonCode.FLAVOR_WITH_TPU_POOLS) {
      return "gives its TPU chips as slices, and the pods ask for none";
    }
    String problem = code != ReasonCode.SLICE_NOT_OFFERED || state == null
        ? null
        : podSet.sliceRequest().map(request -> problem(state, podSet, request)).orElse(null);
    return problem == null ? "has no TPU pools to give slices of" : problem;
  }

  private static long chips(PodSet podSet) {
    return podSet.podRequests().orElse(podSet.requests()).getOrDefault(ResourceNames.TPU, 0L);
  }

  private static @Nullable String problem(PoolSetState state, PodSet podSet, SliceRequest request) {
    TpuPool pool = state.fleet().pools().get(0);
    String first = null;
    for (SliceShape shape : request.shapes()) {
      String problem = request.problem(pool.generation(), shape).orElse(null);
      if (problem == null) {
        if (state.hasOtherSlicesOnly(request)) {
          return "no slice %s: the pools of pool set %s are one slice each, of %s"
              .formatted(
                  shape,
                  state.source().name(),
                  state.fleet().pools().stream().map(TpuPool::chips).distinct().toList());
        }
        int perHost = pool.hostBox().chips();
        return chips(podSet) == perHost
            ? null
            : "pods of %d chips, but the hosts of pool set %s have %d; expected pods of %d"
                .formatted(chips(podSet), state.source().name(), perHost, perHost);
      }
      first = first == null ? problem : first;
    }
    return first;
  }
}
