package io.kueue4j.core.internal.quota;

/**
 * Keeps what workloads use besides quota, and takes part in the trials of their trees. Trials are
 * nested: the one that began last ends first.
 */
public interface TrialParticipant {
  /** The participant of trees whose workloads use only quota. */
  TrialParticipant NONE = new TrialParticipant() {
    @Override
    public void checkpoint() {}

    @Override
    public void rollback() {}

    @Override
    public void charge(Footprint footprint) {}

    @Override
    public void uncharge(Footprint footprint) {}

    @Override
    public void commit(Footprint footprint) {}

    @Override
    public void withdraw(Footprint footprint) {}
  };

  /** Begins a trial. */
  void checkpoint();

  /** Ends the trial that began last and restores the state before it. */
  void rollback();

  /** Adds the footprint of a workload in a trial. */
  void charge(Footprint footprint);

  /** Removes the footprint of a workload in a trial. */
  void uncharge(Footprint footprint);

  /** Adds the footprint of a workload permanently. */
  void commit(Footprint footprint);

  /** Removes the footprint of a workload permanently. */
  void withdraw(Footprint footprint);
}
