package io.kueue4j.core;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import java.time.Instant;
import java.util.Map;

/** Creates recorded admissions of jobs of one pod, with which a {@link Cluster} restores them. */
final class Admissions {
  private Admissions() {}

  /** {@return the admission at {@link Cluster#START} of a job of one pod in the default flavor} */
  static Admission admission(String name, String queue, int cores) {
    return admission(name, queue, Cluster.FLAVOR, cores);
  }

  static Admission admission(String name, String queue, String flavor, int cores) {
    return admission(name, queue, flavor, Map.of("cpu", cores * 1000L), Cluster.START);
  }

  static Admission admission(
      String name, String queue, String flavor, Map<String, Long> usage, Instant reserved) {
    PodSetAssignment.Builder assignment =
        PodSetAssignment.builder().name("main").count(1);
    usage.forEach((resource, amount) ->
        assignment.putFlavors(resource, flavor).resourceUsageAmount(resource, amount));
    return Admission.builder()
        .workload(Cluster.id(name))
        .clusterQueue(queue)
        .quotaReservedTime(reserved)
        .addPodSetAssignments(assignment.build())
        .build();
  }
}
