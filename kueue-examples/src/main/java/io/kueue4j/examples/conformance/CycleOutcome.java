package io.kueue4j.examples.conformance;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.SortedMap;

/**
 * The decisions of one cycle, and the queues after it.
 *
 * @param assigned new and changed admissions, by workload
 * @param preempted the reasons of preemptions, by workload
 * @param evicted the reasons of evictions, including preemptions, by workload
 * @param pending the workloads that the next cycles try, sorted, by ClusterQueue
 * @param inadmissible the workloads that wait for a change, sorted, by ClusterQueue
 */
record CycleOutcome(
    SortedMap<String, Assigned> assigned,
    SortedMap<String, String> preempted,
    SortedMap<String, String> evicted,
    SortedMap<String, List<String>> pending,
    SortedMap<String, List<String>> inadmissible) {

  /** The assignment of a workload. */
  record Assigned(String clusterQueue, ImmutableList<AssignedPodSet> podSets) {}

  /**
   * The assignment of a pod set.
   *
   * @param name the pod set
   * @param count the number of pods
   * @param flavors the flavor of each resource
   * @param usage the usage of each resource
   * @param levels the levels that domains are named by, empty without topology
   * @param topology the domains of the pods
   * @param delayed the state of a delayed placement, empty without one
   */
  record AssignedPodSet(
      String name,
      int count,
      SortedMap<String, String> flavors,
      SortedMap<String, Long> usage,
      List<String> levels,
      List<StepOutcome.Domain> topology,
      String delayed) {
    @Override
    public String toString() {
      return name + " x " + count + " " + flavors + " uses " + usage
          + (levels.isEmpty() ? "" : " " + levels + " " + topology)
          + (delayed.isEmpty() ? "" : " delayed topology " + delayed);
    }
  }

  /** {@return everything that is compared, one fact per line} */
  ImmutableList<String> lines() {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    assigned.forEach((workload, admission) -> lines.add("assigned " + workload + " by "
        + admission.clusterQueue + ": "
        + String.join(", ", admission.podSets.stream().map(Object::toString).toList())));
    preempted.forEach(
        (workload, reason) -> lines.add("preempted " + workload + " (" + reason + ")"));
    evicted.forEach((workload, reason) -> lines.add("evicted " + workload + " (" + reason + ")"));
    add("pending", pending, lines);
    add("inadmissible", inadmissible, lines);
    return lines.build();
  }

  private static void add(
      String state, SortedMap<String, List<String>> queues, ImmutableList.Builder<String> lines) {
    queues.forEach((queue, workloads) ->
        workloads.forEach(workload -> lines.add(state + " " + workload + " in " + queue)));
  }
}
