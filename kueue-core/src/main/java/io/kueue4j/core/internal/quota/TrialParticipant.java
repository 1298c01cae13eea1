package io.kueue4j.core.internal.quota;

/**
 * Keeps what workloads use besides quota, and takes part in the trials of their trees. Trials are
 * nested: the one that began last ends first.
 */
public interface TrialParticipant {
  /** The participant of trees whose workloads use only quota. */
  TrialParticipant NONE = new TrialParticipant() {};

  /** Begins a trial. */
  default void checkpoint() {}

  /** Ends the trial that began last and restores the state before it. */
  default void rollback() {}

  /** Adds the footprint of a workload in a trial. */
  default void charge(Footprint footprint) {}

  /** Removes the footprint of a workload in a trial. */
  default void uncharge(Footprint footprint) {}

  /** Adds the footprint of a workload permanently. */
  default void commit(Footprint footprint) {}

  /** Removes the footprint of a workload permanently. */
  default void withdraw(Footprint footprint) {}
}
