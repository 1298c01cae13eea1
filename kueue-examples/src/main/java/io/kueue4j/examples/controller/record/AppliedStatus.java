package io.kueue4j.examples.controller.record;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.examples.controller.state.Stopping;
import io.kueue4j.k8s.status.ObjectConditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part of {@code Workload.status} that belongs to the controller: the configuration of a
 * server-side apply. Other controllers own the other fields and conditions.
 */
public final class AppliedStatus {
  /** The condition of a job that the controller is stopping; it says why. */
  public static final String STOPPING = "kueue4j.io/Stopping";

  /**
   * The condition of a job that runs on TPU slices: its message says which. Kueue has no field for
   * them, and unlike an annotation tenants cannot write it.
   */
  public static final String TPU_SLICES = "kueue4j.io/TpuSlices";

  /** The condition of a job that waits and is promised a start; see {@link PromiseRecords}. */
  public static final String PROMISED_START = "kueue4j.io/PromisedStart";

  private static final ImmutableSet<String> FIELDS = ImmutableSet.of(
      "admission",
      "admissionChecks",
      "accumulatedPastExecutionTimeSeconds",
      "reclaimablePods",
      "requeueState",
      "resourceRequests",
      "schedulingStats",
      "unhealthyNodes");
  private static final ImmutableSet<String> CONDITIONS = Streams.concat(
          Arrays.stream(ConditionType.values()).map(ConditionType::toString),
          Stream.of("Finished", STOPPING, TPU_SLICES, PROMISED_START))
      .collect(ImmutableSet.toImmutableSet());

  private AppliedStatus() {}

  /** {@return a copy of {@code object} that says why its job must stop, if it must} */
  static GenericKubernetesResource withStopping(
      GenericKubernetesResource object, Optional<Stopping> stopping) {
    return stopping
        .map(why ->
            ObjectConditions.set(object, STOPPING, true, why.reason(), why.message(), why.time()))
        .orElseGet(() -> ObjectConditions.remove(object, STOPPING));
  }

  /**
   * {@return the configuration to apply}
   *
   * @param object a Workload with the complete wanted status; its version is kept, so that the
   *     server rejects the write if the stored Workload is another one
   */
  public static GenericKubernetesResource of(GenericKubernetesResource object) {
    Map<String, Object> status = WorkloadObjects.status(object);
    status.keySet().retainAll(FIELDS);
    List<?> conditions = conditions(object, true);
    if (!conditions.isEmpty()) {
      status.put("conditions", conditions);
    }
    return of(object, status);
  }

  /**
   * {@return the configuration to apply a status; the version in it keeps it from undoing what
   * others have written meanwhile}
   */
  public static GenericKubernetesResource of(
      GenericKubernetesResource object, Map<String, Object> status) {
    GenericKubernetesResource applied = new GenericKubernetesResource();
    applied.setApiVersion(object.getApiVersion());
    applied.setKind(object.getKind());
    applied.setMetadata(new ObjectMetaBuilder()
        .withNamespace(object.getMetadata().getNamespace())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid())
        .withResourceVersion(object.getMetadata().getResourceVersion())
        .build());
    applied.setAdditionalProperty("status", status);
    return applied;
  }

  /**
   * {@return a stored Workload after a configuration was applied, as a server does it if no other
   * controller owns one of the fields}
   */
  public static GenericKubernetesResource onto(
      GenericKubernetesResource stored, GenericKubernetesResource applied) {
    Map<String, Object> status = WorkloadObjects.status(stored);
    status.keySet().removeAll(FIELDS);
    List<Object> conditions = new ArrayList<>(conditions(stored, false));
    conditions.addAll(conditions(applied, true));
    status.putAll(WorkloadObjects.status(applied));
    status.put("conditions", conditions);
    Map<String, Object> fields = new LinkedHashMap<>(stored.getAdditionalProperties());
    fields.put("status", status);
    return WorkloadObjects.with(stored, stored.getMetadata(), fields);
  }

  /** {@return whether the status of two Workloads is equal, except for messages of conditions} */
  public static boolean differOnlyInMessages(
      GenericKubernetesResource first, GenericKubernetesResource second) {
    return withoutMessages(first).equals(withoutMessages(second));
  }

  private static Map<String, Object> withoutMessages(GenericKubernetesResource object) {
    Map<String, Object> status = WorkloadObjects.status(object);
    status.put(
        "conditions",
        WorkloadObjects.items(status.get("conditions")).stream()
            .map(WorkloadObjects::mapping)
            .peek(condition -> condition.remove("message"))
            .toList());
    return status;
  }

  /** {@return the conditions of an object that the controller owns, or the others} */
  private static List<?> conditions(GenericKubernetesResource object, boolean areOwn) {
    return WorkloadObjects.items(WorkloadObjects.status(object).get("conditions")).stream()
        .filter(condition -> areOwn
            == CONDITIONS.contains(
                String.valueOf(WorkloadObjects.mapping(condition).get("type"))))
        .toList();
  }
}
