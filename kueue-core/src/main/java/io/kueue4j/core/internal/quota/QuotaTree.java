package io.kueue4j.core.internal.quota;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.TreeNode.DeclaredQuota;
import io.kueue4j.core.internal.versioned.AmountLog;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Part;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Quota and usage of one tree of cohorts: a root, its cohorts and ClusterQueues, or a ClusterQueue
 * alone.
 *
 * <p>A node is a dense number, parents before children and cohorts before queues, 0 the root. A
 * column is a dense number for a pair of flavor and resource that some node of the tree declares or
 * uses. Quotas never change; a new configuration gets a new tree.
 *
 * <p>Trial changes of usage happen between {@link #checkpoint()} and {@link #rollback(int)}, which
 * restores every number.
 *
 * <p>Rules.
 */
public final class QuotaTree extends Part {
  /*
   * All amounts of a kind are in one array, with the columns of a node side by side, so that a
   * decision reads adjacent memory. Usage is kept at every node as rule Q-4 defines it and updated
   * along the path to the root, so that a query costs the depth of the node and not the size of the
   * tree.
   */
  private static final int RECURSION_LIMIT = 100;

  private final TreeQuotas quotas;
  private final TreeLayout layout;

  // Arrays of the quotas that every decision reads, without the step through the quotas.
  private final int[] parent;
  private final int columns;
  private final long[] borrowingLimit;
  private final long[] subtree;
  private final long[] local;

  private final int[] height;
  private final long[] usage;

  /** The nodes whose usage exceeds the subtree quota; derived from {@link #usage}. */
  private final Borrowers borrowers;

  private int openTrials;

  /** What the usage was before each change of the current call, in trials and outside. */
  private final AmountLog usageLog = new AmountLog();

  /** The moment whose changes outside of trials the journal of the state takes back. */
  private long recordedMoment = -1;

  private TrialParticipant participant = TrialParticipant.NONE;

  /**
   * Creates a tree without usage.
   *
   * @param nodes the nodes, parents before their children
   * @param pairs the pair of each column
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the usage was
   */
  QuotaTree(List<TreeNode> nodes, FlavorResource[] pairs, boolean exact, Journal journal) {
    super(journal);
    this.quotas = new TreeQuotas(nodes, pairs, exact);
    this.layout = new TreeLayout(nodes, quotas);
    this.height = new int[nodes.size()];
    this.usage = new long[nodes.size() * pairs.length];
    this.borrowers = new Borrowers(pairs.length);
    this.parent = quotas.parent;
    this.columns = pairs.length;
    this.borrowingLimit = quotas.borrowingLimit;
    this.subtree = quotas.subtree;
    this.local = quotas.local;
  }

  /** Creates a copy of a tree, with its present usage. */
  private QuotaTree(QuotaTree other, TreeLayout layout, Journal journal) {
    super(journal);
    this.quotas = other.quotas;
    this.layout = layout;
    this.height = other.height.clone();
    this.usage = other.usage.clone();
    this.borrowers = new Borrowers(other.borrowers);
    this.parent = other.parent;
    this.columns = other.columns;
    this.borrowingLimit = other.borrowingLimit;
    this.subtree = other.subtree;
    this.local = other.local;
  }

  /**
   * {@return a copy with the present usage, including trial changes, but without observers and
   * participant; its queues are in this tree}
   */
  public QuotaTree copy(Journal journalOfCopy) {
    return new QuotaTree(this, layout, journalOfCopy);
  }

  /** {@return copies of the queues of this tree, in a copy of it without observers} */
  List<QueueQuota> copyQueues(Journal journalOfCopies, TrialParticipant participantOfCopies) {
    checkState(!isInTrial(), "a tree cannot be copied during a trial");
    TreeLayout layoutOfCopies = new TreeLayout(layout);
    QuotaTree copy = new QuotaTree(this, layoutOfCopies, journalOfCopies);
    copy.setParticipant(participantOfCopies);
    List<QueueQuota> copies = new ArrayList<>();
    layout.forEachQueue(queue -> copies.add(new QueueQuota(queue, copy, journalOfCopies)));
    layoutOfCopies.setQueues(copies);
    return copies;
  }

  /**
   * Sets the usage of every ClusterQueue, by column as {@code ofQueue} returns it, and computes the
   * usage of the cohorts.
   */
  void resetUsage(Function<QueueQuota, long[]> ofQueue) {
    checkState(!isInTrial(), "usage cannot be counted anew during a trial");
    long[] counted = new long[usage.length];
    for (int node = 0; node < parent.length; node++) {
      if (layout.isQueue(node)) {
        System.arraycopy(ofQueue.apply(layout.queue(node)), 0, counted, at(node, 0), columns);
      }
    }
    for (int at = usage.length - 1; at >= 0; at--) {
      int node = at / columns;
      if (hasParent(node)) {
        int above = at(parent[node], at % columns);
        counted[above] =
            Amount.add(counted[above], Math.max(0, Amount.subtract(counted[at], local[at])));
      }
      if (counted[at] != usage[at]) {
        setUsage(at, counted[at]);
      }
    }
  }

  /** Recomputes the heights of the cohorts, to which active ClusterQueues contribute. */
  void computeHeights() {
    Arrays.fill(height, 0);
    for (int node = parent.length - 1; node > 0; node--) {
      if (!layout.isQueue(node) || layout.queue(node).isActive()) {
        height[parent[node]] = Math.max(height[parent[node]], height[node] + 1);
      }
    }
  }

  /** {@return the properties of the nodes other than amounts} */
  public TreeLayout layout() {
    return layout;
  }

  /** {@return the number of nodes} */
  public int nodeCount() {
    return parent.length;
  }

  /** {@return the number of columns} */
  public int columnCount() {
    return columns;
  }

  /** {@return the pair of a column} */
  public FlavorResource pair(int column) {
    return quotas.pairOfColumn[column];
  }

  /** {@return the column of a pair, negative if no node of the tree declares or uses it} */
  public int column(FlavorResource pair) {
    return quotas.columnOfPair.get(pair);
  }

  /** {@return whether the node has a parent} */
  public boolean hasParent(int node) {
    return parent[node] >= 0;
  }

  /** {@return the quota that the node declares itself} */
  public long nominal(int node, int column) {
    return quotas.nominal[at(node, column)];
  }

  /**
   * {@return how much the node may use beyond its subtree quota, {@link Amount#UNLIMITED} for no
   * limit}
   */
  public long borrowingLimit(int node, int column) {
    long limit = borrowingLimit[at(node, column)];
    return limit == DeclaredQuota.NO_LIMIT ? Amount.UNLIMITED : limit;
  }

  /** {@return the quota of the node plus what its children lend} */
  public long subtree(int node, int column) {
    return subtree[at(node, column)];
  }

  /** {@return whether the node or a descendant declares a quota for the column, even 0} */
  public boolean isDeclared(int node, int column) {
    return quotas.declared[at(node, column)];
  }

  /** {@return the part of the node's quota that it never lends} */
  long local(int node, int column) {
    return local[at(node, column)];
  }

  /** {@return the part of the node's own quota that it never lends and does not use} */
  public long localAvailable(int node, int column) {
    return localAvailable(at(node, column));
  }

  /** {@return the usage of the node} */
  public long usage(int node, int column) {
    return usage[at(node, column)];
  }

  /** {@return the greatest request that could ever be admitted at the node, regardless of usage} */
  public long potential(int node, int column) {
    return quotas.potential[at(node, column)];
  }

  /**
   * {@return the amount available to the ClusterQueue {@code node}, with what it may borrow from
   * its cohorts; 0 if it or its cohort exceeds its quota}
   */
  public long available(int node, int column) {
    return Math.max(0, balance(node, column));
  }

  /**
   * {@return the amount available to the node; negative by the amount by which it or an ancestor
   * exceeds its quota}
   */
  public long balance(int node, int column) {
    if (quotas.depth > RECURSION_LIMIT) {
      return balanceFromRoot(node, column);
    }
    return hasParent(node)
        ? balance(node, column, balance(parent[node], column))
        : Amount.subtract(subtree[at(node, column)], usage[at(node, column)]);
  }

  private long balance(int node, int column, long ofParent) {
    long fromParent = Math.min(ofParent, borrowable(node, column));
    return Amount.add(localAvailable(at(node, column)), fromParent);
  }

  /** Like {@link #balance}, but without recursion, for deep trees. */
  private long balanceFromRoot(int node, int column) {
    int[] path = new int[quotas.depth + 1];
    int length = 0;
    for (int above = node; hasParent(above); above = parent[above]) {
      path[length++] = above;
    }
    int root = length == 0 ? node : parent[path[length - 1]];
    long balance = Amount.subtract(subtree[at(root, column)], usage[at(root, column)]);
    for (int i = length - 1; i >= 0; i--) {
      balance = balance(path[i], column, balance);
    }
    return balance;
  }

  /**
   * {@return how much the node may still borrow within its borrowing limit, unlimited if it has
   * none}
   */
  long borrowable(int node, int column) {
    int at = at(node, column);
    if (borrowingLimit[at] == DeclaredQuota.NO_LIMIT) {
      return Amount.UNLIMITED;
    }
    long taken = Math.max(0, Amount.subtract(usage[at], local[at]));
    return Amount.add(Amount.subtract(quotas.lent(at), taken), borrowingLimit[at]);
  }

  /** {@return whether the node would use more than its own quota with {@code amount} more} */
  public boolean borrowsWith(int node, int column, long amount) {
    int at = at(node, column);
    return subtree[at] < Amount.add(usage[at], amount);
  }

  /**
   * {@return the most that a node may use so that {@code amount} has room there, or may be borrowed
   * if it has a parent}
   */
  long mostWithRoom(int node, int column, long amount) {
    int at = at(node, column);
    if (!hasParent(node)) {
      return Amount.subtract(subtree[at], amount);
    }
    return borrowingLimit[at] == DeclaredQuota.NO_LIMIT
        ? Amount.UNLIMITED
        : Amount.subtract(Amount.add(subtree[at], borrowingLimit[at]), amount);
  }

  /** {@return the nodes whose usage exceeds their own quota} */
  public Borrowers borrowers() {
    return borrowers;
  }

  /**
   * Finds the smallest subtree around the ClusterQueue {@code node} whose own quota has room for
   * {@code amount} more.
   *
   * @return its height, with the lowest bit set if quota could be reclaimed from outside it; decode
   *     it with {@link #level(int)} and {@link #mayReclaim(int)}
   */
  public int borrowing(int node, int column, long amount) {
    if (!hasParent(node) || !borrowsWith(node, column, amount)) {
      return hasParent(node) ? 1 : 0;
    }
    long rest = Amount.subtract(amount, localAvailable(at(node, column)));
    int ancestor = parent[node];
    while (borrowsWith(ancestor, column, rest)) {
      if (!hasParent(ancestor)) {
        return height[ancestor] << 1;
      }
      rest = Amount.subtract(rest, localAvailable(at(ancestor, column)));
      ancestor = parent[ancestor];
    }
    return (height[ancestor] << 1) | (hasParent(ancestor) ? 1 : 0);
  }

  /** {@return the borrow level in what {@link #borrowing} returned, 0 for no borrowing} */
  public static int level(int borrowing) {
    return borrowing >> 1;
  }

  /** {@return whether the subtree that {@link #borrowing} found is not the whole tree} */
  public static boolean mayReclaim(int borrowing) {
    return (borrowing & 1) != 0;
  }

  /**
   * Adds {@code amount} to the usage of {@code node}; the part that exceeds its local quota is
   * added to its ancestors.
   */
  public void add(int node, int column, long amount) {
    long rest = amount;
    for (int above = node; above >= 0; above = parent[above]) {
      int at = at(above, column);
      long free = localAvailable(at);
      setUsage(at, Amount.add(usage[at], rest));
      if (rest <= free) {
        return;
      }
      rest = Amount.subtract(rest, free);
    }
  }

  /**
   * Removes {@code amount} from the usage of {@code node}, and from its ancestors as far as it was
   * added there.
   */
  public void remove(int node, int column, long amount) {
    long rest = amount;
    for (int above = node; above >= 0; above = parent[above]) {
      int at = at(above, column);
      long added = Amount.subtract(usage[at], local[at]);
      setUsage(at, Amount.subtract(usage[at], rest));
      if (added <= 0) {
        return;
      }
      rest = Math.min(rest, added);
    }
  }

  /** {@return whether a usage of the node or an ancestor is a saturated sum} */
  boolean isSaturated(int node) {
    for (int above = node; above >= 0; above = parent[above]) {
      for (int at = at(above, 0); at < at(above + 1, 0); at++) {
        if (Amount.isUnlimited(usage[at])) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@return the participant in the trials of the tree} */
  public TrialParticipant participant() {
    return participant;
  }

  /** Makes {@code participant} take part in the trials of the tree. */
  void setParticipant(TrialParticipant participant) {
    this.participant = participant;
  }

  /** {@return the result of {@code action}, a trial that is rolled back} */
  public <R extends @Nullable Object> R inTrial(Supplier<R> action) {
    int checkpoint = checkpoint();
    try {
      return action.get();
    } finally {
      rollback(checkpoint);
    }
  }

  /**
   * Starts a trial.
   *
   * @return the argument for {@link #rollback} that undoes all changes from here on
   */
  public int checkpoint() {
    Journal unused = changing();
    participant.checkpoint();
    openTrials++;
    return usageLog.size();
  }

  /** Undoes all changes since {@code checkpoint} and ends that trial. */
  public void rollback(int checkpoint) {
    rewind(checkpoint);
    openTrials--;
    participant.rollback();
  }

  /** {@return the argument for {@link #rewind} that undoes all changes of usage from here on} */
  public int mark() {
    checkState(isInTrial(), "changes can be undone during a trial only");
    return usageLog.size();
  }

  /**
   * Undoes all changes of usage since {@code mark}; the trial continues, and its participant is not
   * affected.
   */
  public void rewind(int mark) {
    while (usageLog.size() > mark) {
      put(usageLog.lastIndex(), usageLog.lastAmount());
      usageLog.removeLast();
    }
  }

  /** {@return whether a trial is open} */
  public boolean isInTrial() {
    return openTrials > 0;
  }

  /** {@return the usage by {@link #at}, which must not be changed} */
  long[] usage() {
    return usage;
  }

  /** In a trial, sets the usage of a node alone. */
  void setUsage(int node, int column, long amount) {
    checkState(isInTrial(), "the usage of a single node can be set during a trial only");
    if (usage[at(node, column)] != amount) {
      setUsage(at(node, column), amount);
    }
  }

  private void setUsage(int at, long value) {
    if (openTrials > 0 || isRecorded()) {
      usageLog.add(at, usage[at]);
    }
    put(at, value);
  }

  /** {@return whether a call is in progress, which may fail, so that changes are recorded} */
  private boolean isRecorded() {
    Journal journal = changing();
    if (journal.isOpen() && recordedMoment != journal.moment()) {
      usageLog.clear();
      recordedMoment = journal.moment();
      journal.add(QuotaTree::rewind, this, 0);
    }
    return journal.isOpen();
  }

  private void put(int at, long value) {
    boolean borrowed = subtree[at] < usage[at];
    boolean borrows = subtree[at] < value;
    usage[at] = value;
    if (borrows != borrowed) {
      borrowers.change(at / columns, at % columns, borrows);
    }
    if (borrowers.isUsageObserved()) {
      borrowers.usageChanged(at / columns);
    }
  }

  private long localAvailable(int at) {
    return Math.max(0, Amount.subtract(local[at], usage[at]));
  }

  /** {@return the index of a column of a node} */
  int at(int node, int column) {
    return node * columns + column;
  }

  /** {@return the parent of a node, negative for the root} */
  public int parent(int node) {
    return parent[node];
  }
}
