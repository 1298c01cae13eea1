package io.kueue4j.examples.conformance;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TopologyAssignment;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of one step.
 *
 * @param finished the workloads that finished, in that order
 * @param cycles the results of the cycles
 * @param pending the workloads that the next cycles try, sorted, by ClusterQueue
 * @param inadmissible the workloads that wait for a change, sorted, by ClusterQueue
 */
record StepOutcome(
    List<String> finished,
    List<Cycle> cycles,
    SortedMap<String, List<String>> pending,
    SortedMap<String, List<String>> inadmissible) {

  /**
   * The result of one cycle.
   *
   * @param admitted the admitted workloads, sorted by name
   * @param preempted the preempted workloads, sorted by name
   */
  record Cycle(List<Admitted> admitted, List<Preempted> preempted) {
    boolean isEmpty() {
      return admitted.isEmpty() && preempted.isEmpty();
    }
  }

  /** A workload that was admitted. */
  record Admitted(String workload, String clusterQueue, List<AdmittedPodSet> podSets) {}

  /** The assignment of a pod set; levels and topology are empty if no topology was requested. */
  record AdmittedPodSet(
      String name,
      int count,
      SortedMap<String, String> flavors,
      List<String> levels,
      List<Domain> topology) {}

  /** The number of pods in a domain. */
  record Domain(List<String> values, int count) {
    /** {@return the domains of an assignment} */
    static ImmutableList<Domain> of(TopologyAssignment assignment) {
      return assignment.domains().stream()
          .map(domain -> new Domain(domain.values(), domain.count()))
          .collect(toImmutableList());
    }

    @Override
    public String toString() {
      return String.join("/", values) + ":" + count;
    }
  }

  /** A workload that was preempted. */
  record Preempted(String workload, String by, String reason) {}

  /** {@return this outcome without trailing empty cycles, which do not count} */
  StepOutcome trimmed() {
    int end = cycles.size();
    while (end > 0 && cycles.get(end - 1).isEmpty()) {
      end--;
    }
    return new StepOutcome(finished, cycles.subList(0, end), pending, inadmissible);
  }
}
