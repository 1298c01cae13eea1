package io.kueue4j.core.decision;

import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A preemption or an eviction that repeats in a loop: with the same policies, Kueue would repeat it
 * without end, too. Immutable.
 *
 * @param workload the workload that stops again and again
 * @param preemptor the workload that preempts it; absent if it is evicted for another reason
 * @param reason the policy by which it is preempted, or the reason of its eviction, in Kueue's
 *     words
 * @since 0.1.0
 */
public record RepeatedStop(WorkloadId workload, Optional<WorkloadId> preemptor, String reason) {

  /** {@return the repetition of a preemption} */
  public static RepeatedStop of(PreemptionVictim victim) {
    return new RepeatedStop(
        victim.workload(), Optional.of(victim.preemptor()), victim.reason().toString());
  }

  /** {@return the repetition of an eviction} */
  public static RepeatedStop of(Eviction eviction) {
    return new RepeatedStop(
        eviction.workload(), Optional.empty(), eviction.reason().toString());
  }

  /** {@return a sentence for users, without its full stop} */
  public String message() {
    return preemptor
        .map(other -> other + " preempts " + workload + " (" + reason + ")")
        .orElseGet(() -> workload + " is evicted (" + reason + ")");
  }
}
