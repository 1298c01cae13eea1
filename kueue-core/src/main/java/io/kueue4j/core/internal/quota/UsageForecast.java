package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a tree will use: the present usage, and what is known to change.
 *
 * <p>It answers two questions about a time. When may an amount fit for the first time: not before
 * all nodes from the queue to the root use little enough for it, even if no local quota is in use.
 * And until when does an amount that fits go on fitting: at least until one of these nodes uses too
 * much for it. Whether it fits then is asked in a trial, which shows the tree as it will be.
 *
 * <p>Rules: PS-4.
 */
public final class UsageForecast {
  private static final long NEVER = AmountOverTime.NEVER;

  /** Greater changes count as one of this size, so that each can be taken back. */
  private static final long MAX_CHANGE = 1L << 60;

  private final QuotaTree tree;

  /** The usage by node and column, null where nothing changes. */
  private final @Nullable AmountOverTime[] usage;

  /** The usage of the tree that the forecast rests on. */
  private final long[] present;

  /** Creates a forecast without changes. */
  public UsageForecast(QuotaTree tree) {
    this.tree = tree;
    this.present = tree.usage().clone();
    this.usage = new @Nullable AmountOverTime[present.length];
  }

  /** Takes over what a trial has changed in the tree, for all time. */
  public void update() {
    long[] now = tree.usage();
    if (Arrays.equals(now, present)) {
      return;
    }
    for (int at = 0; at < present.length; at++) {
      int node = at / tree.columnCount();
      if (tree.layout().isQueue(node)) {
        add(node, at % tree.columnCount(), Long.MIN_VALUE, NEVER, now[at] - present[at]);
      }
    }
    for (int at = 0; at < present.length; at++) {
      AmountOverTime ofNode = usage[at];
      if (ofNode != null) {
        // Within a cycle, the usage of a cohort may differ from what its queues use beyond local
        // quota: an amount to reserve may be negative, and does not count above the queue.
        ofNode.add(Long.MIN_VALUE, NEVER, now[at] - ofNode.at(Long.MIN_VALUE));
      }
    }
    System.arraycopy(now, 0, present, 0, present.length);
  }

  /** Adds what a workload uses from a time until before another one, or takes that back. */
  public void add(QueueQuota queue, QuotaHolder holder, long from, long to, boolean isAdded) {
    for (int i = 0; i < holder.size(); i++) {
      add(queue, holder.pair(i), from, to, isAdded ? holder.amount(i) : -holder.amount(i));
    }
  }

  /** Adds an amount, which may be negative, from a time until before another one. */
  public void add(QueueQuota queue, FlavorResource pair, long from, long to, long change) {
    int column = tree.column(pair);
    if (column >= 0) {
      add(queue.node(), column, from, to, Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, change)));
    }
  }

  private void add(int from, int column, long start, long end, long change) {
    if (change == 0 || start >= end) {
      return;
    }
    for (int node = from; node >= 0; node = tree.parent(node)) {
      long least = ofNode(node, column).add(start, end, change);
      if (tree.hasParent(node) && least < tree.local(node, column)) {
        addBeyondLocal(node, column, start, end, change);
        return;
      }
    }
  }

  /** Adds to the parent of a node what a change of the node means there. */
  private void addBeyondLocal(int node, int column, long start, long end, long change) {
    ofNode(node, column).forEach(start, end, (from, to, amount) -> {
      long before = beyondLocal(node, column, amount - change);
      add(tree.parent(node), column, from, to, beyondLocal(node, column, amount) - before);
    });
  }

  private AmountOverTime ofNode(int node, int column) {
    int at = tree.at(node, column);
    AmountOverTime found = usage[at];
    if (found == null) {
      found = new AmountOverTime(present[at]);
      usage[at] = found;
    }
    return found;
  }

  private long beyondLocal(int node, int column, long amount) {
    return Math.max(0, Amount.subtract(amount, tree.local(node, column)));
  }

  /** In a trial, lets the path of a queue use what it will use at a time. */
  public void show(QueueQuota queue, long millis) {
    for (int node = queue.node(); node >= 0; node = tree.parent(node)) {
      for (int column = 0; column < tree.columnCount(); column++) {
        AmountOverTime ofNode = usage[tree.at(node, column)];
        if (ofNode != null) {
          tree.setUsage(node, column, ofNode.at(millis));
        }
      }
    }
  }

  /** {@return the first time from {@code millis} on at which an amount may fit} */
  public long firstRoom(QueueQuota queue, FlavorResource pair, long amount, long millis) {
    int column = tree.column(pair);
    if (column < 0) {
      return amount <= 0 ? millis : NEVER;
    }
    long first = millis;
    long before;
    do {
      before = first;
      long rest = amount;
      for (int node = queue.node(); node >= 0 && rest > 0; node = tree.parent(node)) {
        first = ofNode(node, column).firstUpTo(tree.mostWithRoom(node, column, rest), first);
        rest = Amount.subtract(rest, tree.local(node, column));
      }
    } while (first != before);
    return first;
  }

  /** {@return the next time after {@code millis} at which an amount that fits may not fit} */
  public long nextShortage(QueueQuota queue, FlavorResource pair, long amount, long millis) {
    int column = tree.column(pair);
    long next = NEVER;
    if (column < 0 || amount <= 0) {
      return next;
    }
    boolean hasLocal = false;
    for (int node = queue.node(); tree.hasParent(node); node = tree.parent(node)) {
      hasLocal |= tree.local(node, column) > 0;
    }
    for (int node = queue.node(); node >= 0; node = tree.parent(node)) {
      // Local quota may make up for what is missing above, so that each change there is a doubt.
      long most = hasLocal ? Long.MIN_VALUE : tree.mostWithRoom(node, column, amount);
      next = Math.min(next, ofNode(node, column).nextAbove(most, millis));
    }
    return next;
  }
}
