package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.resource.Amount;

/**
 * A head with the bound that decides its attempt, so that the attempt need not be made: if the
 * bound is exceeded, the head only holds room for the rest of the cycle.
 *
 * <p>Rules: S-18.
 *
 * @param head the head
 * @param bound the bound on the quota that it needs
 * @param borrowLevel the level at which it would borrow
 */
public record BoundedHead(Head head, QuotaBound bound, int borrowLevel) {
  /** {@return the head with the bound of its shape, in the present state of its tree} */
  public static BoundedHead of(Head head, QuotaBound bound) {
    return new BoundedHead(head, bound, bound.borrowLevel());
  }

  /**
   * {@return whether the ClusterQueue exceeds its borrowing limit, so that the room is negative and
   * makes more available instead of less}
   */
  public boolean isOverLimit() {
    QueueQuota queue = head.queue().quota();
    QuotaTree tree = queue.tree();
    int node = queue.node();
    for (int i = 0; i < bound.size(); i++) {
      int column = bound.column(i);
      long limit = tree.borrowingLimit(node, column);
      if (!Amount.isUnlimited(limit)) {
        long free = Amount.subtract(tree.nominal(node, column), tree.usage(node, column));
        if (room(bound.amount(i), borrowLevel, free, limit) < 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * {@return the room that a workload holds for one of its demands, negative if its ClusterQueue
   * exceeds its borrowing limit}
   *
   * @param amount the amount requested
   * @param borrowLevel the level at which the workload would borrow
   * @param free the nominal quota that its queue does not use, negative if it uses more
   * @param borrowingLimit how much its queue may borrow
   */
  static long room(long amount, int borrowLevel, long free, long borrowingLimit) {
    return borrowLevel == 0
        ? Math.max(0, Math.min(amount, free))
        : Math.min(amount, Amount.add(free, borrowingLimit));
  }

  /** Adds the room that the head holds to the usage of its tree. */
  void reserve() {
    QueueQuota queue = head.queue().quota();
    QuotaTree tree = queue.tree();
    int node = queue.node();
    for (int i = 0; i < bound.size(); i++) {
      int column = bound.column(i);
      long free = Amount.subtract(tree.nominal(node, column), tree.usage(node, column));
      tree.add(
          node,
          column,
          room(bound.amount(i), borrowLevel, free, tree.borrowingLimit(node, column)));
    }
  }

  /** Adds what the head requests to the usage of its tree. */
  void use() {
    QueueQuota queue = head.queue().quota();
    for (int i = 0; i < bound.size(); i++) {
      queue.tree().add(queue.node(), bound.column(i), bound.amount(i));
    }
  }
}
