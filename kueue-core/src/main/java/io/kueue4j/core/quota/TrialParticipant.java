package io.kueue4j.core.quota;

/**
 * What is used beside quota by the workloads of trees, and takes part in the trials of these.
 * Trials are nested: what is begun last ends first.
 */
public interface TrialParticipant {
  /** The participant of trees whose workloads use nothing but quota. */
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

  /** Ends the trial that began with {@code checkpoint}: everything is as it was then. */
  void rollback(int checkpoint);

  /** Adds what a workload takes, on trial. */
  void charge(Footprint footprint);

  /** Takes back what a workload takes, on trial. */
  void uncharge(Footprint footprint);

  /** Adds what a workload takes, for good. */
  void commit(Footprint footprint);

  /** Takes back what a workload takes, for good. */
  void withdraw(Footprint footprint);
}
