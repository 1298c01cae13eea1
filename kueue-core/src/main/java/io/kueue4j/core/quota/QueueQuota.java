package io.kueue4j.core.quota;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledQueue;
import io.kueue4j.core.compiled.IdsInUse;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue and its place in a {@link QuotaTree}.
 *
 * <p>Rules.
 */
public final class QueueQuota {
  private CompiledQueue compiled;
  private QuotaTree tree;
  private TreeLayout layout;
  private int node;
  private final List<QuotaHolder> holders;
  private long generation;
  private boolean active = true;
  private boolean watching;
  NodeQuota quota;

  @Nullable
  CohortNode cohort;

  QueueQuota(CompiledQueue compiled, NodeQuota quota) {
    this.compiled = compiled;
    this.quota = quota;
    this.holders = new ArrayList<>();
    this.tree = new QuotaTree(
        QuotaTree.rootOnly(), new boolean[] {true}, new NodeQuota[] {quota}, quota.pairs);
    this.layout = new TreeLayout(
        tree, new @Nullable QueueQuota[] {this}, new double[] {1}, new int[quota.pairs.length]);
  }

  /** Creates the counterpart of a queue in a copy of its tree, without cohort yet. */
  QueueQuota(QueueQuota other, Catalog forkOfCatalog, QuotaTree tree, TreeLayout layout) {
    this.compiled = other.compiled.in(forkOfCatalog);
    this.quota = other.quota;
    this.tree = tree;
    this.layout = layout;
    this.node = other.node;
    this.generation = other.generation;
    this.active = other.active;
    this.watching = other.watching;
    this.holders = new ArrayList<>(other.holders.size());
    other.holders.forEach(holder -> holders.add(holder.copy(this)));
  }

  /** {@return which of its holders corresponds to one of the queue that this was copied from} */
  public QuotaHolder counterpart(QuotaHolder original) {
    return holders.get(original.index());
  }

  /** Adds the ids that it refers to. */
  void addIds(IdsInUse inUse) {
    compiled.addIds(inUse);
    inUse.addPairs(quota.pairs);
    tree.addIds(inUse);
    for (QuotaHolder holder : holders) {
      holder.addIds(inUse);
    }
  }

  /** {@return the queue} */
  public CompiledQueue compiled() {
    return compiled;
  }

  /** {@return the name} */
  public String name() {
    return compiled.source().name();
  }

  /** {@return the names of the cohorts above it, up to the root} */
  public ImmutableList<String> cohortsAbove() {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (CohortNode above = cohort; above != null; above = above.parent) {
      names.add(above.name);
    }
    return names.build();
  }

  /** {@return the tree that it stands in} */
  public QuotaTree tree() {
    return tree;
  }

  /** {@return what belongs to the nodes of the tree} */
  public TreeLayout layout() {
    return layout;
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

  /** Sets the generation back to what it was. */
  public void setGeneration(long before) {
    generation = before;
  }

  /** {@return whether somebody waits for a change in the tree} */
  public boolean isWatching() {
    return watching;
  }

  /** Advances the generation. */
  public void advanceGeneration() {
    generation++;
  }

  /** {@return whether it takes part in scheduling} */
  public boolean isActive() {
    return active;
  }

  /** Says whether somebody waits for a change in the tree, wherever the queue stands. */
  public void setWatching(boolean nowWatching) {
    watching = nowWatching;
    layout.setWatching(node, nowWatching);
  }

  /** {@return what one more workload could use of a pair} */
  public long available(int pair) {
    int column = tree.column(pair);
    return column < 0 ? 0 : tree.available(node, column);
  }

  /** {@return the usage of a pair} */
  public long usage(int pair) {
    int column = tree.column(pair);
    return column < 0 ? 0 : tree.usage(node, column);
  }

  /** {@return the workloads that hold its quota, in no order that matters; not to be changed} */
  public List<QuotaHolder> holders() {
    return holders;
  }

  /** Adds a workload that holds its quota, and charges it. */
  public void add(QuotaHolder holder) {
    holder.setIndex(holders.size());
    holders.add(holder);
    holder.chargeQuota();
    tree.participant().commit(holder.footprint());
    holder.joinCandidates();
  }

  /**
   * Removes a workload that holds its quota, and takes back what it held.
   *
   * <p>Where a sum had left the 64-bit range, taking back would leave too little, a credit even; so
   * usage is counted anew there.
   */
  public void remove(QuotaHolder holder) {
    holder.leaveCandidates();
    QuotaHolder last = holders.remove(holders.size() - 1);
    if (last.index() != holder.index()) {
      last.setIndex(holder.index());
      holders.set(holder.index(), last);
    }
    holder.setIndex(QuotaHolder.NOT_HELD);
    if (tree.isSaturated(node)) {
      tree.resetUsage(layout.countUsage(tree));
    } else {
      holder.unchargeQuota();
    }
    tree.participant().withdraw(holder.footprint());
    advanceGeneration();
  }

  /** Adds what its workloads hold, by column of {@code inTree}. */
  void countUsage(QuotaTree inTree, long[] usage) {
    for (QuotaHolder holder : holders) {
      for (int i = 0; i < holder.size(); i++) {
        int column = inTree.column(holder.pair(i));
        usage[column] = Amount.add(usage[column], holder.amount(i));
      }
    }
  }

  void place(QuotaTree newTree, TreeLayout newLayout, int newNode) {
    tree = newTree;
    layout = newLayout;
    node = newNode;
    layout.setWatching(node, watching);
  }

  void update(CompiledQueue newCompiled) {
    compiled = newCompiled;
    tree.borrowers().tellOfQueue(node);
  }

  void setActive(boolean nowActive) {
    active = nowActive;
    tree.borrowers().tellOfQueue(node);
  }
}
