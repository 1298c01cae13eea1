package io.kueue4j.core.testkit.reference;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Validates workloads and admissions.
 *
 * <p>Rules: M-25, M-26, M-27, M-28, M-29, M-30, M-31.
 */
final class Validation {
  private Validation() {}

  static boolean isValid(Specs specs, Workload workload) {
    return specs.settings().violations(workload).isEmpty();
  }

  /** M-30. */
  static boolean mayReclaim(Workload workload, Map<String, Integer> reclaimable) {
    return reclaimable.entrySet().stream()
        .allMatch(entry -> workload.podSets().stream()
            .anyMatch(podSet -> podSet.name().equals(entry.getKey())
                && entry.getValue() >= 0
                && (entry.getValue() <= podSet.count() || workload.elastic())));
  }

  /** M-30: whether so many pods may be reclaimable from now on while quota is reserved. */
  static boolean mayReclaim(Job job, Admission admission, Map<String, Integer> reclaimable) {
    return job.reclaimable().entrySet().stream()
        .allMatch(old -> reclaimable.getOrDefault(old.getKey(), 0) >= old.getValue()
            || (job.isSlice()
                && job.workload().elastic()
                && admission.podSetAssignments().stream()
                    .anyMatch(assignment -> assignment.name().equals(old.getKey())
                        && count(job.workload(), old.getKey()) < assignment.count())));
  }

  /** M-29: what may change while quota is reserved. */
  static boolean mayChange(
      Workload reserving, Workload changed, boolean isSlice, boolean isAdmitted) {
    return (reserving.podSets().equals(changed.podSets())
            || (isSlice && isScaledDown(reserving.podSets(), changed.podSets())))
        && reserving.queueName().equals(changed.queueName())
        && (!isAdmitted || reserving.maximumExecutionTime().equals(changed.maximumExecutionTime()))
        && reserving.priorityClass().isPresent() == changed.priorityClass().isPresent();
  }

  private static int count(Workload workload, String podSet) {
    return workload.podSets().stream()
        .filter(each -> each.name().equals(podSet))
        .mapToInt(PodSet::count)
        .sum();
  }

  /** E-1. */
  private static boolean isScaledDown(List<PodSet> old, List<PodSet> changed) {
    return old.size() == changed.size()
        && IntStream.range(0, old.size())
            .allMatch(i -> changed.get(i).count() <= old.get(i).count()
                && PodSet.builder()
                    .from(changed.get(i))
                    .count(old.get(i).count())
                    .build()
                    .equals(old.get(i)));
  }

  /** M-31. */
  static void checkRestorable(Specs specs, Workload workload, Admission admission) {
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected %s",
        admission.workload(),
        workload.id());
    List<Violation> violations = specs.settings().violations(workload);
    checkArgument(violations.isEmpty(), "%s", violations);
    checkArgument(
        specs.hasQueue(admission.clusterQueue()),
        "ClusterQueue %s does not exist; apply it first",
        admission.clusterQueue());
    List<String> expected =
        workload.podSets().stream().map(PodSet::name).sorted().collect(toImmutableList());
    List<String> given = admission.podSetAssignments().stream()
        .map(PodSetAssignment::name)
        .sorted()
        .collect(toImmutableList());
    checkArgument(
        given.equals(expected), "the admission has the pod sets %s, expected %s", given, expected);
    admission.podSetAssignments().forEach(Validation::checkAssignment);
  }

  private static void checkAssignment(PodSetAssignment assignment) {
    int count = assignment.count();
    checkArgument(
        count >= 0, "pod set %s has %s pods, expected 0 or more", assignment.name(), count);
    assignment.resourceUsage().forEach((resource, amount) -> {
      checkArgument(
          amount >= 0 && (count == 0 || amount % count == 0 || Amount.isUnlimited(amount)),
          "pod set %s has %s of %s, expected a multiple of its %s pods",
          assignment.name(),
          amount,
          resource,
          count);
      checkArgument(
          assignment.flavors().containsKey(resource),
          "pod set %s has %s of no flavor",
          assignment.name(),
          resource);
    });
  }
}
