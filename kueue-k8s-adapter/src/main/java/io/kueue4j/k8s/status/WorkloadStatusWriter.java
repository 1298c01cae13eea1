package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes {@code Workload.status} like Kueue, in the version of the given object:
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
 * <p>Given objects are never changed, and unchanged parts keep their content: the result equals the
 * object if nothing has changed. Conditions of other types and unknown fields are kept. Times are
 * in whole seconds. {@link io.kueue4j.k8s.Manifests#workloads} reads the result again.
 *
 * <p>Rules: L-1, L-4, L-9, L-12, L-13, L-14a, M-33, J-21, J-22.
 *
 * @since 0.1.0
 */
public final class WorkloadStatusWriter {
  /** The type of the condition of a finished workload. */
  public static final String FINISHED = "Finished";

  /** The type of the condition that requests a deactivation. */
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";

  /**
   * Conditions that are true only if the engine reports them; other controllers may set those about
   * pods.
   */
  private static final ImmutableList<ConditionType> KNOWN_IF_TRUE = ImmutableList.of(
      ConditionType.QUOTA_RESERVED,
      ConditionType.ADMITTED,
      ConditionType.EVICTED,
      ConditionType.PREEMPTED);

  private WorkloadStatusWriter() {}

  /**
   * {@return a copy of {@code object} with the status in the engine}
   *
   * @param object a Workload of Kueue's API
   * @param workload the workload in the engine
   * @param status its status: {@link io.kueue4j.core.WorkloadLifecycle#status}
   * @param admission its admission: {@link io.kueue4j.core.AdmissionEngine#admission}
   * @throws IllegalArgumentException if {@code object} is of another version
   */
  public static GenericKubernetesResource write(
      GenericKubernetesResource object,
      Workload workload,
      WorkloadStatus status,
      Optional<Admission> admission) {
    KueueApiVersion version = KueueApiVersion.ofWritten(Objects.toString(object.getApiVersion()));
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
   * {@return a copy of {@code object} with the condition that the workload has finished;
   * {@code object} if it has the condition already}
   *
   * @param object a Workload of Kueue's API
   * @param reason the reason
   * @param message the message for humans; for a job that has ended, the job's message
   * @param now the time of the transition
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
   * {@return the transition time of a condition} The engine's time is used, because the engine may
   * have seen changes that were never written. If the stored status has a change that the engine
   * was not given, the engine's time of a true condition is earlier than the stored one; it counts
   * waiting from the submission.
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
      KueueApiVersion version,
      WorkloadStatus status,
      Optional<Admission> admission) {
    if (admission.isPresent()) {
      fields.put("admission", AdmissionWriter.of(version).write(admission.get()));
    } else if (!status.isTrue(ConditionType.QUOTA_RESERVED)) {
      fields.remove("admission");
    }
    // Otherwise it was deactivated: its quota is released, but it keeps its assignment until it
    // stops.
  }

  /**
   * Why a workload has finished.
   *
   * <p>Kueue: reason of the condition {@code Finished}. Rules: L-13, E-6, E-8.
   */
  public enum FinishReason {
    /** Its job has succeeded. */
    SUCCEEDED("Succeeded"),
    /** Its job has failed. */
    FAILED("Failed"),
    /** The workload no longer matches its job, or another elastic slice continues in its place. */
    OUT_OF_SYNC("OutOfSync"),
    /** Its job no longer exists. */
    OWNER_NOT_FOUND("OwnerNotFound"),
    /** Another elastic slice of its job has replaced it. */
    WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
    /** Its job could not be started as admitted, and never can. */
    FAILED_TO_START("FailedToStart");

    private final String text;

    FinishReason(String text) {
      this.text = text;
    }

    /** {@return the reason for an elastic slice that the engine has finished} */
    public static FinishReason of(FinishedSlice.Reason reason) {
      return reason == FinishedSlice.Reason.WORKLOAD_SLICE_REPLACED
          ? WORKLOAD_SLICE_REPLACED
          : OUT_OF_SYNC;
    }

    /** {@return the reason in Kueue's notation} */
    @Override
    public String toString() {
      return text;
    }
  }
}
