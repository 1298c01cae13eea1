package io.kueue4j.core.internal.quota;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue with its node in a {@link QuotaTree} and the workloads that hold its quota.
 *
 * <p>Rules.
 */
public final class QueueQuota {
  private final Journal journal;
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

  QueueQuota(CompiledQueue compiled, NodeQuota quota, Journal journal) {
    this.journal = journal;
    this.compiled = compiled;
    this.quota = quota;
    this.holders = new ArrayList<>();
    this.tree = new QuotaTree(
        QuotaTree.rootOnly(), new boolean[] {true}, new NodeQuota[] {quota}, quota.pairs, false);
    this.layout = new TreeLayout(
        tree, new @Nullable QueueQuota[] {this}, new double[] {1}, new int[quota.pairs.length]);
  }

  /** Creates a copy of a queue for a copy of its tree, still without cohort. */
  QueueQuota(QueueQuota other, QuotaTree tree, TreeLayout layout, Journal journal) {
    this.journal = journal;
    this.compiled = other.compiled;
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

  /** {@return the holder of this copy that corresponds to a holder of the original queue} */
  public QuotaHolder counterpart(QuotaHolder original) {
    return holders.get(original.index());
  }

  /** {@return the queue} */
  public CompiledQueue compiled() {
    return compiled;
  }

  /** {@return the name} */
  public String name() {
    return compiled.source().name();
  }

  /** {@return the names of its cohorts, from the parent to the root} */
  public ImmutableList<String> cohortsAbove() {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (CohortNode above = cohort; above != null; above = above.parent) {
      names.add(above.name);
    }
    return names.build();
  }

  /** {@return its tree} */
  public QuotaTree tree() {
    return tree;
  }

  /** {@return the layout of its tree} */
  public TreeLayout layout() {
    return layout;
  }

  /** {@return its node in the tree} */
  public int node() {
    return node;
  }

  /**
   * {@return a number that grows whenever quota may have become available: quotas were recomputed
   * or a workload was removed}
   */
  public long generation() {
    return generation;
  }

  private void restoreGeneration(long before) {
    generation = before;
  }

  /** {@return whether a workload of the queue waits for a change in the tree} */
  public boolean isWatching() {
    return watching;
  }

  /** Advances the generation. */
  public void advanceGeneration() {
    journal.add(QueueQuota::restoreGeneration, this, generation);
    generation++;
  }

  /** {@return whether the queue takes part in scheduling} */
  public boolean isActive() {
    return active;
  }

  /**
   * Sets whether a workload of the queue waits for a change in the tree; kept when the queue moves
   * to another tree.
   */
  public void setWatching(boolean nowWatching) {
    journal.add(QueueQuota::restoreWatching, this, watching);
    restoreWatching(nowWatching);
  }

  private void restoreWatching(boolean nowWatching) {
    watching = nowWatching;
    layout.setWatching(node, nowWatching);
  }

  /** {@return the amount of a pair available to one more workload} */
  public long available(FlavorResource pair) {
    int column = tree.column(pair);
    return column < 0 ? 0 : tree.available(node, column);
  }

  /** {@return the usage of a pair} */
  public long usage(FlavorResource pair) {
    int column = tree.column(pair);
    return column < 0 ? 0 : tree.usage(node, column);
  }

  /** {@return the workloads that hold its quota, in no particular order; must not be changed} */
  public List<QuotaHolder> holders() {
    return holders;
  }

  /** {@return the journal of its state} */
  public Journal journal() {
    return journal;
  }

  /** Adds a holder and charges it. */
  public void add(QuotaHolder holder) {
    hold(holder);
    journal.add(QueueQuota::release, this, holder);
  }

  private void hold(QuotaHolder holder) {
    holder.setIndex(holders.size());
    holders.add(holder);
    holder.chargeQuota();
    tree.participant().commit(holder.footprint());
    holder.joinCandidates();
  }

  /**
   * Removes a holder and its charge.
   *
   * <p>If a sum had left the 64-bit range, subtraction would leave too little, even a negative
   * amount; in that case usage is counted anew.
   */
  public void remove(QuotaHolder holder) {
    release(holder);
    journal.add(QueueQuota::hold, this, holder);
    advanceGeneration();
  }

  private void release(QuotaHolder holder) {
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
  }

  /** Adds the amounts that its workloads hold, by column of {@code inTree}. */
  void countUsage(QuotaTree inTree, long[] usage) {
    for (QuotaHolder holder : holders) {
      for (int i = 0; i < holder.size(); i++) {
        int column = inTree.column(holder.pair(i));
        usage[column] = Amount.add(usage[column], holder.amount(i));
      }
    }
  }

  /** {@return a copy of its tree with the usage counted anew} */
  public QuotaTree countedAnew() {
    QuotaTree counted = tree.copy();
    counted.resetUsage(layout.countUsage(counted));
    return counted;
  }

  void place(QuotaTree newTree, TreeLayout newLayout, int newNode) {
    tree = newTree;
    layout = newLayout;
    node = newNode;
    layout.setWatching(node, watching);
  }

  void update(CompiledQueue newCompiled) {
    compiled = newCompiled;
    tree.borrowers().queueChanged(node);
  }

  void setActive(boolean nowActive) {
    active = nowActive;
    tree.borrowers().queueChanged(node);
  }
}
