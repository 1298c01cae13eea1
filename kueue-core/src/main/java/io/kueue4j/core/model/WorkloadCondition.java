package io.kueue4j.core.model;

import java.time.Instant;

/**
 * Something that is true or false of a workload, why, and since when.
 *
 * <p>Kueue: {@code Workload.status.conditions[]}. Rules: L-1.
 *
 * @param type what
 * @param isTrue whether it is true
 * @param reason why, one word of Kueue's
 * @param message the same for people
 * @param lastTransitionTime since when it is true or false; another reason does not change it
 */
public record WorkloadCondition(
    ConditionType type, boolean isTrue, String reason, String message, Instant lastTransitionTime) {
  @Override
  public String toString() {
    return type + "=" + (isTrue ? "True" : "False") + " " + reason + " since " + lastTransitionTime
        + ": " + message;
  }
}
