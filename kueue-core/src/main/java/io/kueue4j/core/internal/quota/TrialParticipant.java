package io.kueue4j.core.internal.quota;

/**
 * Keeps what workloads use besides quota, and takes part in the trials of their trees. Trials are
 * nested: the one that began last ends first.
 */
public interface TrialParticipant {
  /** The participant of trees whose workloads use only quota. */
  TrialParticipant NONE = new TrialParticipant() {
    @Override
    public int checkpoint() {
      return 0;
    }

    @Override
    public void rollback(int checkpoint) {}

    @Override
    public void charge(Footprint footprint) {}

    @Override
    public void uncharge(Footprint footprint) {}

    @Override
    public void commit(Footprint footprint) {}

    @Override
    public void withdraw(Footprint footprint) {}
  };

  /**
   * Begins a trial.
   *
   * @return a mark to {@link #rollback} to
   */
  int checkpoint();

  /** Ends the trial that began with {@code checkpoint} and restores the state at that time. */
  void rollback(int checkpoint);

  /** Adds the footprint of a workload in a trial. */
  void charge(Footprint footprint);

  /** Removes the footprint of a workload in a trial. */
  void uncharge(Footprint footprint);

  /** Adds the footprint of a workload permanently. */
  void commit(Footprint footprint);

  /** Removes the footprint of a workload permanently. */
  void withdraw(Footprint footprint);
}
