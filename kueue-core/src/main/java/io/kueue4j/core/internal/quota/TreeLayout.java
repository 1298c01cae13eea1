package io.kueue4j.core.internal.quota;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the nodes of a {@link QuotaTree} other than amounts: children, queues, weights,
 * and how much of each resource a node could lend to its members. Immutable, except for which
 * queues watch for changes; {@link QueueQuota} keeps that when it moves to another tree.
 *
 * <p>Rules: H-4, M-9.
 */
public final class TreeLayout {
  private final @Nullable QueueQuota[] queues;
  private final int[][] childCohorts;
  private final int[][] childQueues;
  private final double[] weights;
  private final int[] resourceOfColumn;
  private final int resourceCount;
  private final long[] lendable;
  private final BitSet watching = new BitSet();
  private final Map<String, QueueQuota> byName = new HashMap<>();

  /**
   * Creates the layout of {@code tree}.
   *
   * @param queues the queue of each node, null for cohorts
   * @param weights the weight of each cohort, by node
   * @param resourceOfColumn the number of the resource of each column, in the order of names
   */
  TreeLayout(
      QuotaTree tree, @Nullable QueueQuota[] queues, double[] weights, int[] resourceOfColumn) {
    this.queues = queues;
    this.weights = weights;
    this.resourceOfColumn = resourceOfColumn;
    this.resourceCount = resourceOfColumn.length == 0 ? 0 : Ints.max(resourceOfColumn) + 1;
    List<List<Integer>> cohortsBelow = new ArrayList<>();
    List<List<Integer>> queuesBelow = new ArrayList<>();
    for (int node = 0; node < tree.nodeCount(); node++) {
      cohortsBelow.add(new ArrayList<>());
      queuesBelow.add(new ArrayList<>());
      if (tree.hasParent(node)) {
        (queues[node] == null ? cohortsBelow : queuesBelow)
            .get(tree.parent(node))
            .add(node);
      }
    }
    this.childCohorts = cohortsBelow.stream().map(Ints::toArray).toArray(int[][]::new);
    this.childQueues = queuesBelow.stream().map(Ints::toArray).toArray(int[][]::new);
    this.lendable = new long[tree.nodeCount() * resourceCount];
    for (int node = 0; node < tree.nodeCount(); node++) {
      for (int column = 0; column < tree.columnCount(); column++) {
        int at = node * resourceCount + resourceOfColumn[column];
        lendable[at] = Amount.add(lendable[at], tree.potential(node, column));
      }
    }
  }

  private TreeLayout(TreeLayout other, @Nullable QueueQuota[] queues) {
    this.queues = queues;
    this.childCohorts = other.childCohorts;
    this.childQueues = other.childQueues;
    this.weights = other.weights;
    this.resourceOfColumn = other.resourceOfColumn;
    this.resourceCount = other.resourceCount;
    this.lendable = other.lendable;
    this.watching.or(other.watching);
  }

  /** {@return the queue of this tree whose quota a workload holds} */
  public QueueQuota queueOf(QuotaHolder holder) {
    QueueQuota queue = byName.get(holder.clusterQueue());
    if (queue == null) {
      // The first look-up since the tree was built or copied.
      forEachQueue(member -> byName.put(member.name(), member));
      queue = byName.get(holder.clusterQueue());
      checkArgument(queue != null, "ClusterQueue %s is not in this tree", holder.clusterQueue());
    }
    return queue;
  }

  /** {@return this layout with copies of its queues, by node} */
  TreeLayout with(@Nullable QueueQuota[] others) {
    return new TreeLayout(this, others);
  }

  /** {@return the queue of a node that is a ClusterQueue} */
  public QueueQuota queue(int node) {
    QueueQuota queue = queues[node];
    if (queue == null) {
      throw new IllegalArgumentException("node " + node + " is a cohort");
    }
    return queue;
  }

  /** {@return whether the node is a ClusterQueue} */
  public boolean isQueue(int node) {
    return queues[node] != null;
  }

  /** {@return the child cohorts of a node, ordered by name} */
  public int[] childCohorts(int node) {
    return childCohorts[node];
  }

  /** {@return the child ClusterQueues of a node, ordered by name; their numbers are consecutive} */
  public int[] childQueues(int node) {
    return childQueues[node];
  }

  /** {@return the weight of a node} */
  public double weight(int node) {
    // The weight of a queue may change without a new tree.
    QueueQuota queue = queues[node];
    return queue == null
        ? weights[node]
        : queue.compiled().source().fairSharing().weight();
  }

  /** {@return the number of the resource of a column, in the order of names} */
  public int resourceOfColumn(int column) {
    return resourceOfColumn[column];
  }

  /** {@return the number of resources} */
  public int resourceCount() {
    return resourceCount;
  }

  /** {@return the most that a node could ever have of a resource, over all flavors} */
  public long lendable(int node, int resource) {
    return lendable[node * resourceCount + resource];
  }

  /** Passes every queue of the tree to {@code action}, in the order of the nodes. */
  public void forEachQueue(Consumer<QueueQuota> action) {
    for (QueueQuota queue : queues) {
      if (queue != null) {
        action.accept(queue);
      }
    }
  }

  /** {@return the queues of the tree that watch for changes now, in the order of the nodes} */
  public List<QueueQuota> watching() {
    List<QueueQuota> found = new ArrayList<>();
    for (int node = watching.nextSetBit(0); node >= 0; node = watching.nextSetBit(node + 1)) {
      found.add(queue(node));
    }
    return found;
  }

  /** {@return whether a queue of the tree watches for changes} */
  public boolean isWatched() {
    return !watching.isEmpty();
  }

  void setWatching(int node, boolean nowWatching) {
    watching.set(node, nowWatching);
  }

  /** {@return the usage of each queue by node and column, summed over its holders} */
  long[][] countUsage(QuotaTree tree) {
    long[][] usage = new long[queues.length][tree.columnCount()];
    for (int node = 0; node < queues.length; node++) {
      QueueQuota queue = queues[node];
      if (queue != null) {
        queue.countUsage(tree, usage[node]);
      }
    }
    return usage;
  }
}
