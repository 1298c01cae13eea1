package io.kueue4j.core.internal.flavor;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the quota that a workload needs: as long as less is available, every search for its
 * flavors ends without fit, whatever else holds.
 *
 * <p>It concerns the first group of pod sets, whose search comes first, so that a search that ends
 * there has chosen no flavor. The bound holds for all workloads of one shape in one ClusterQueue
 * until the configuration changes.
 *
 * <p>A bound {@linkplain #isDecisive() decides} an attempt of a workload that may only use one
 * flavor. If nothing can be preempted, such an attempt has one of three results: it does not fit
 * (the bound is {@linkplain #isMissed() missed}); it waits and holds room in the cycle (the bound
 * is {@linkplain #isExceeded() exceeded}, but not missed); or it fits for now.
 *
 * <p>Rules: S-18.
 */
public final class QuotaBound {
  private final CompiledQueue compiled;
  private final QuotaTree tree;
  private final int node;
  private final int version;
  private final boolean borrowsWhilePreempting;
  private final boolean decisive;

  /** The demands: the columns and amounts of the flavors, one after another. */
  private final int[] columns;

  private final long[] amounts;

  /** The end of each flavor among the demands; those of one resource group are adjacent. */
  private final int[] flavorEnds;

  /** The end of each resource group among the flavors. */
  private final int[] groupEnds;

  private QuotaBound(
      QueueQuota queue,
      int version,
      boolean borrowsWhilePreempting,
      boolean decisive,
      int[] columns,
      long[] amounts,
      int[] flavorEnds,
      int[] groupEnds) {
    this.compiled = queue.compiled();
    this.tree = queue.tree();
    this.node = queue.node();
    this.version = version;
    this.borrowsWhilePreempting = borrowsWhilePreempting;
    this.decisive = decisive;
    this.columns = columns;
    this.amounts = amounts;
    this.flavorEnds = flavorEnds;
    this.groupEnds = groupEnds;
  }

  /**
   * {@return the bound of a workload with all of its pods, which replaces no other}
   *
   * @param workload the workload
   * @param queue its ClusterQueue
   * @param rules the settings of the search
   * @param flavors the flavors, null if they do not decide, since nodes count as well
   * @param version the version of the configuration
   */
  public static QuotaBound of(
      CompiledWorkload workload,
      QueueQuota queue,
      AssignmentRules rules,
      @Nullable FlavorTable flavors,
      int version) {
    CompiledQueue compiled = queue.compiled();
    GroupRequests requests =
        new GroupRequests(workload, compiled, workload.groups()[0], workload.fullCounts());
    Builder builder = new Builder();
    for (int r = 0; r < requests.size; r++) {
      if (compiled.covers(requests.resources[r]) && isFirstOfGroup(compiled, requests, r)) {
        builder.addGroup(queue, requests, r);
      }
    }
    boolean decisive = flavors != null
        && rules.flavorFungibility()
        && builder.coversAll(requests)
        && mayUseOnlyFlavor(workload, compiled.group(requests.resources[0]), flavors);
    return builder.build(
        queue, version, FlavorSearch.borrowsWhilePreempting(queue, rules), decisive);
  }

  private static boolean mayUseOnlyFlavor(
      CompiledWorkload workload, CompiledGroup group, FlavorTable flavors) {
    CompiledPodSet podSet = workload.podSet(0);
    return workload.size() == 1
        && podSet.sliceRequest() == null
        && !podSet.asksForPlaces()
        && workload.allows(group.flavor(0))
        && flavors.obstacle(group.flavor(0), podSet) == null;
  }

  private static boolean isFirstOfGroup(
      CompiledQueue compiled, GroupRequests requests, int resource) {
    for (int r = 0; r < resource; r++) {
      if (compiled.covers(requests.resources[r])
          && compiled.inSameGroup(requests.resources[r], requests.resources[resource])) {
        return false;
      }
    }
    return true;
  }

  /** Collects the demands. */
  private static final class Builder {
    private final ImmutableIntArray.Builder columns = ImmutableIntArray.builder();
    private final ImmutableLongArray.Builder amounts = ImmutableLongArray.builder();
    private final ImmutableIntArray.Builder flavorEnds = ImmutableIntArray.builder();
    private final ImmutableIntArray.Builder groupEnds = ImmutableIntArray.builder();
    private int size;
    private int flavors;

    void addGroup(QueueQuota queue, GroupRequests requests, int first) {
      CompiledQueue compiled = queue.compiled();
      CompiledGroup group = compiled.group(requests.resources[first]);
      for (int f = 0; f < group.flavorCount(); f++) {
        for (int r = first; r < requests.size; r++) {
          int resource = requests.resources[r];
          if (compiled.covers(resource)
              && compiled.inSameGroup(resource, requests.resources[first])) {
            columns.add(queue.tree().column(group.pair(f, resource)));
            amounts.add(requests.amounts[r]);
            size++;
          }
        }
        flavorEnds.add(size);
        flavors++;
      }
      groupEnds.add(flavors);
    }

    /** {@return whether there is one flavor, and a demand on it for each of some requests} */
    boolean coversAll(GroupRequests requests) {
      return flavors == 1 && size == requests.size;
    }

    QuotaBound build(
        QueueQuota queue, int version, boolean borrowsWhilePreempting, boolean decisive) {
      return new QuotaBound(
          queue,
          version,
          borrowsWhilePreempting,
          decisive,
          columns.build().toArray(),
          amounts.build().toArray(),
          flavorEnds.build().toArray(),
          groupEnds.build().toArray());
    }
  }

  /**
   * {@return whether the bound still holds for {@code queue}, for which it was computed, in a
   * version of the configuration}
   */
  @SuppressWarnings("ReferenceEquality") // other quotas are in another tree
  public boolean isOf(QueueQuota queue, int nowVersion) {
    return tree == queue.tree()
        && compiled == queue.compiled()
        && node == queue.node()
        && version == nowVersion;
  }

  /** {@return whether the bound alone says how an attempt ends that finds nothing to preempt} */
  public boolean isDecisive() {
    return decisive;
  }

  /**
   * {@return whether more is requested of the only flavor than is available now, so that a search
   * has no fit without preemption; false unless the bound is decisive}
   */
  public boolean isExceeded() {
    if (decisive) {
      for (int i = 0; i < columns.length; i++) {
        if (amounts[i] > tree.available(node, columns[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * {@return the result of {@link #isExceeded()}, for callers with many bounds of one ClusterQueue}
   *
   * @param available what is available now by column, negative if that is not known yet
   */
  public boolean isExceeded(long[] available) {
    if (decisive) {
      for (int i = 0; i < columns.length; i++) {
        int column = columns[i];
        if (available[column] < 0) {
          available[column] = tree.available(node, column);
        }
        if (amounts[i] > available[column]) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@return the level at which the ClusterQueue would borrow what is requested now} */
  public int borrowLevel() {
    int level = 0;
    for (int i = 0; i < columns.length; i++) {
      level = Math.max(level, QuotaTree.level(tree.borrowing(node, columns[i], amounts[i])));
    }
    return level;
  }

  /** {@return the number of demands} */
  public int size() {
    return columns.length;
  }

  /** {@return the column of a demand} */
  public int column(int demand) {
    return columns[demand];
  }

  /** {@return the amount of a demand} */
  public long amount(int demand) {
    return amounts[demand];
  }

  /** {@return whether so little quota is available now that a search has no fit} */
  public boolean isMissed() {
    int flavor = 0;
    for (int groupEnd : groupEnds) {
      boolean missed = true;
      while (missed && flavor < groupEnd) {
        missed = isMissedBy(flavor);
        flavor++;
      }
      if (missed) {
        return true;
      }
      flavor = groupEnd;
    }
    return false;
  }

  private boolean isMissedBy(int flavor) {
    for (int i = flavor == 0 ? 0 : flavorEnds[flavor - 1]; i < flavorEnds[flavor]; i++) {
      if (isMissed(columns[i], amounts[i])) {
        return true;
      }
    }
    return false;
  }

  private boolean isMissed(int column, long amount) {
    if (amount <= tree.available(node, column)) {
      return false;
    }
    if (amount > tree.potential(node, column)) {
      return true;
    }
    // Within nominal quota, the level does not matter.
    int borrowing = amount <= tree.nominal(node, column) ? 0 : tree.borrowing(node, column, amount);
    return !FlavorSearch.mayPreempt(tree, node, column, amount, borrowing, borrowsWhilePreempting);
  }
}
