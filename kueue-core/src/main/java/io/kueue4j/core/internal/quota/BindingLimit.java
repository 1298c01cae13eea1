package io.kueue4j.core.internal.quota;

import io.kueue4j.core.resource.Amount;

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
    while (tree.hasParent(node) && !isBoundByBorrowing(tree, node, column, ever)) {
      node = tree.parent(node);
    }
    boolean limitsBorrowing = tree.hasParent(node);
    long usage = tree.usage(node, column);
    long subtree = tree.subtree(node, column);
    return new BindingLimit(
        node,
        tree.layout().name(node),
        node == queue.node(),
        limitsBorrowing,
        limitsBorrowing ? tree.borrowingLimit(node, column) : subtree,
        limitsBorrowing ? Math.max(0, Amount.subtract(usage, subtree)) : usage);
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
