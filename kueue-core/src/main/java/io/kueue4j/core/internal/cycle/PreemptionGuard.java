package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.state.Head;

/**
 * Holds back heads that could proceed as far as quota and nodes are concerned.
 *
 * <p>Rules: CA-3, L-25.
 */
public interface PreemptionGuard {
  /** {@return whether no closed preemption gate prevents {@code head} from preempting} */
  boolean mayPreempt(Head head);

  /** {@return whether {@code head} is a variant of a workload that runs on another flavor now} */
  boolean runsElsewhere(Head head);
}
