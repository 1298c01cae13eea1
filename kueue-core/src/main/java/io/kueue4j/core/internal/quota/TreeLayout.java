package io.kueue4j.core.internal.quota;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the nodes of a {@link QuotaTree} other than amounts: names, queues, weights,
 * and how much of each resource a node could lend to its members. Immutable, except for which
 * queues watch for changes; {@link QueueQuota} keeps that when it moves to another tree.
 *
 * <p>Rules: H-4, M-9.
 */
public final class TreeLayout {
  private final String[] names;
  private final @Nullable QueueQuota[] queues;
  private final double[] weights;
  private final int[] resourceOfColumn;
  private final int resourceCount;
  private final long[] lendable;
  private final BitSet watching = new BitSet();
  private final Map<String, QueueQuota> byName = new HashMap<>();

  /** Creates the layout of a tree of {@code nodes}. */
  TreeLayout(List<TreeNode> nodes, TreeQuotas quotas) {
    this.names = nodes.stream().map(TreeNode::name).toArray(String[]::new);
    this.queues = new @Nullable QueueQuota[nodes.size()];
    this.weights = nodes.stream().mapToDouble(TreeNode::weight).toArray();
    List<String> resourceNames =
        Arrays.stream(quotas.pairOfColumn).map(pair -> pair.resource().name()).toList();
    List<String> resources = resourceNames.stream().distinct().sorted().toList();
    this.resourceOfColumn = resourceNames.stream().mapToInt(resources::indexOf).toArray();
    this.resourceCount = resources.size();
    this.lendable = new long[nodes.size() * resourceCount];
    for (int node = 0; node < nodes.size(); node++) {
      queues[node] = nodes.get(node).queue();
      for (int column = 0; column < resourceOfColumn.length; column++) {
        int at = node * resourceCount + resourceOfColumn[column];
        lendable[at] = Amount.add(lendable[at], quotas.potential[quotas.at(node, column)]);
      }
    }
  }

  /** Creates the layout of a copy of a tree, still without its queues. */
  TreeLayout(TreeLayout other) {
    this.names = other.names;
    this.queues = new @Nullable QueueQuota[other.queues.length];
    this.weights = other.weights;
    this.resourceOfColumn = other.resourceOfColumn;
    this.resourceCount = other.resourceCount;
    this.lendable = other.lendable;
    this.watching.or(other.watching);
  }

  void setQueues(List<QueueQuota> copies) {
    copies.forEach(copy -> queues[copy.node()] = copy);
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

  /** {@return the name of a ClusterQueue or cohort} */
  public String name(int node) {
    return names[node];
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

  /** {@return the names of the cohorts of the tree, parents before children} */
  public List<String> cohorts() {
    return IntStream.range(0, names.length)
        .filter(node -> !isQueue(node))
        .mapToObj(this::name)
        .toList();
  }

  /** {@return the weight of a node} */
  public double weight(int node) {
    // The weight of a queue may change without a new tree.
    QueueQuota queue = queues[node];
    return queue == null ? weights[node] : queue.compiled().source().fairSharingWeight();
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
}
