package io.kueue4j.core.decision;

import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import org.jspecify.annotations.Nullable;

/**
 * For whom a workload was told to stop. Under which rule and when says
 * {@link io.kueue4j.core.model.PreemptedCondition}.
 *
 * <p>Kueue: the message of the condition {@code Preempted}. Rules: P-20.
 *
 * @param preemptor the workload that it made room for
 * @param clusterQueue the ClusterQueue of that workload
 */
public record PreemptedBy(WorkloadId preemptor, String clusterQueue) {
  /** {@return for what a workload was told to stop for another one, null if it was not} */
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
