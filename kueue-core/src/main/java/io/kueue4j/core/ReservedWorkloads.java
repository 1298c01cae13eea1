package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;

/**
 * What must be true of workloads that hold quota, whoever admitted them.
 *
 * <p>Rules: M-29 … M-31.
 */
final class ReservedWorkloads {
  private ReservedWorkloads() {}

  /**
   * {@return the rules that replacing {@code old} by {@code changed} breaks, none if it may be}
   *
   * @param admitted whether it may run already
   */
  static ImmutableList<Reason> brokenByUpdate(Workload old, Workload changed, boolean admitted) {
    ImmutableList.Builder<Reason> broken = ImmutableList.builder();
    if (!old.podSets().equals(changed.podSets())) {
      broken.add(Reason.of(ReasonCode.INVALID, "podSets cannot change while quota is reserved"));
    }
    if (!old.queueName().equals(changed.queueName())) {
      broken.add(Reason.of(ReasonCode.INVALID, "queueName cannot change while quota is reserved"));
    }
    if (old.priorityClass().isPresent() != changed.priorityClass().isPresent()) {
      broken.add(Reason.of(
          ReasonCode.INVALID, "priorityClass cannot be set or removed while quota is reserved"));
    }
    if (admitted && !old.maximumExecutionTime().equals(changed.maximumExecutionTime())) {
      broken.add(
          Reason.of(ReasonCode.INVALID, "maximumExecutionTime cannot change while admitted"));
    }
    old.reclaimablePods().forEach((podSet, count) -> {
      if (changed.reclaimablePods().getOrDefault(podSet, 0) < count) {
        broken.add(Reason.of(
            ReasonCode.INVALID,
            "reclaimablePods of " + podSet + " cannot shrink while quota is reserved"));
      }
    });
    return broken.build();
  }

  /**
   * Checks that an admission says of each pod set of a workload what it holds.
   *
   * @throws IllegalArgumentException if it does not
   */
  static void checkAssignments(Workload workload, Admission admission) {
    ImmutableList<String> expected = workload.podSets().stream()
        .map(podSet -> podSet.name())
        .sorted()
        .collect(toImmutableList());
    ImmutableList<String> given = admission.podSetAssignments().stream()
        .map(PodSetAssignment::name)
        .sorted()
        .collect(toImmutableList());
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
}
