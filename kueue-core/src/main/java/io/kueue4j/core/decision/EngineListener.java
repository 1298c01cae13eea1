package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;

/**
 * Receives workload events of an engine, for metrics or a record of what happened.
 *
 * <p>It is called in the thread of the call that caused the event, when that call is done and
 * before it returns, in the order of the events, by one thread at a time. It may call the engine;
 * the events of that call follow when the listener has returned. It must not block, since the
 * engine's lock is held. A call that fails causes no events.
 *
 * <p>Everything that a listener throws, {@link Error}s included, is passed to the failure handler
 * of {@link io.kueue4j.core.AdmissionEngine.Builder#listener} and concerns neither the engine nor
 * its caller. The only exception is a {@link VirtualMachineError}, which reaches the caller: the
 * call itself is done, and the events that follow are delivered with those of the next call.
 *
 * <p>Nothing is told of what is taken in by {@code restore}, since it happened before, and of what
 * is tried in studies ({@link io.kueue4j.core.EngineView#whatIf}).
 */
public interface EngineListener {
  /**
   * Receives what a call has decided, once for each call that decides something and after its other
   * events; does nothing unless overridden. Calls return the same values.
   */
  default void decided(Decisions decisions) {}

  /** Is told of a step in the life of a workload; does nothing unless overridden. */
  default void statusChanged(StatusChange change) {}

  /** Is told that a workload has left the engine; does nothing unless overridden. */
  default void departed(WorkloadRemoved departure) {}

  /**
   * Is told of the workloads of a cycle whose preemptions got into each other's way, in the order
   * in which they were processed, once for each cycle that has any; does nothing unless overridden.
   */
  default void preemptionsConflicted(ImmutableList<PreemptionConflict> conflicts) {}
}
