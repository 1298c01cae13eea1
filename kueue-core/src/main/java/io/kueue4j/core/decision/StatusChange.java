package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * A step in the life of a workload: quota reserved, admitted, told to stop, stopped, and so on.
 *
 * @param workload the workload as it was then
 * @param submitted when it came into the engine
 * @param clusterQueue the ClusterQueue whose quota it holds, else the one that its LocalQueue leads
 *     to, absent if there is none
 * @param cohorts the cohorts above that ClusterQueue, up to the root
 * @param before what had happened to it
 * @param after what has happened to it now
 * @param preemptedBy for whom it was told to stop, if it was just now and for another workload
 */
public record StatusChange(
    Workload workload,
    Instant submitted,
    Optional<String> clusterQueue,
    ImmutableList<String> cohorts,
    WorkloadStatus before,
    WorkloadStatus after,
    Optional<PreemptedBy> preemptedBy) {
  /** {@return the condition of that type, if it has become true by this step} */
  public Optional<WorkloadCondition> becameTrue(ConditionType type) {
    return before.isTrue(type)
        ? Optional.empty()
        : after.condition(type).filter(WorkloadCondition::isTrue);
  }

  /** {@return the condition of that type, if it was true and is not any more} */
  public Optional<WorkloadCondition> ceasedToBeTrue(ConditionType type) {
    return before.isTrue(type) && !after.isTrue(type) ? before.condition(type) : Optional.empty();
  }

  /**
   * {@return why it was told to stop by this step, and how often for that by now; absent if it was
   * not told}
   */
  public Optional<EvictionCount> eviction() {
    return after.evictions().stream()
        .filter(count -> !before.evictions().contains(count))
        .findFirst();
  }
}
