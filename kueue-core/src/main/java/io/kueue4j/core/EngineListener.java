package io.kueue4j.core;

import com.google.common.collect.ImmutableList;

/**
 * Is told by an engine what has happened to workloads, such as by whoever counts it for metrics or
 * keeps a record of it.
 *
 * <p>It is called in the thread of the call that it follows from, when that call is done and before
 * it returns, in the order in which things happened, and by one thread at a time. It may ask the
 * engine and even call it: what follows from that is told afterwards. It had better be quick, since
 * other threads wait meanwhile. Whatever it throws changes nothing for the engine and for its
 * caller; see {@link AdmissionEngine.Builder#listener}.
 *
 * <p>Nothing is told of what is taken in by {@code restore}, since it happened before, and of what
 * is tried in studies ({@link EngineView#whatIf}).
 */
public interface EngineListener {
  /** Is told of a step in the life of a workload; does nothing unless overridden. */
  default void statusChanged(StatusChange change) {}

  /** Is told that a workload has left the engine; does nothing unless overridden. */
  default void departed(Departure departure) {}

  /**
   * Is told of the workloads of a cycle whose preemptions got into each other's way, in the order
   * in which they were processed, once for each cycle that has any; does nothing unless overridden.
   */
  default void preemptionsConflicted(ImmutableList<PreemptionConflict> conflicts) {}
}
