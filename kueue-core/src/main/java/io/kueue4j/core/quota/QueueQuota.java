package io.kueue4j.core.quota;

import io.kueue4j.core.compiled.CompiledQueue;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue and its place in a {@link QuotaTree}.
 *
 * <p>Rules: Q-18 … Q-20.
 */
public final class QueueQuota {
  private CompiledQueue compiled;
  private QuotaTree tree;
  private int node;
  private long generation;
  private boolean active = true;
  NodeQuota quota;

  @Nullable
  CohortNode cohort;

  QueueQuota(CompiledQueue compiled, NodeQuota quota) {
    this.compiled = compiled;
    this.quota = quota;
    this.tree = new QuotaTree(
        QuotaTree.rootOnly(), new boolean[] {true}, new NodeQuota[] {quota}, quota.pairs);
  }

  /** {@return the queue} */
  public CompiledQueue compiled() {
    return compiled;
  }

  /** {@return the name} */
  public String name() {
    return compiled.source().name();
  }

  /** {@return the tree that it stands in} */
  public QuotaTree tree() {
    return tree;
  }

  /** {@return its node in the tree} */
  public int node() {
    return node;
  }

  /**
   * {@return a number that grows whenever room may have appeared: quotas recomputed, a workload
   * taken out}
   */
  public long generation() {
    return generation;
  }

  /** Advances the generation. */
  public void advanceGeneration() {
    generation++;
  }

  /** {@return whether it takes part in scheduling} */
  public boolean isActive() {
    return active;
  }

  /** {@return what one more workload could use of a pair} */
  public long available(int pair) {
    return tree.available(node, tree.column(pair));
  }

  /** {@return the usage of a pair} */
  public long usage(int pair) {
    int column = tree.column(pair);
    return column < 0 ? 0 : tree.usage(node, column);
  }

  void place(QuotaTree newTree, int newNode) {
    tree = newTree;
    node = newNode;
  }

  void update(CompiledQueue newCompiled) {
    compiled = newCompiled;
  }

  void setActive(boolean nowActive) {
    active = nowActive;
  }
}
