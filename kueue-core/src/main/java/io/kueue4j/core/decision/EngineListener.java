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
 * Receives workload events of an engine, for metrics, logs or an audit trail. Set by
 * {@link io.kueue4j.core.AdmissionEngineBuilder#listener}.
 *
 * <p>The engine calls it in the thread of the call that caused the event, after that call is
 * complete and before it returns, in the order of the events, and from one thread at a time. A
 * listener may call the engine; events of these calls follow after the listener has returned. It
 * must not block, since the engine's lock is held. A call that fails causes no events.
 *
 * <p>Everything that a listener throws, {@link Error}s included, is passed to the failure handler
 * of {@link io.kueue4j.core.AdmissionEngineBuilder#listener} and affects neither the engine nor its
 * caller. The exception is a {@link VirtualMachineError}, which reaches the caller: the call itself
 * is complete, and the remaining events are delivered with the events of the next call.
 *
 * <p>There are no events for {@code restore} calls, which restore earlier events, or for studies
 * ({@link io.kueue4j.core.EngineView#whatIf}).
 *
 * @since 0.1.0
 */
public interface EngineListener {
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
  record StatusChange(
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

  /**
   * Receives the decisions of a call, once per call that makes any and after its other events; does
   * nothing unless overridden. The values are those that calls return.
   */
  default void decided(Decisions decisions) {}

  /** Receives a change of the status of a workload; does nothing unless overridden. */
  default void statusChanged(StatusChange change) {}

  /** Receives the removal of a workload from the engine; does nothing unless overridden. */
  default void departed(WorkloadRemoved removed) {}

  /**
   * Receives the workloads of a cycle whose preemptions conflicted with each other, in the order in
   * which they were processed, once for each cycle that has any; does nothing unless overridden.
   */
  default void preemptionsConflicted(List<PreemptionConflict> conflicts) {}
}
