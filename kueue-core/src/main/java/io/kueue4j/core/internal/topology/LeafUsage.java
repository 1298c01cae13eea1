package io.kueue4j.core.internal.topology;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.compiled.ColumnMap;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.versioned.AmountLog;
import java.util.Arrays;

/**
 * The free amounts on the leaves of a topology: capacity minus the usage of other pods, admitted
 * workloads, and earlier pod sets of the workload that is being placed.
 *
 * <p>Every change is logged, so that counts per leaf can be updated incrementally
 * ({@link #changeCount()}), and changes can be undone ({@link #rollback()}).
 *
 * <p>Rules: T-9, T-10, T-21, T-24.
 */
final class LeafUsage {
  /*
   * A charge is clamped to a bound such that sums of thousands of charges do not overflow, so that
   * uncharging always reverts exactly what was charged.
   */
  private static final long GREATEST_CHARGE = Long.MAX_VALUE >> 12;

  /** Stands in the log of changes for the beginning of a trial. */
  private static final int START_OF_TRIAL = -1;

  private final int leafCount;
  private final int columns;
  private final ColumnMap<ResourceName> columnOfResource;
  private long[] capacity;
  private long[] used;
  private long[] assumed;

  /** Whether a fork shares the amounts, so that they must be copied before a change. */
  private boolean shared;

  /** What trials have changed: at twice the index, plus 1 for assumed amounts. */
  private final AmountLog changes = new AmountLog();

  /** The leaves in the order in which they were changed, undone changes included. */
  private int[] changedLeaf = new int[64];

  private int changedCount;
  private long firstChange;

  /**
   * Whether no reader has seen the last change, so that another change of the same leaf need not be
   * logged.
   */
  private boolean lastChangeUnseen;

  private int openTrials;

  /**
   * Creates the usage of empty leaves.
   *
   * @param columnOfResource the column of each resource that any leaf has
   * @param capacity the capacity of the leaves, with the columns of a leaf side by side; negative
   *     amounts count as 0
   */
  LeafUsage(int leafCount, int columns, ColumnMap<ResourceName> columnOfResource, long[] capacity) {
    this.leafCount = leafCount;
    this.columns = columns;
    this.columnOfResource = columnOfResource;
    this.capacity = capacity;
    for (int at = 0; at < capacity.length; at++) {
      capacity[at] = Math.max(0, capacity[at]);
    }
    this.used = new long[capacity.length];
    this.assumed = new long[capacity.length];
  }

  private LeafUsage(LeafUsage other) {
    this.leafCount = other.leafCount;
    this.columns = other.columns;
    this.columnOfResource = other.columnOfResource;
    this.capacity = other.capacity;
    this.used = other.used;
    this.assumed = other.assumed;
    this.shared = true;
  }

  /** {@return an independent copy, which shares the amounts until one of both changes} */
  LeafUsage fork() {
    checkState(openTrials == 0, "usage cannot be copied during a trial");
    if (!shared) {
      // Written only once, so that several threads may fork unchanged usage.
      shared = true;
    }
    return new LeafUsage(this);
  }

  private void beforeChange() {
    if (shared) {
      capacity = capacity.clone();
      used = used.clone();
      assumed = assumed.clone();
      shared = false;
    }
  }

  int leafCount() {
    return leafCount;
  }

  private int column(ResourceName resource) {
    return columnOfResource.get(resource);
  }

  /** {@return the free amount of a resource on a leaf, 0 if it is overused} */
  long free(int leaf, ResourceName resource, boolean countsUsage) {
    int column = column(resource);
    if (column < 0) {
      return 0;
    }
    int at = leaf * columns + column;
    long free = capacity[at] - assumed[at] - (countsUsage ? used[at] : 0);
    return Math.max(0, free);
  }

  /** Sets the capacity of a leaf, by column. */
  void setCapacity(int leaf, long[] amounts) {
    beforeChange();
    for (int column = 0; column < columns; column++) {
      capacity[leaf * columns + column] = Math.max(0, amounts[column]);
    }
    noteChange(leaf);
  }

  /** Charges {@code count} pods, or uncharges them if {@code count} is negative. */
  void charge(int leaf, PodRequest request, int count) {
    beforeChange();
    add(used, 0, leaf, request, count);
  }

  /** Charges {@code count} pods of the workload that is being placed. */
  void assume(int leaf, PodRequest request, int count) {
    beforeChange();
    add(assumed, 1, leaf, request, count);
  }

  /** Takes amounts of a leaf, by column, or gives them back. */
  void take(int leaf, long[] amounts, int sign) {
    beforeChange();
    for (int column = 0; column < columns; column++) {
      int at = leaf * columns + column;
      if (openTrials > 0) {
        changes.add(2 * at + 1, assumed[at]);
      }
      assumed[at] += sign * Math.max(0, Math.min(GREATEST_CHARGE, amounts[column]));
    }
    noteChange(leaf);
  }

  private void add(long[] amounts, int kind, int leaf, PodRequest request, int count) {
    for (int i = 0; i < request.size(); i++) {
      int column = column(request.resource(i));
      if (column >= 0) {
        int at = leaf * columns + column;
        if (openTrials > 0) {
          changes.add(2 * at + kind, amounts[at]);
        }
        long total = LongMath.saturatedMultiply(request.amount(i), count);
        amounts[at] += Math.max(-GREATEST_CHARGE, Math.min(GREATEST_CHARGE, total));
      }
    }
    noteChange(leaf);
  }

  /** Begins a trial. Trials are nested: the one that began last ends first. */
  void checkpoint() {
    openTrials++;
    changes.add(START_OF_TRIAL, 0);
  }

  /** Ends the trial that began last and undoes its changes. */
  void rollback() {
    while (changes.lastIndex() != START_OF_TRIAL) {
      int at = changes.lastIndex() >> 1;
      long[] amounts = (changes.lastIndex() & 1) == 0 ? used : assumed;
      amounts[at] = changes.lastAmount();
      changes.removeLast();
      // Undoing is also a change for readers that have read the log in between.
      noteChange(at / columns);
    }
    changes.removeLast();
    openTrials--;
  }

  private void noteChange(int leaf) {
    if (changedCount > 0 && changedLeaf[changedCount - 1] == leaf && lastChangeUnseen) {
      return;
    }
    if (changedCount > leafCount + 1024) {
      // A reader that is so far behind recomputes all leaves anyway.
      firstChange += changedCount;
      changedCount = 0;
    }
    if (changedCount == changedLeaf.length) {
      changedLeaf = Arrays.copyOf(changedLeaf, 2 * changedCount);
    }
    changedLeaf[changedCount] = leaf;
    changedCount++;
    lastChangeUnseen = true;
  }

  /** {@return the number of changes so far} */
  long changeCount() {
    lastChangeUnseen = false;
    return firstChange + changedCount;
  }

  /** {@return the number of the first change that is still in the log} */
  long firstKnownChange() {
    return firstChange;
  }

  /** {@return the leaf of a change, counted from 0} */
  int changedLeaf(long change) {
    return changedLeaf[(int) (change - firstChange)];
  }
}
