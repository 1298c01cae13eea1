package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.k8s.internal.kueue.ResourceLists;
import io.kueue4j.k8s.internal.kueue.VersionDifferences;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of {@code Workload.status} other than conditions and admission.
 *
 * <p>Rules: L-1, L-6, L-9, L-17, L-24, T-80.
 */
final class WorkloadStatusFields {
  private WorkloadStatusFields() {}

  static void put(
      Map<String, Object> fields,
      KueueApiVersion version,
      Workload workload,
      WorkloadStatus status) {
    ObjectStatus.put(fields, "requeueState", requeueState(status));
    ObjectStatus.put(
        fields,
        "reclaimablePods",
        status.reclaimablePods().entrySet().stream()
            .map(each -> ImmutableMap.of("name", each.getKey(), "count", each.getValue()))
            .collect(toImmutableList()));
    ObjectStatus.put(
        fields,
        "admissionChecks",
        status.admissionChecks().stream()
            .map(WorkloadStatusFields::check)
            .collect(toImmutableList()));
    ObjectStatus.put(
        fields,
        "resourceRequests",
        status.isTrue(ConditionType.QUOTA_RESERVED)
            ? ImmutableList.of()
            : workload.podSets().stream()
                .map(podSet -> requests(podSet, status))
                .collect(toImmutableList()));
    ObjectStatus.put(
        fields,
        "unhealthyNodes",
        status.unhealthyNodes().stream()
            .map(node -> ImmutableMap.of("name", node))
            .collect(toImmutableList()));
    long pastSeconds = status.accumulatedPastExecutionTime().toSeconds();
    ObjectStatus.put(
        fields,
        VersionDifferences.pastExecutionTimeField(version),
        pastSeconds == 0 ? null : ObjectStatus.number(pastSeconds));
    ImmutableList<Object> evictions =
        status.evictions().stream().map(WorkloadStatusFields::eviction).collect(toImmutableList());
    Map<String, Object> stats = ObjectStatus.mapping(fields.get("schedulingStats"));
    ObjectStatus.put(stats, "evictions", evictions);
    ObjectStatus.put(fields, "schedulingStats", stats);
  }

  private static Map<String, Object> requeueState(WorkloadStatus status) {
    Map<String, Object> state = new LinkedHashMap<>();
    if (status.requeueCount() > 0) {
      state.put("count", status.requeueCount());
    }
    status.requeueAt().ifPresent(time -> state.put("requeueAt", ObjectStatus.time(time)));
    return state;
  }

  private static Object requests(PodSet podSet, WorkloadStatus status) {
    int reclaimable = status.reclaimablePods().getOrDefault(podSet.name(), 0);
    int count = Math.max(0, podSet.count() - reclaimable);
    ImmutableMap.Builder<String, Long> totals = ImmutableMap.builder();
    podSet
        .requests()
        .forEach((resource, amount) -> totals.put(resource, Amount.multiply(amount, count)));
    Map<String, Object> requests = new LinkedHashMap<>();
    requests.put("name", podSet.name());
    ObjectStatus.put(requests, "resources", ResourceLists.write(totals.buildOrThrow()));
    return requests;
  }

  private static Object check(AdmissionCheckState check) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", check.name());
    fields.put("state", check.state().toString());
    fields.put("lastTransitionTime", ObjectStatus.time(check.lastTransitionTime()));
    fields.put("message", MessageText.ofCondition(check.message()));
    check
        .requeueAfter()
        .ifPresent(
            delay -> fields.put("requeueAfterSeconds", ObjectStatus.number(delay.toSeconds())));
    if (check.retryCount() > 0) {
      fields.put("retryCount", check.retryCount());
    }
    ObjectStatus.put(
        fields,
        "podSetUpdates",
        check.podSetUpdates().stream()
            .map(WorkloadStatusFields::update)
            .collect(toImmutableList()));
    return fields;
  }

  private static Object update(PodSetUpdate update) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", update.name());
    ObjectStatus.put(fields, "labels", update.labels());
    ObjectStatus.put(fields, "annotations", update.annotations());
    ObjectStatus.put(fields, "nodeSelector", update.nodeSelector());
    ObjectStatus.put(
        fields,
        "tolerations",
        update.tolerations().stream()
            .map(WorkloadStatusFields::toleration)
            .collect(toImmutableList()));
    return fields;
  }

  private static Object toleration(Toleration toleration) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!toleration.key().isEmpty()) {
      fields.put("key", toleration.key());
    }
    fields.put("operator", toleration.operator().toString());
    if (!toleration.value().isEmpty()) {
      fields.put("value", toleration.value());
    }
    toleration.effect().ifPresent(effect -> fields.put("effect", effect.toString()));
    toleration
        .tolerationSeconds()
        .ifPresent(seconds -> fields.put("tolerationSeconds", ObjectStatus.number(seconds)));
    return fields;
  }

  private static Object eviction(EvictionCount eviction) {
    return ImmutableMap.of(
        "reason",
        eviction.reason().toString(),
        "underlyingCause",
        eviction.cause().map(EvictionCause::toString).orElse(""),
        "count",
        eviction.count());
  }
}
