package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.function.BooleanSupplier;

/**
 * Predicts whether preemption would make room in one flavor for one resource.
 *
 * <p>Rules: F-17.
 */
@FunctionalInterface
public interface PreemptionOracle {
  /** The oracle without preemption. */
  PreemptionOracle NO_CANDIDATES = (workload, queue, pair, amount) -> {
    QuotaTree tree = queue.tree();
    int borrowing = tree.borrowing(queue.node(), tree.column(pair), amount);
    return FlavorFit.of(FlavorFit.NO_CANDIDATES, QuotaTree.level(borrowing));
  };

  /**
   * Searches for workloads to preempt.
   *
   * @param workload the preemptor
   * @param queue its queue
   * @param pair flavor and resource
   * @param amount the requested amount
   * @return a {@link FlavorFit} in mode no candidates, preempt or reclaim, with the borrow level
   *     after preemption
   */
  int simulate(CompiledWorkload workload, QueueQuota queue, FlavorResource pair, long amount);

  /**
   * Searches for workloads to preempt so that the request fits apart from quota, too. By default
   * there are none.
   *
   * @param workload the preemptor
   * @param queue its queue
   * @param pair flavor and resource
   * @param amount the requested amount
   * @param fitsOtherwise whether the request fits apart from quota, in the trial state
   * @return as {@link #simulate(CompiledWorkload, QueueQuota, FlavorResource, long)}
   */
  default int simulate(
      CompiledWorkload workload,
      QueueQuota queue,
      FlavorResource pair,
      long amount,
      BooleanSupplier fitsOtherwise) {
    return NO_CANDIDATES.simulate(workload, queue, pair, amount);
  }
}
