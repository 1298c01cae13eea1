package io.kueue4j.core.simulation;

import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptionReason;
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

  static RepeatedStop preemption(
      WorkloadId workload, WorkloadId preemptor, PreemptionReason reason) {
    return new RepeatedStop(workload, Optional.of(preemptor), reason.toString());
  }

  static RepeatedStop eviction(WorkloadId workload, EvictionReason reason) {
    return new RepeatedStop(workload, Optional.empty(), reason.toString());
  }

  /** {@return a sentence for users, without its full stop} */
  public String message() {
    return preemptor
        .map(other -> other + " preempts " + workload + " (" + reason + ")")
        .orElseGet(() -> workload + " is evicted (" + reason + ")");
  }
}
