package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.quota.Footprint.PlacedSlice;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.TpuSliceHoldings;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Checks the invariants of workloads that hold quota, whether admitted here or restored.
 *
 * <p>Rules: M-29, M-30, M-31, E-1, TPU-F-22.
 */
final class ReservedWorkloads {
  private ReservedWorkloads() {}

  /**
   * {@return the rules that replacing the workload of {@code record} by {@code next} breaks, empty
   * if it is allowed}
   *
   * @param admission the admission of the workload
   * @param isSlice whether {@code next} is an elastic slice, which may be scaled down
   */
  static ImmutableList<Reason> brokenByUpdate(
      WorkloadRecord record, CompiledWorkload next, Admission admission, boolean isSlice) {
    Workload old = record.workload();
    Workload changed = next.source();
    List<String> broken = new ArrayList<>();
    boolean mayShrink = isSlice && old.elastic() && changed.elastic();
    if (old.elastic() != changed.elastic()) {
      broken.add("elastic cannot change while quota is reserved");
    }
    if (!old.podSets().equals(mayShrink ? unshrunk(changed, old) : changed.podSets())) {
      broken.add(
          mayShrink
              ? "podSets cannot change while quota is reserved, except to fewer pods; for more,"
                  + " submit a workload that replaces this one"
              : "podSets cannot change while quota is reserved");
    }
    if (!old.queueName().equals(changed.queueName())) {
      broken.add("queueName cannot change while quota is reserved");
    }
    if (old.priorityClass().isPresent() != changed.priorityClass().isPresent()) {
      broken.add("priorityClass cannot be set or removed while quota is reserved");
    }
    if (record.lifecycle().isAdmitted()
        && !old.maximumExecutionTime().equals(changed.maximumExecutionTime())) {
      broken.add("maximumExecutionTime cannot change while admitted");
    }
    record.compiled().reclaimablePods().forEach((podSet, count) -> {
      boolean shrank = isBelow(admission, changed, podSet);
      if (!shrank && next.reclaimablePods().getOrDefault(podSet, 0) < count) {
        broken.add("reclaimablePods of " + podSet + " cannot shrink while quota is reserved");
      }
    });
    return broken.stream()
        .map(rule -> Reason.of(ReasonCode.INVALID, rule))
        .collect(toImmutableList());
  }

  /** {@return the pod sets of {@code changed}, each with the larger count of the two versions} */
  private static ImmutableList<PodSet> unshrunk(Workload changed, Workload old) {
    ImmutableList.Builder<PodSet> podSets = ImmutableList.builder();
    for (int i = 0; i < changed.podSets().size(); i++) {
      PodSet podSet = changed.podSets().get(i);
      int count = i < old.podSets().size() ? old.podSets().get(i).count() : 0;
      podSets.add(
          podSet.count() < count ? PodSet.builder().from(podSet).count(count).build() : podSet);
    }
    return podSets.build();
  }

  /** {@return whether a pod set has fewer pods than it was admitted with} */
  private static boolean isBelow(Admission admission, Workload workload, String podSet) {
    return admission.podSetAssignments().stream()
        .filter(admitted -> admitted.name().equals(podSet))
        .anyMatch(admitted -> workload.podSets().stream()
            .anyMatch(now -> now.name().equals(podSet) && now.count() < admitted.count()));
  }

  /**
   * Checks that an admission has a matching assignment for each pod set of a workload.
   *
   * @throws IllegalArgumentException if it does not
   */
  static void checkAssignments(Workload workload, Admission admission) {
    List<String> expected =
        workload.podSets().stream().map(PodSet::name).sorted().toList();
    List<String> given = admission.podSetAssignments().stream()
        .map(PodSetAssignment::name)
        .sorted()
        .toList();
    checkArgument(
        given.equals(expected),
        "the admission of workload %s has the pod sets %s, expected %s",
        workload.id(),
        given,
        expected);
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      checkArgument(
          assignment.count() >= 0,
          "pod set %s is admitted with %s pods, expected 0 or more",
          assignment.name(),
          assignment.count());
      assignment.resourceUsage().forEach((resource, amount) -> {
        checkArgument(
            amount >= 0
                && (assignment.count() == 0
                    || amount % assignment.count() == 0
                    || Amount.isUnlimited(amount)),
            "pod set %s is admitted with %s of %s, expected a multiple of its %s pods",
            assignment.name(),
            amount,
            resource,
            assignment.count());
        checkArgument(
            assignment.flavors().containsKey(resource),
            "pod set %s is admitted with %s of no flavor",
            assignment.name(),
            resource);
      });
    }
  }

  /**
   * Checks that the TPU slices of an admission are free and match those that the workload requests.
   *
   * @throws IllegalArgumentException if they are not
   */
  static void checkSlices(EngineState state, Workload workload, Admission admission) {
    checkSlices(state, workload, admission, PoolSetState::problem);
  }

  /**
   * Checks that the TPU slices of a later admission match those that the workload requests; others
   * may have them until then.
   *
   * @throws IllegalArgumentException if they do not, or their pools do not exist
   */
  static void checkPromisedSlices(EngineState state, Workload workload, Admission admission) {
    checkSlices(state, workload, admission, PoolSetState::absence);
  }

  private static void checkSlices(
      EngineState state,
      Workload workload,
      Admission admission,
      BiFunction<PoolSetState, SlicePlacement, Optional<String>> problems) {
    for (PodSet podSet : workload.podSets()) {
      admission.podSetAssignments().stream()
          .filter(assignment -> assignment.name().equals(podSet.name()))
          .forEach(assignment -> checkAsked(state, podSet, assignment));
    }
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (PlacedSlice part : TpuSliceHoldings.slices(admission, podSet)) {
        PoolSetState pools = state
            .fleets()
            .state(part.poolSet())
            .orElseThrow(() -> new IllegalArgumentException(
                "pod set %s has slices of TpuPoolSet %s, which does not exist; apply it first"
                    .formatted(podSet.name(), part.poolSet())));
        Optional<String> problem = problems.apply(pools, part.slice().placement());
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

  private static void checkAsked(EngineState state, PodSet podSet, PodSetAssignment assignment) {
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
    Map<List<Object>, SliceAssignment> byHost = new HashMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (SliceAssignment slice : podSet.slices()) {
        for (Integer host : slice.placement().hosts()) {
          SliceAssignment other =
              byHost.putIfAbsent(List.of(slice.poolSet(), slice.pool(), host), slice);
          checkArgument(
              other == null, "the admission has slices that share hosts: %s and %s", other, slice);
        }
      }
    }
  }
}
