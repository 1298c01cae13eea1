package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event: the status of a workload has changed, because quota was reserved, it was admitted,
 * evicted or stopped, and so on. An {@link EngineListener} receives it. Immutable.
 *
 * @param workload the workload at that time
 * @param submitted when it was submitted to the engine
 * @param clusterQueue the ClusterQueue whose quota it holds, otherwise the one of its LocalQueue;
 *     absent if there is none
 * @param cohorts the names of the cohorts above that ClusterQueue, up to the root
 * @param before the status before the change
 * @param after the status after it
 * @param preemptedBy the workload for which it was preempted, present only if this change is that
 *     preemption
 * @since 0.1.0
 */
public record StatusChange(
    Workload workload,
    Instant submitted,
    Optional<String> clusterQueue,
    List<String> cohorts,
    WorkloadStatus before,
    WorkloadStatus after,
    Optional<PreemptedBy> preemptedBy) {
  /** Copies what it is given. */
  public StatusChange {
    cohorts = ImmutableList.copyOf(cohorts);
  }

  /** {@return the condition of that type, if this change has made it true} */
  public Optional<WorkloadCondition> becameTrue(ConditionType type) {
    return before.isTrue(type)
        ? Optional.empty()
        : after.condition(type).filter(WorkloadCondition::isTrue);
  }

  /**
   * {@return the reason of this eviction, and how often it has occurred so far; absent if this
   * change is not an eviction}
   */
  public Optional<EvictionCount> eviction() {
    return after.evictions().stream()
        .filter(count -> !before.evictions().contains(count))
        .findFirst();
  }
}
