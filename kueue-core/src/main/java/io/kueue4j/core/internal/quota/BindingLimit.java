package io.kueue4j.core.internal.quota;

import io.kueue4j.core.resource.Amount;
import org.jspecify.annotations.Nullable;

/**
 * The limit that binds: of all limits on the path from a ClusterQueue to the root of its tree, the
 * one that restricts a pair of flavor and resource the most.
 *
 * <p>Rules.
 *
 * @param node the node that has the limit
 * @param name the name of that ClusterQueue or Cohort
 * @param isQueue whether it is a ClusterQueue
 * @param limitsBorrowing whether it is a borrowing limit; else it is the quota of the root
 * @param amount the limit
 * @param used the amount that counts against it
 */
public record BindingLimit(
    int node, String name, boolean isQueue, boolean limitsBorrowing, long amount, long used) {

  /** {@return the limit that binds the amount available to the queue now} */
  public static BindingLimit now(QueueQuota queue, int column) {
    return find(queue, column, false);
  }

  /** {@return the limit that binds the amount available to the queue if nothing ran} */
  public static BindingLimit ever(QueueQuota queue, int column) {
    return find(queue, column, true);
  }

  private static BindingLimit find(QueueQuota queue, int column, boolean ever) {
    QuotaTree tree = queue.tree();
    int node = queue.node();
    CohortNode cohort = null;
    while (tree.hasParent(node)) {
      if (isBoundByBorrowing(tree, node, column, ever)) {
        long borrowed = Amount.subtract(tree.usage(node, column), tree.subtree(node, column));
        return new BindingLimit(
            node,
            name(queue, cohort),
            cohort == null,
            true,
            tree.borrowingLimit(node, column),
            Math.max(0, borrowed));
      }
      node = tree.parent(node);
      cohort = cohort == null ? queue.cohort : cohort.parent;
    }
    return new BindingLimit(
        node,
        name(queue, cohort),
        cohort == null,
        false,
        tree.subtree(node, column),
        tree.usage(node, column));
  }

  private static boolean isBoundByBorrowing(QuotaTree tree, int node, int column, boolean ever) {
    long limit = tree.borrowingLimit(node, column);
    if (Amount.isUnlimited(limit)) {
      return false;
    }
    int parent = tree.parent(node);
    return ever
        ? Amount.add(tree.subtree(node, column), limit)
            <= Amount.add(tree.local(node, column), tree.potential(parent, column))
        : tree.borrowable(node, column) <= tree.balance(parent, column);
  }

  private static String name(QueueQuota queue, @Nullable CohortNode cohort) {
    return cohort == null ? queue.name() : cohort.name;
  }

  /** {@return whether the usage of {@code queue}, of the same tree, counts against the limit} */
  public boolean concerns(QueueQuota queue) {
    QuotaTree tree = queue.tree();
    int above = queue.node();
    while (above != node && tree.hasParent(above)) {
      above = tree.parent(above);
    }
    return above == node;
  }
}
