package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and sets conditions in the status of Kueue's objects, in addition to those that the writers
 * of this package set, such as {@code Active} of an AdmissionCheck or
 * {@code WaitingForReplacementPods} of a workload.
 *
 * <p>Given objects are never changed. Messages are truncated to the 32768 bytes that the API server
 * accepts. Rules: L-14a.
 *
 * @since 0.1.0
 */
public final class ObjectConditions {
  private ObjectConditions() {}

  /** {@return whether {@code object} has a condition of that type that is true} */
  public static boolean isTrue(GenericKubernetesResource object, String type) {
    return ConditionList.of(object).isTrue(type);
  }

  /**
   * {@return the condition of that type, empty if {@code object} has none; fields that it lacks are
   * null}
   */
  public static Optional<Condition> find(GenericKubernetesResource object, String type) {
    return ConditionList.of(object).find(type);
  }

  /**
   * {@return a copy of {@code object} with a condition}
   *
   * @param object any object
   * @param type the type of the condition
   * @param isTrue whether it is true
   * @param reason the reason, one word
   * @param message the message for humans
   * @param now the transition time, used if the status of the condition changes
   */
  public static GenericKubernetesResource set(
      GenericKubernetesResource object,
      String type,
      boolean isTrue,
      String reason,
      String message,
      Instant now) {
    ConditionList conditions = ConditionList.of(object);
    conditions.set(type, isTrue, reason, message, now);
    return with(object, conditions);
  }

  /** {@return a copy of {@code object} without the conditions of these types} */
  public static GenericKubernetesResource remove(
      GenericKubernetesResource object, String... types) {
    ConditionList conditions = ConditionList.of(object);
    for (String type : types) {
      conditions.remove(type);
    }
    return with(object, conditions);
  }

  private static GenericKubernetesResource with(
      GenericKubernetesResource object, ConditionList conditions) {
    Map<String, Object> status = ObjectStatus.of(object);
    ObjectStatus.put(status, "conditions", ImmutableList.copyOf(conditions.toList()));
    return ObjectStatus.with(object, status);
  }
}
