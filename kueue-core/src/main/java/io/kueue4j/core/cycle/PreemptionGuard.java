package io.kueue4j.core.cycle;

/**
 * What keeps heads back that could go ahead as far as quotas and nodes are concerned.
 *
 * <p>Rules: CA-3, L-25.
 */
public interface PreemptionGuard {
  /** Keeps nobody back. */
  PreemptionGuard NONE = new PreemptionGuard() {
    @Override
    public boolean mayPreempt(Head head) {
      return true;
    }

    @Override
    public boolean runsElsewhere(Head head) {
      return false;
    }
  };

  /** {@return whether no preemption gate keeps {@code head} from preempting others} */
  boolean mayPreempt(Head head);

  /** {@return whether {@code head} is a variant of a workload that runs on another flavor now} */
  boolean runsElsewhere(Head head);
}
