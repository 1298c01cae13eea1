package io.kueue4j.core.decision;

import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import org.jspecify.annotations.Nullable;

/**
 * The workload for which another one was preempted. The rule and the time are in
 * {@link io.kueue4j.core.model.PreemptedCondition}. Immutable.
 *
 * <p>Kueue: the message of the condition {@code Preempted}. Rules: P-20.
 *
 * @param preemptor the workload that needs the quota
 * @param clusterQueue the ClusterQueue of that workload
 * @since 0.1.0
 */
public record PreemptedBy(WorkloadId preemptor, String clusterQueue) {
  /** {@return the condition of a workload's preemption, null if it was not preempted} */
  public static @Nullable PreemptedCondition condition(WorkloadStatus status) {
    return status
        .condition(ConditionType.PREEMPTED)
        .filter(WorkloadCondition::isTrue)
        .flatMap(condition -> PreemptionReason.named(condition.reason())
            .map(reason -> new PreemptedCondition(reason, condition.lastTransitionTime())))
        .orElse(null);
  }

  /** {@return for example {@code ns/high in ClusterQueue a}} */
  @Override
  public String toString() {
    return preemptor + " in ClusterQueue " + clusterQueue;
  }
}
