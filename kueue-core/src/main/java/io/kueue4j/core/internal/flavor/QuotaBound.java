package io.kueue4j.core.internal.flavor;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;

/**
 * A bound on the quota that a workload needs: as long as less is available, every search for its
 * flavors ends without fit, whatever else holds.
 *
 * <p>It concerns the first group of pod sets, whose search comes first, so that a search that ends
 * there has chosen no flavor. The bound holds for all workloads of one shape in one ClusterQueue
 * until quotas change.
 */
public final class QuotaBound {
  private final CompiledQueue compiled;
  private final QuotaTree tree;
  private final int node;
  private final boolean borrowsWhilePreempting;

  /** The demands: the columns and amounts of the flavors, one after another. */
  private final int[] columns;

  private final long[] amounts;

  /** The end of each flavor among the demands; those of one resource group are adjacent. */
  private final int[] flavorEnds;

  /** The end of each resource group among the flavors. */
  private final int[] groupEnds;

  private QuotaBound(
      QueueQuota queue,
      boolean borrowsWhilePreempting,
      int[] columns,
      long[] amounts,
      int[] flavorEnds,
      int[] groupEnds) {
    this.compiled = queue.compiled();
    this.tree = queue.tree();
    this.node = queue.node();
    this.borrowsWhilePreempting = borrowsWhilePreempting;
    this.columns = columns;
    this.amounts = amounts;
    this.flavorEnds = flavorEnds;
    this.groupEnds = groupEnds;
  }

  /** {@return the bound of a workload with all of its pods, which replaces no other} */
  public static QuotaBound of(CompiledWorkload workload, QueueQuota queue, AssignmentRules rules) {
    CompiledQueue compiled = queue.compiled();
    GroupRequests requests =
        new GroupRequests(workload, compiled, workload.groups()[0], workload.fullCounts());
    Builder builder = new Builder();
    for (int r = 0; r < requests.size; r++) {
      if (compiled.covers(requests.resources[r]) && isFirstOfGroup(compiled, requests, r)) {
        builder.addGroup(queue, requests, r);
      }
    }
    return builder.build(queue, FlavorSearch.borrowsWhilePreempting(queue, rules));
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

    QuotaBound build(QueueQuota queue, boolean borrowsWhilePreempting) {
      return new QuotaBound(
          queue,
          borrowsWhilePreempting,
          columns.build().toArray(),
          amounts.build().toArray(),
          flavorEnds.build().toArray(),
          groupEnds.build().toArray());
    }
  }

  /** {@return whether the bound still holds for {@code queue}, for which it was computed} */
  @SuppressWarnings("ReferenceEquality") // other quotas are in another tree
  public boolean isOf(QueueQuota queue) {
    return tree == queue.tree() && compiled == queue.compiled() && node == queue.node();
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
    return amount > tree.potential(node, column)
        || !FlavorSearch.mayPreempt(
            tree,
            node,
            column,
            amount,
            tree.borrowing(node, column, amount),
            borrowsWhilePreempting);
  }
}
