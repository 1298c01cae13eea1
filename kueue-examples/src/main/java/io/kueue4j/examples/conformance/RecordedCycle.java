package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.InputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of Kueue before and after one cycle of its scheduler: one line of a file
 * {@link RecordedFile#OUTCOMES}.
 *
 * @param test the name of the scenario
 * @param panic the message of a crash of Kueue, null if it did not crash
 * @param afs the admission fair sharing that Kueue ran with, null if it had none, whatever the
 *     scenario says
 * @param pre the state before the cycle, null after a crash
 * @param post the state after the cycle, null after a crash
 */
record RecordedCycle(
    @JsonProperty(required = true) String test,
    @Nullable String panic,
    @Nullable UsageSharing afs,
    @Nullable State pre,
    @Nullable State post) {

  /**
   * Admission fair sharing.
   *
   * @param usageHalfLifeTime the half-life of past usage, in Go's notation of durations
   * @param usageSamplingInterval the time between two samples, null for the default
   * @param resourceWeights the weight of each resource, 1 by default
   */
  record UsageSharing(
      @JsonProperty(required = true) String usageHalfLifeTime,
      @Nullable String usageSamplingInterval,
      Map<String, Double> resourceWeights) {}

  /**
   * A state of Kueue.
   *
   * @param workloads the Workload objects
   * @param cache the workloads with quota, by {@code namespace/name}
   * @param left the workloads that the next cycles try, sorted, by ClusterQueue
   * @param inadmissible the workloads that wait for a change, sorted, by ClusterQueue
   */
  record State(
      List<StoredWorkload> workloads,
      Map<String, Holder> cache,
      SortedMap<String, List<String>> left,
      SortedMap<String, List<String>> inadmissible) {}

  record StoredWorkload(
      @JsonProperty(required = true) Metadata metadata,
      @Nullable Status status) {
    String id() {
      return Objects.requireNonNullElse(metadata.namespace, "default") + "/" + metadata.name;
    }

    /** {@return the condition if it is true} */
    @Nullable
    Condition trueCondition(ConditionType type) {
      return status == null
          ? null
          : Iterables.tryFind(
                  status.conditions,
                  condition ->
                      condition.type.equals(type.toString()) && condition.status.equals("True"))
              .orNull();
    }
  }

  record Metadata(
      @JsonProperty(required = true) String name, @Nullable String namespace) {}

  record Status(List<Condition> conditions) {}

  record Condition(String type, String status, String reason, String message) {}

  record Holder(@JsonProperty(required = true) StoredAdmission admission) {}

  record StoredAdmission(String clusterQueue, List<StoredPodSet> podSetAssignments) {
    CycleOutcome.Assigned toOutcome() {
      return new CycleOutcome.Assigned(
          clusterQueue,
          podSetAssignments.stream()
              .map(StoredPodSet::toOutcome)
              .collect(ImmutableList.toImmutableList()));
    }
  }

  record StoredPodSet(
      String name,
      int count,
      SortedMap<String, String> flavors,
      Map<String, String> resourceUsage,
      @Nullable StoredTopology topologyAssignment,
      @Nullable String delayedTopologyRequest) {
    CycleOutcome.AssignedPodSet toOutcome() {
      SortedMap<String, Long> usage = new TreeMap<>();
      resourceUsage.forEach(
          (resource, text) -> usage.put(resource, Quantity.amount(resource, text)));
      return new CycleOutcome.AssignedPodSet(
          name,
          count,
          ImmutableSortedMap.copyOf(flavors),
          ImmutableSortedMap.copyOf(usage),
          topologyAssignment == null ? ImmutableList.of() : topologyAssignment.levels,
          topologyAssignment == null ? ImmutableList.of() : topologyAssignment.domains(),
          Objects.requireNonNullElse(delayedTopologyRequest, ""));
    }
  }

  record StoredTopology(List<String> levels, List<Slice> slices) {
    ImmutableList<StepOutcome.Domain> domains() {
      return slices.stream()
          .flatMap(slice -> slice.domains().stream())
          .collect(ImmutableList.toImmutableList());
    }
  }

  /** A run of domains that stores their common parts once. */
  record Slice(int domainCount, List<LevelValues> valuesPerLevel, PodCounts podCounts) {
    List<StepOutcome.Domain> domains() {
      List<StepOutcome.Domain> domains = new ArrayList<>();
      List<Integer> counts = podCounts.universal == null
          ? podCounts.individual
          : Collections.nCopies(domainCount, podCounts.universal);
      for (int i = 0; i < domainCount; i++) {
        int index = i;
        domains.add(new StepOutcome.Domain(
            valuesPerLevel.stream().map(values -> values.at(index)).toList(), counts.get(i)));
      }
      return domains;
    }
  }

  record LevelValues(@Nullable String universal, @Nullable IndividualValues individual) {
    String at(int index) {
      return universal == null ? Objects.requireNonNull(individual).at(index) : universal;
    }
  }

  record IndividualValues(@Nullable String prefix, @Nullable String suffix, List<String> roots) {
    String at(int index) {
      return Objects.requireNonNullElse(prefix, "")
          + roots.get(index)
          + Objects.requireNonNullElse(suffix, "");
    }
  }

  record PodCounts(@Nullable Integer universal, List<Integer> individual) {}

  /**
   * {@return the decisions of the cycle}
   *
   * @throws InputException if Kueue crashed, or a state is missing
   */
  CycleOutcome outcome() {
    if (pre == null || post == null) {
      throw new InputException("pre and post: missing; expected the states around the cycle");
    }
    Map<String, Holder> held = pre.cache;
    SortedMap<String, CycleOutcome.Assigned> assigned = new TreeMap<>();
    post.cache.forEach((id, holder) -> {
      CycleOutcome.Assigned now = holder.admission.toOutcome();
      Holder before = held.get(id);
      if (before == null || !before.admission.toOutcome().equals(now)) {
        assigned.put(id, now);
      }
    });
    return new CycleOutcome(
        assigned,
        stopped(pre, post, ConditionType.PREEMPTED),
        stopped(pre, post, ConditionType.EVICTED),
        post.left,
        post.inadmissible);
  }

  /** {@return whether Kueue preempted any workload} */
  boolean hasPreemption() {
    return pre != null
        && post != null
        && !stopped(pre, post, ConditionType.PREEMPTED).isEmpty();
  }

  /** {@return the reasons of conditions that have become true or have changed, by workload} */
  private static SortedMap<String, String> stopped(State pre, State post, ConditionType type) {
    Map<String, StoredWorkload> before =
        pre.workloads.stream().collect(Collectors.toMap(StoredWorkload::id, Function.identity()));
    SortedMap<String, String> reasons = new TreeMap<>();
    for (StoredWorkload workload : post.workloads) {
      StoredWorkload old = before.get(workload.id());
      Condition condition = workload.trueCondition(type);
      if (condition != null && !condition.equals(old == null ? null : old.trueCondition(type))) {
        reasons.put(workload.id(), condition.reason);
      }
    }
    return reasons;
  }
}
