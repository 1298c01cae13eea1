package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code Workload.status}. Rules: M-30, M-31, U-20, L-9. */
final class WorkloadStatusReader {
  private final Fields status;
  private final WorkloadHistoryReader history;
  private Optional<Instant> quotaReservedTime = Optional.empty();
  private Optional<PreemptedCondition> preempted = Optional.empty();
  private boolean evicted;

  WorkloadStatusReader(Fields status, KueueApiVersion version) {
    this.status = status;
    this.history = new WorkloadHistoryReader(version);
  }

  /** Reads the conditions, and returns the admission. */
  Optional<Admission> read(WorkloadId id, Map<String, Integer> counts) {
    readConditions();
    Fields admission = status.object("admission");
    Optional<Admission> result =
        admission.isPresent() ? admission(admission, id, counts) : Optional.empty();
    if (!admission.isPresent() && quotaReservedTime.isPresent()) {
      status.problem(
          "conditions", "QuotaReserved is True but there is no admission; expected both or none");
    }
    status.ignoreAll();
    return result;
  }

  private void readConditions() {
    for (Fields condition : status.objects("conditions")) {
      condition.ignoreAll();
      String type = condition.requiredText("type");
      String state = condition.requiredText("status");
      if (type.equals(ConditionType.QUOTA_RESERVED.toString()) && state.equals("True")) {
        quotaReservedTime = WorkloadReader.time(condition, "lastTransitionTime");
        if (!condition.has("lastTransitionTime")) {
          condition.missing("lastTransitionTime", "when quota was reserved");
        }
      } else if (type.equals(ConditionType.EVICTED.toString()) && state.equals("True")) {
        evicted = true;
      } else if (type.equals(ConditionType.PREEMPTED.toString()) && state.equals("True")) {
        preempted = preempted(condition);
      }
      history.addCondition(type, state, condition);
    }
  }

  private static Optional<PreemptedCondition> preempted(Fields condition) {
    for (String field : ImmutableList.of("reason", "lastTransitionTime")) {
      if (!condition.has(field)) {
        condition.missing(field, "reason and time of the eviction");
      }
    }
    Optional<Instant> time = WorkloadReader.time(condition, "lastTransitionTime");
    return condition
        .choice("reason", Arrays.asList(PreemptionReason.values()))
        .flatMap(reason -> time.map(at -> new PreemptedCondition(reason, at)));
  }

  /** {@return the reason of its eviction, if it is evicted and may still hold its quota} */
  Optional<PreemptedCondition> preempted() {
    return evicted ? preempted : Optional.empty();
  }

  /** {@return the history of the workload} */
  WorkloadStatus status() {
    return history.read(status);
  }

  private Optional<Admission> admission(
      Fields admission, WorkloadId id, Map<String, Integer> counts) {
    Admission.Builder builder =
        Admission.builder().workload(id).clusterQueue(admission.requiredText("clusterQueue"));
    Set<String> assigned = new HashSet<>();
    for (Fields assignment : admission.objects("podSetAssignments")) {
      PodSetAssignment read = assignment(assignment, counts);
      builder.addPodSetAssignments(read);
      if (!counts.containsKey(read.name())) {
        assignment.problem(
            "name",
            "there is no pod set \"" + read.name() + "\"; expected one of " + counts.keySet());
      } else if (!assigned.add(read.name())) {
        assignment.problem("name", "\"" + read.name() + "\" is assigned twice");
      }
    }
    Set<String> missing = Sets.difference(counts.keySet(), assigned);
    if (!missing.isEmpty()) {
      admission.problem("podSetAssignments", "nothing for the pod sets " + missing);
    }
    if (quotaReservedTime.isEmpty()) {
      status.problem(
          "admission", "without a condition QuotaReserved that is True; expected both or none");
    }
    return quotaReservedTime.map(time -> builder.quotaReservedTime(time).build());
  }

  private static PodSetAssignment assignment(Fields assignment, Map<String, Integer> counts) {
    String name = assignment.text("name").filter(text -> !text.isEmpty()).orElse("main");
    int count = assignment.integer("count").orElse(counts.getOrDefault(name, 0));
    PodSetAssignment.Builder builder = PodSetAssignment.builder()
        .name(name)
        .count(count)
        .putAllFlavors(assignment.textMap("flavors"))
        .putAllResourceUsage(usage(assignment, count))
        .topologyAssignment(TopologyAssignmentReader.read(assignment.object("topologyAssignment")));
    assignment
        .choice("delayedTopologyRequest", Arrays.asList(DelayedTopologyRequest.values()))
        .ifPresent(builder::delayedTopologyRequest);
    return builder.build();
  }

  private static ImmutableMap<String, Long> usage(Fields assignment, int count) {
    ImmutableMap.Builder<String, Long> usage = ImmutableMap.builder();
    assignment.quantities("resourceUsage").forEach((resource, text) -> {
      long amount = Quantity.amount(resource, text);
      if (count > 0 && amount % count != 0 && !Amount.isUnlimited(amount)) {
        assignment.problem(
            "resourceUsage",
            text + " of " + resource + " for " + count + " pods; expected a multiple of the count");
      }
      usage.put(resource, amount);
    });
    return usage.buildOrThrow();
  }
}
