package io.kueue4j.core.flavor;

import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.util.function.BooleanSupplier;

/**
 * Says whether preemption would make room in one flavor for one resource.
 *
 * <p>Rules: F-17.
 */
@FunctionalInterface
public interface PreemptionOracle {
  /** The oracle where nothing is ever preempted. */
  PreemptionOracle NO_CANDIDATES = (workload, queue, pair, amount) -> {
    QuotaTree tree = queue.tree();
    int borrowing = tree.borrowing(queue.node(), tree.column(pair), amount);
    return FlavorFit.of(FlavorFit.NO_CANDIDATES, QuotaTree.level(borrowing));
  };

  /**
   * Looks for workloads to preempt.
   *
   * @param workload the workload that asks
   * @param queue its queue
   * @param pair flavor and resource
   * @param amount what it asks for
   * @return a {@link FlavorFit} in mode no candidates, preempt or reclaim, with the borrow level
   *     after preemption
   */
  int simulate(CompiledWorkload workload, QueueQuota queue, int pair, long amount);

  /**
   * Looks for workloads to preempt so that something beside quota has room, too. Unless it says
   * otherwise, an oracle knows of none.
   *
   * @param workload the workload that asks
   * @param queue its queue
   * @param pair flavor and resource
   * @param amount what it asks for
   * @param fitsOtherwise tells whether it fits apart from quota, in the state on trial
   * @return as {@link #simulate(CompiledWorkload, QueueQuota, int, long)}
   */
  default int simulate(
      CompiledWorkload workload,
      QueueQuota queue,
      int pair,
      long amount,
      BooleanSupplier fitsOtherwise) {
    return NO_CANDIDATES.simulate(workload, queue, pair, amount);
  }
}
