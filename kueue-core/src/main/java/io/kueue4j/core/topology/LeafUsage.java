package io.kueue4j.core.topology;

import com.google.common.math.LongMath;
import io.kueue4j.core.compiled.IdMap;
import io.kueue4j.core.compiled.PodRequest;
import java.util.Arrays;

/**
 * What is free on the leaves of a topology: capacity less what other pods, admitted workloads and
 * earlier pod sets of the workload at hand take.
 *
 * <p>Every change is logged, so that whoever keeps figures by leaf can catch up
 * ({@link #changeCount()}), and can be undone ({@link #rollback}).
 *
 * <p>Rules: T-9, T-10, T-21, T-24.
 */
final class LeafUsage {
  /*
   * A charge is cut at a bound that leaves room for thousands of them below the range of a long, so that sums never wrap
   * and taking back always gives back what was charged.
   */
  private static final long GREATEST_CHARGE = Long.MAX_VALUE >> 12;

  private final int leafCount;
  private final int columns;
  private final IdMap columnOfResource;
  private final long[] capacity;
  private final long[] used;
  private final long[] assumed;

  /** What trials have changed, to be undone: twice the index, and 1 for assumed. */
  private int[] undoAt = new int[64];

  private long[] undoValue = new long[64];
  private int undoSize;

  /** The leaves in the order in which they were changed, or changed back. */
  private int[] changedLeaf = new int[64];

  private int changedCount;
  private long firstChange;

  /** Whether nobody can have seen the last change without what followed on the same leaf. */
  private boolean lastChangeUnseen;

  private int openTrials;

  /**
   * Creates the usage of leaves that hold nothing yet.
   *
   * @param columnOfResource the column of each resource that some leaf has
   * @param capacity what the leaves have, the columns of a leaf side by side; less than nothing is
   *     nothing
   */
  LeafUsage(int leafCount, int columns, IdMap columnOfResource, long[] capacity) {
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

  int leafCount() {
    return leafCount;
  }

  private int column(int resource) {
    return columnOfResource.get(resource);
  }

  /** {@return what a leaf has of a resource, nothing if it is in use more than once} */
  long free(int leaf, int resource, boolean countsUsage) {
    int column = column(resource);
    if (column < 0) {
      return 0;
    }
    int at = leaf * columns + column;
    long free = capacity[at] - assumed[at] - (countsUsage ? used[at] : 0);
    return Math.max(0, free);
  }

  /** {@return what a leaf has of a resource when nobody uses it} */
  long capacity(int leaf, int resource) {
    int column = column(resource);
    return column < 0 ? 0 : capacity[leaf * columns + column];
  }

  /** {@return what is in use of a resource on a leaf} */
  long used(int leaf, int resource) {
    int column = column(resource);
    return column < 0 ? 0 : used[leaf * columns + column];
  }

  /** Sets what a leaf has, by column. */
  void setCapacity(int leaf, long[] amounts) {
    for (int column = 0; column < columns; column++) {
      capacity[leaf * columns + column] = Math.max(0, amounts[column]);
    }
    noteChange(leaf);
  }

  /** Adds what {@code count} pods take, or takes it back if {@code count} is negative. */
  void charge(int leaf, PodRequest request, int count) {
    add(used, 0, leaf, request, count);
  }

  /** Adds what {@code count} pods of the workload at hand take. */
  void assume(int leaf, PodRequest request, int count) {
    add(assumed, 1, leaf, request, count);
  }

  private void add(long[] amounts, int kind, int leaf, PodRequest request, int count) {
    for (int i = 0; i < request.size(); i++) {
      int column = column(request.resource(i));
      if (column >= 0) {
        int at = leaf * columns + column;
        if (openTrials > 0) {
          noteUndo(2 * at + kind, amounts[at]);
        }
        long total = LongMath.saturatedMultiply(request.amount(i), count);
        amounts[at] += Math.max(-GREATEST_CHARGE, Math.min(GREATEST_CHARGE, total));
      }
    }
    noteChange(leaf);
  }

  /** {@return a number to {@link #rollback} to, and from now on every change is kept until then} */
  int checkpoint() {
    openTrials++;
    return undoSize;
  }

  /** Undoes all changes since {@code checkpoint}. */
  void rollback(int checkpoint) {
    while (undoSize > checkpoint) {
      undoSize--;
      int at = undoAt[undoSize] >> 1;
      long[] amounts = (undoAt[undoSize] & 1) == 0 ? used : assumed;
      amounts[at] = undoValue[undoSize];
      // Undoing is a change, too, for those who have caught up in between.
      noteChange(at / columns);
    }
    openTrials--;
  }

  private void noteUndo(int at, long old) {
    if (undoSize == undoAt.length) {
      undoAt = Arrays.copyOf(undoAt, 2 * undoSize);
      undoValue = Arrays.copyOf(undoValue, 2 * undoSize);
    }
    undoAt[undoSize] = at;
    undoValue[undoSize] = old;
    undoSize++;
  }

  private void noteChange(int leaf) {
    if (changedCount > 0 && changedLeaf[changedCount - 1] == leaf && lastChangeUnseen) {
      return;
    }
    if (changedCount > leafCount + 1024) {
      // Whoever has not seen them does better to look at all leaves.
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

  /** {@return the number of the first change that is still known} */
  long firstKnownChange() {
    return firstChange;
  }

  /** {@return the leaf of a change, counted from 0} */
  int changedLeaf(long change) {
    return changedLeaf[(int) (change - firstChange)];
  }
}
