package io.kueue4j.core.decision;

import java.util.List;

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
