package io.kueue4j.core.internal.explain;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fleet.PlacedSlices;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.TpuSliceHoldings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.List;
import java.util.Optional;

/**
 * Checks the TPU slices of admissions against the TPU pools of an engine.
 *
 * <p>Rules: TPU-F-22.
 */
public final class TpuSliceChecks {
  private final EngineState state;

  public TpuSliceChecks(EngineState state) {
    this.state = state;
  }

  /**
   * Checks that the TPU slices of an admission are free and match those that the workload requests.
   *
   * @throws IllegalArgumentException if they are not
   */
  public void checkFree(Workload workload, Admission admission) {
    for (PodSet podSet : workload.podSets()) {
      admission.podSetAssignments().stream()
          .filter(assignment -> assignment.name().equals(podSet.name()))
          .forEach(assignment -> checkAsked(podSet, assignment));
    }
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (PlacedSlices.Part part : TpuSliceHoldings.parts(admission, podSet)) {
        PoolSetState pools = state
            .fleets()
            .state(part.poolSet())
            .orElseThrow(() -> new IllegalArgumentException(
                "pod set %s has slices of TpuPoolSet %s, which does not exist; apply it first"
                    .formatted(podSet.name(), part.poolSet())));
        Optional<String> problem = pools.problem(part.slice().placement());
        checkArgument(
            problem.isEmpty(),
            "slice %s at host %s of pool %s cannot be taken up: %s",
            part.slice().id(),
            part.slice().placement().origin(),
            part.slice().placement().pool().id(),
            problem.orElse(""));
      }
    }
    checkApart(admission);
  }

  private void checkAsked(PodSet podSet, PodSetAssignment assignment) {
    boolean givesSlices =
        assignment.flavors().values().stream().anyMatch(flavor -> state.fleets().hasPools(flavor));
    int expected = givesSlices ? podSet.sliceRequest().map(SliceRequest::count).orElse(0) : 0;
    checkArgument(
        assignment.slices().size() == expected,
        "the admission gives pod set %s %s slices, expected %s",
        podSet.name(),
        assignment.slices().size(),
        podSet
            .sliceRequest()
            .filter(unused -> expected > 0)
            .map(request -> expected + " of " + request.shapes().get(0))
            .orElse("none"));
    for (SliceAssignment slice : assignment.slices()) {
      checkArgument(
          podSet
              .sliceRequest()
              .filter(request -> request.shapes().contains(slice.placement().shape()))
              .isPresent(),
          "the admission gives pod set %s a slice %s, which it does not ask for",
          podSet.name(),
          slice.placement().shape());
    }
  }

  private static void checkApart(Admission admission) {
    List<SliceAssignment> slices = admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.slices().stream())
        .toList();
    for (int i = 0; i < slices.size(); i++) {
      for (int j = 0; j < i; j++) {
        SliceAssignment one = slices.get(j);
        SliceAssignment other = slices.get(i);
        checkArgument(
            !one.poolSet().equals(other.poolSet())
                || !one.pool().equals(other.pool())
                || one.placement().hosts().stream()
                    .noneMatch(host -> other.placement().hosts().contains(host)),
            "the admission has slices that share hosts: %s and %s",
            one,
            other);
      }
    }
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
        .mapToObj(host -> pool.get().nodes().isEmpty()
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
