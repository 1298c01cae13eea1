package io.kueue4j.core.internal.quota;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Part;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A ClusterQueue with its node in a {@link QuotaTree} and the workloads that hold its quota.
 *
 * <p>Rules.
 */
public final class QueueQuota extends Part {
  private final VersionedMap<WorkloadId, QuotaHolder> holders;

  /** The holders that searches for victims ignore at the moment. */
  private final Set<QuotaHolder> aside = new HashSet<>();

  private CompiledQueue compiled;
  private QuotaTree tree;
  private int node;
  private long generation;
  private boolean active = true;
  private boolean watching;

  /** Creates a queue, which has no quota until it is placed in a tree. */
  QueueQuota(CompiledQueue compiled, Journal journal) {
    super(journal);
    this.compiled = compiled;
    this.holders = new VersionedMap<>(journal);
    TreeNode alone = new TreeNode(TreeNode.NO_PARENT, name(), List.of(), 1, this);
    this.tree = new QuotaTree(List.of(alone), new FlavorResource[0], false, journal);
  }

  /** Creates a copy of a queue for a copy of its tree. */
  QueueQuota(QueueQuota other, QuotaTree tree, Journal journal) {
    super(journal);
    this.compiled = other.compiled;
    this.tree = tree;
    this.node = other.node;
    this.generation = other.generation;
    this.active = other.active;
    this.watching = other.watching;
    this.holders = new VersionedMap<>(journal);
    holders.share(other.holders);
  }

  /** {@return the queue} */
  public CompiledQueue compiled() {
    return compiled;
  }

  /** {@return the ClusterQueue as it was applied} */
  public ClusterQueue spec() {
    return compiled.source();
  }

  /** {@return the name} */
  public String name() {
    return compiled.source().name();
  }

  /** {@return the names of its cohorts in the built tree, from the parent to the root} */
  public ImmutableList<String> cohortsAbove() {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (int above = tree.parent(node); above >= 0; above = tree.parent(above)) {
      names.add(tree.layout().name(above));
    }
    return names.build();
  }

  /** {@return its tree} */
  public QuotaTree tree() {
    return tree;
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

  /** {@return whether a workload of the queue waits for a change in the tree} */
  public boolean isWatching() {
    return watching;
  }

  /** Advances the generation. */
  public void advanceGeneration() {
    changing().add(QueueQuota::restoreGeneration, this, generation);
    generation++;
  }

  private void restoreGeneration(long before) {
    generation = before;
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
    changing().add(QueueQuota::restoreWatching, this, watching);
    restoreWatching(nowWatching);
  }

  private void restoreWatching(boolean nowWatching) {
    watching = nowWatching;
    tree.layout().setWatching(node, nowWatching);
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

  /** {@return the workloads that hold its quota, in no particular order} */
  public List<QuotaHolder> holders() {
    return holders.values();
  }

  /** {@return the number of workloads that hold its quota} */
  public int holderCount() {
    return holders.size();
  }

  /** Adds a holder and charges it. */
  public void add(QuotaHolder holder) {
    Journal journal = changing();
    holders.set(holder.id(), holder);
    chargeQuota(holder);
    if (!holder.footprint().isEmpty()) {
      tree.participant().commit(holder.footprint());
      journal.add(TrialParticipant::withdraw, tree.participant(), holder.footprint());
    }
    tree.borrowers().holderAdded(node, holder);
  }

  /**
   * Removes a holder and its charge.
   *
   * <p>If a sum had left the 64-bit range, subtraction would leave too little, even a negative
   * amount; in that case usage is counted anew.
   */
  public void remove(QuotaHolder holder) {
    Journal journal = changing();
    tree.borrowers().holderRemoved(node, holder);
    holders.set(holder.id(), null);
    if (tree.isSaturated(node)) {
      tree.resetUsage(queue -> queue.countUsage(tree));
    } else {
      unchargeQuota(holder);
    }
    if (!holder.footprint().isEmpty()) {
      tree.participant().withdraw(holder.footprint());
      journal.add(TrialParticipant::commit, tree.participant(), holder.footprint());
    }
    advanceGeneration();
  }

  /** Replaces a holder by another one with the same charge. */
  public void replace(QuotaHolder old, QuotaHolder other) {
    Journal unused = changing();
    tree.borrowers().holderRemoved(node, old);
    holders.set(other.id(), other);
    tree.borrowers().holderAdded(node, other);
  }

  /** {@return whether searches for victims ignore a holder at the moment} */
  public boolean isSetAside(QuotaHolder holder) {
    return aside.contains(holder);
  }

  /** {@return the holders that searches for victims ignore at the moment} */
  public Set<QuotaHolder> aside() {
    return aside;
  }

  /** Sets whether searches for victims ignore a holder, in a trial. */
  public void setAside(QuotaHolder holder, boolean isAside) {
    if (isAside ? aside.add(holder) : aside.remove(holder)) {
      if (isAside) {
        tree.borrowers().holderRemoved(node, holder);
      } else {
        tree.borrowers().holderAdded(node, holder);
      }
    }
  }

  /** In a trial, adds the amounts of a holder to the usage, and its footprint. */
  public void charge(QuotaHolder holder) {
    chargeQuota(holder);
    tree.participant().charge(holder.footprint());
  }

  /** In a trial, removes the amounts of a holder from the usage, and its footprint. */
  public void uncharge(QuotaHolder holder) {
    unchargeQuota(holder);
    tree.participant().uncharge(holder.footprint());
  }

  /** In a trial, adds the amounts of a holder to the usage, without its footprint. */
  public void chargeQuota(QuotaHolder holder) {
    for (int i = 0; i < holder.size(); i++) {
      tree.add(node, tree.column(holder.pair(i)), holder.amount(i));
    }
  }

  /** In a trial, removes the amounts of a holder from the usage; its footprint stays. */
  public void unchargeQuota(QuotaHolder holder) {
    for (int i = 0; i < holder.size(); i++) {
      tree.remove(node, tree.column(holder.pair(i)), holder.amount(i));
    }
  }

  /** {@return the amounts that its workloads hold, by column of {@code inTree}} */
  private long[] countUsage(QuotaTree inTree) {
    long[] usage = new long[inTree.columnCount()];
    for (QuotaHolder holder : holders()) {
      for (int i = 0; i < holder.size(); i++) {
        int column = inTree.column(holder.pair(i));
        usage[column] = Amount.add(usage[column], holder.amount(i));
      }
    }
    return usage;
  }

  /** {@return a copy of its tree with the usage counted anew} */
  public QuotaTree countedAnew() {
    QuotaTree counted = tree.copy(new Journal());
    counted.resetUsage(queue -> queue.countUsage(counted));
    return counted;
  }

  /** {@return its usage, by column of {@code other}} */
  long[] usageIn(QuotaTree other) {
    long[] usage = new long[other.columnCount()];
    Arrays.setAll(usage, column -> usage(other.pair(column)));
    return usage;
  }

  /** Moves the queue to a node of another tree, or of the one that replaces its tree. */
  void place(QuotaTree newTree, int newNode) {
    changing().add(QueueQuota::restorePlace, this, tree, node);
    restorePlace(newTree, newNode);
    tree.layout().setWatching(node, watching);
  }

  private void restorePlace(QuotaTree treeBefore, int nodeBefore) {
    tree = treeBefore;
    node = nodeBefore;
  }

  /** Sets the ClusterQueue, whose quotas apply from the next tree on. */
  void setSpec(CompiledQueue newCompiled) {
    changing().add(QueueQuota::restoreSpec, this, compiled);
    restoreSpec(newCompiled);
    tree.borrowers().queueChanged(node);
  }

  private void restoreSpec(CompiledQueue compiledBefore) {
    compiled = compiledBefore;
  }

  void setActive(boolean nowActive) {
    active = nowActive;
    tree.borrowers().queueChanged(node);
  }
}
