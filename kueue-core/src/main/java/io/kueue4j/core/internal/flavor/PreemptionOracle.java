package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Predicts whether preemption would make room in one flavor for one resource.
 *
 * <p>Rules: F-17.
 */
@FunctionalInterface
public interface PreemptionOracle {
  /** The oracle without preemption. */
  PreemptionOracle NO_CANDIDATES = (queue, pair, amount, fitsOtherwise) -> {
    QuotaTree tree = queue.tree();
    int borrowing = tree.borrowing(queue.node(), tree.column(pair), amount);
    return FlavorFit.of(FlavorFit.NO_CANDIDATES, QuotaTree.level(borrowing));
  };

  /**
   * Searches for workloads to preempt.
   *
   * @param queue the queue of the preemptor
   * @param pair flavor and resource
   * @param amount the requested amount
   * @param fitsOtherwise whether the request fits apart from quota, in the trial state; null if
   *     only quota counts
   * @return a {@link FlavorFit} in mode no candidates, preempt or reclaim, with the borrow level
   *     after preemption
   */
  int simulate(
      QueueQuota queue, FlavorResource pair, long amount, @Nullable BooleanSupplier fitsOtherwise);
}
