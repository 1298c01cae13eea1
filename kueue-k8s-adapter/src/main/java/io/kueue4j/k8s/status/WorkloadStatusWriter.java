package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.kueue.AdmissionWriter;
import io.kueue4j.k8s.kueue.KueueVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes {@code Workload.status} as Kueue does, in the version of the object that it is written to:
 * {@code kueue.x-k8s.io/v1beta1} or {@code v1beta2}.
 *
 * <pre>{@code
 * GenericKubernetesResource written = WorkloadStatusWriter.write(
 *     object, workload, engine.lifecycle().status(id), engine.admission(id));
 * if (!written.equals(object)) {
 *   client.resource(written).updateStatus();
 * }
 * }</pre>
 *
 * <p>Objects that are given are never changed, and what has not changed is written as it was: the
 * result equals the object if there is nothing new. Conditions of other types and fields that an
 * engine does not know stay. Times are in whole seconds. What is written is read by
 * {@link io.kueue4j.k8s.kueue.WorkloadReader}.
 *
 * <p>Rules: L-1, L-4, L-9, L-12 … L-14a, M-33, J-21, J-22.
 */
public final class WorkloadStatusWriter {
  /** The type of the condition that a workload is over. */
  public static final String FINISHED = "Finished";

  /** The type of the condition by which others ask for a deactivation. */
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";

  /** What is true only if the engine says so; of pods others may know. */
  private static final ImmutableList<ConditionType> KNOWN_IF_TRUE = ImmutableList.of(
      ConditionType.QUOTA_RESERVED,
      ConditionType.ADMITTED,
      ConditionType.EVICTED,
      ConditionType.PREEMPTED);

  private WorkloadStatusWriter() {}

  /**
   * {@return a copy of {@code object} with the status that the engine knows}
   *
   * @param object a Workload of Kueue's API
   * @param workload the same as the engine knows it
   * @param status what has happened to it: {@link io.kueue4j.core.WorkloadLifecycle#status}
   * @param admission what it holds quota for: {@link io.kueue4j.core.AdmissionEngine#admission}
   * @throws IllegalArgumentException if {@code object} is of another version
   */
  public static GenericKubernetesResource write(
      GenericKubernetesResource object,
      Workload workload,
      WorkloadStatus status,
      Optional<Admission> admission) {
    KueueVersion version = KueueVersion.ofWritten(Objects.toString(object.getApiVersion()));
    Map<String, Object> fields = ObjectStatus.of(object);
    ConditionList conditions = ConditionList.of(object);
    boolean wasEvicted = conditions.isTrue(ConditionType.EVICTED.toString());
    for (WorkloadCondition condition : status.conditions()) {
      conditions.put(
          condition.type().toString(),
          condition.isTrue(),
          condition.reason(),
          message(condition, admission),
          since(condition, conditions));
    }
    for (ConditionType type : KNOWN_IF_TRUE) {
      if (status.condition(type).isEmpty() && conditions.isTrue(type.toString())) {
        conditions.remove(type.toString());
      }
    }
    if (!workload.active()) {
      conditions.remove(DEACTIVATION_TARGET);
    }
    ObjectStatus.put(fields, "conditions", conditions.toList());
    putAdmission(fields, version, status, admission);
    WorkloadStatusFields.put(fields, version, workload, status);
    if (status.isTrue(ConditionType.EVICTED) && !wasEvicted) {
      EvictionReset.reset(
          fields, status.condition(ConditionType.EVICTED).orElseThrow().lastTransitionTime());
    }
    return ObjectStatus.with(object, fields);
  }

  /**
   * {@return a copy of {@code object} that says that the workload is over; the same if it says so
   * already}
   *
   * @param object a Workload of Kueue's API
   * @param reason why
   * @param message the same for people; of a job that has ended, its own
   * @param now when
   */
  public static GenericKubernetesResource finish(
      GenericKubernetesResource object, FinishReason reason, String message, Instant now) {
    return ObjectConditions.isTrue(object, FINISHED)
        ? object
        : ObjectConditions.set(object, FINISHED, true, reason.toString(), message, now);
  }

  private static String message(WorkloadCondition condition, Optional<Admission> admission) {
    if (condition.isTrue() && admission.isPresent()) {
      if (condition.type() == ConditionType.QUOTA_RESERVED) {
        return "Quota reserved in ClusterQueue " + admission.get().clusterQueue();
      }
      if (condition.type() == ConditionType.ADMITTED) {
        return "The workload is admitted by ClusterQueue " + admission.get().clusterQueue();
      }
    }
    return condition.message();
  }

  /**
   * The engine knows since when, and may know of changes in between that were never written. An
   * engine that was told less than what is stored knows an earlier time of what is true; that a
   * workload waits it counts from when it was told of it.
   */
  private static Instant since(WorkloadCondition condition, ConditionList stored) {
    Instant known = condition.lastTransitionTime();
    boolean waits = condition.type() == ConditionType.QUOTA_RESERVED && !condition.isTrue();
    return stored
        .since(condition.type().toString(), condition.isTrue())
        .filter(before -> waits || before.isAfter(known))
        .orElse(known);
  }

  private static void putAdmission(
      Map<String, Object> fields,
      KueueVersion version,
      WorkloadStatus status,
      Optional<Admission> admission) {
    if (admission.isPresent()) {
      fields.put("admission", AdmissionWriter.of(version).write(admission.get()));
    } else if (!status.isTrue(ConditionType.QUOTA_RESERVED)) {
      fields.remove("admission");
    }
    // Else it was deactivated: its quota is free, but it keeps what it runs on until it has
    // stopped.
  }
}
