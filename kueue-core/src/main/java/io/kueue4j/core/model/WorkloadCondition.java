package io.kueue4j.core.model;

import java.time.Instant;

/**
 * A condition of a workload: whether it is true, why, and since when.
 *
 * <p>Kueue: {@code Workload.status.conditions[]}. Rules: L-1.
 *
 * @param type the type
 * @param isTrue whether the condition is true
 * @param reason the reason, one of Kueue's words
 * @param message the explanation for people
 * @param lastTransitionTime the time of the last change of {@code isTrue}; another reason does not
 *     change it
 * @since 0.1.0
 */
public record WorkloadCondition(
    ConditionType type, boolean isTrue, String reason, String message, Instant lastTransitionTime) {
  @Override
  public String toString() {
    return type + "=" + (isTrue ? "True" : "False") + " " + reason + " since " + lastTransitionTime
        + ": " + message;
  }
}
