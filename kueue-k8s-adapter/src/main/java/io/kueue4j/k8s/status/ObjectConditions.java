package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Map;

/**
 * Conditions in the status of objects of Kueue: asking for one, setting one beside those that the
 * writers of this package set, such as {@code Active} of an AdmissionCheck or
 * {@code WaitingForReplacementPods} of a workload.
 *
 * <p>Objects that are given are never changed. Messages are cut where the API server would refuse
 * them, at 32768 bytes. Rules: L-14a.
 */
public final class ObjectConditions {
  private ObjectConditions() {}

  /** {@return whether {@code object} has that condition and it is true} */
  public static boolean isTrue(GenericKubernetesResource object, String type) {
    return ConditionList.of(object).isTrue(type);
  }

  /**
   * {@return a copy of {@code object} with a condition}
   *
   * @param object any object
   * @param type the type of the condition
   * @param isTrue whether it is true
   * @param reason why, one word
   * @param message the same for people
   * @param now the time of its transition, if it was not true, or not false, before
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

  /** {@return a copy of {@code object} without the condition of that type} */
  public static GenericKubernetesResource remove(GenericKubernetesResource object, String type) {
    ConditionList conditions = ConditionList.of(object);
    conditions.remove(type);
    return with(object, conditions);
  }

  private static GenericKubernetesResource with(
      GenericKubernetesResource object, ConditionList conditions) {
    Map<String, Object> status = ObjectStatus.of(object);
    ObjectStatus.put(status, "conditions", ImmutableList.copyOf(conditions.toList()));
    return ObjectStatus.with(object, status);
  }
}
