package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
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
   * @param clusterQueue the ClusterQueue whose quota it holds, otherwise of its LocalQueue; absent
   *     if there is none
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

  /**
   * The removal of a workload from an engine, as an {@link EngineListener} receives it. Immutable.
   *
   * @param workload the workload in its last state
   * @param clusterQueue the ClusterQueue whose quota it held, otherwise of its LocalQueue; absent
   *     if there is none
   * @param status its last status
   * @param reason whether it finished, was deleted or was released
   * @param time the time of the call that removed it
   * @since 0.1.0
   */
  record WorkloadRemoved(
      Workload workload,
      Optional<String> clusterQueue,
      WorkloadStatus status,
      Reason reason,
      Instant time) {
    /**
     * Why a workload leaves an engine.
     *
     * @since 0.1.0
     */
    public enum Reason {
      /** It has finished, by {@link io.kueue4j.core.AdmissionEngine#finish}. */
      FINISHED,
      /**
       * It released its quota and does not run, by {@link io.kueue4j.core.AdmissionEngine#release}.
       */
      RELEASED,
      /** It was deleted, by {@link io.kueue4j.core.AdmissionEngine#delete}. */
      DELETED,
      /** It is an elastic slice that was replaced by another one; rules E-6, E-8. */
      SLICE_REPLACED,
      /** It is an elastic slice, and another one continues without it; rule E-8. */
      SLICE_OUT_OF_SYNC
    }
  }

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
  record PreemptedBy(WorkloadId preemptor, String clusterQueue) {
    /** {@return for example {@code ns/high in ClusterQueue a}} */
    @Override
    public String toString() {
      return preemptor + " in ClusterQueue " + clusterQueue;
    }
  }

  /**
   * An event of a cycle: a workload had found victims, and an earlier workload of the same cycle
   * preempted some of them or took the quota that they free. Immutable.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue that it waits in
   * @param isSkipped whether the cycle skipped it, because its victims were preempted for others or
   *     because it no longer fits beside them
   * @param recomputation the outcome of the search for other victims, absent if none was necessary
   * @since 0.1.0
   */
  record PreemptionConflict(
      WorkloadId workload,
      String clusterQueue,
      boolean isSkipped,
      Optional<Recomputation> recomputation) {
    /**
     * The result of a second search for victims, made when another workload of the same cycle has
     * preempted the victims found first.
     *
     * <p>Kueue: the label {@code result} of the metric
     * {@code preemption_target_recomputations_total}. Rules: S-14, S-15.
     *
     * @since 0.1.0
     */
    public enum Recomputation {
      /** The workload preempts other victims. */
      NEW_TARGETS("new_targets"),
      /** The workload fits as soon as the victims of earlier entries have stopped. */
      DEFERRED_FIT("deferred_fit"),
      /** Neither; the workload is tried again later. */
      SKIPPED("skipped");

      private final String text;

      Recomputation(String text) {
        this.text = text;
      }

      /** {@return the name in Kueue's metrics} */
      @Override
      public String toString() {
        return text;
      }
    }
  }
}
