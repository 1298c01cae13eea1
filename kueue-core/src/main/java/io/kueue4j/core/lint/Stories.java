package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says in words what became of workloads in a play. */
final class Stories {
  private Stories() {}

  /** {@return the flavors of each pod set by resource} */
  static List<Map<String, String>> flavors(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(PodSetAssignment::flavors)
        .collect(toImmutableList());
  }

  /** {@return what became of a workload} */
  static String line(
      Workload workload,
      Optional<Admission> admission,
      List<Reason> reasons,
      Optional<WorkloadId> preemptor) {
    String end = admission
        .map(found -> "gets quota" + on(found) + " of ClusterQueue " + found.clusterQueue())
        .orElseGet(() -> reasons.isEmpty()
            ? "is refused"
            : "waits: " + reasons.stream().map(Reason::message).collect(joining("; ")));
    return describe(workload)
        + preemptor.map(other -> " is preempted by " + other + " and ").orElse(" ")
        + end;
  }

  /** {@return where a workload waits, and what it requests} */
  static String describe(Workload workload) {
    String requests = workload.totalRequests().entrySet().stream()
        .map(each -> each.getKey() + " " + Quantity.format(each.getKey(), each.getValue()))
        .collect(joining(", "));
    int pods = workload.podSets().stream().mapToInt(PodSet::count).sum();
    return workload.id() + " in LocalQueue " + workload.queueName()
        + (workload.priority() == 0 ? "" : " with priority " + workload.priority())
        + " (" + (requests.isEmpty() ? "pods " + pods : requests) + ")";
  }

  private static String on(Admission admission) {
    String flavors = String.join(", ", admission.flavors());
    return flavors.isEmpty() ? "" : " in flavor " + flavors;
  }
}
