package io.kueue4j.core.cycle;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of one tree that are preempted in a cycle.
 *
 * <p>What they leave behind when they are let go is always what taking them out of the usage as it
 * is with them would leave, in the order in which they were taken.
 */
final class TreeVictims {
  /*
   * What is added while they are gone is added once more, at its place, when they are back. That must not make a
   * difference to what is left while they are gone; and it makes none, because usage above a queue follows from the
   * usage of the queues, unless a sum has left the 64-bit range or somebody was given less than nothing. Far
   * below these bounds they may stay away. Beyond, they are brought back for every addition.
   */
  private static final long BOUND = 1L << 60;

  private final QuotaTree tree;
  private final Set<QuotaHolder> taken = new LinkedHashSet<>();
  private final ListMultimap<QueueQuota, QuotaHolder> ofQueue =
      MultimapBuilder.hashKeys().arrayListValues().build();
  private final List<Addition> addedWithout = new ArrayList<>();

  /** At least as much as all of them hold of any pair. */
  private long held;

  /** Usage as it is with all of them there, null until it is asked for while they are gone. */
  private @Nullable QuotaTree withThem;

  private boolean addedLessThanNothing;
  private boolean gone;
  private boolean goneFromNodes;
  private int mark;

  private record Addition(int node, int column, long amount) {
    void apply(QuotaTree tree) {
      tree.add(node, column, amount);
    }
  }

  TreeVictims(QuotaTree tree) {
    this.tree = tree;
  }

  boolean contains(QuotaHolder holder) {
    return taken.contains(holder);
  }

  void take(QuotaHolder holder) {
    if (!taken.add(holder)) {
      return;
    }
    ofQueue.put(holder.queue(), holder);
    for (int i = 0; i < holder.size(); i++) {
      held = Amount.add(held, holder.amount(i));
    }
    if (gone) {
      letGo(holder);
    }
    if (goneFromNodes) {
      tree.participant().uncharge(holder.footprint());
    }
  }

  void letGo() {
    if (!gone) {
      mark = tree.mark();
      gone = true;
      taken.forEach(TreeVictims::letGo);
    }
  }

  private static void letGo(QuotaHolder holder) {
    holder.setAside(true);
    holder.unchargeQuota();
  }

  void bringBack() {
    if (gone) {
      tree.rewind(mark);
      addedWithout.forEach(addition -> addition.apply(tree));
      addedWithout.clear();
      restore();
      gone = false;
    }
  }

  void letGoFromNodes() {
    if (!goneFromNodes) {
      goneFromNodes = true;
      taken.forEach(holder -> tree.participant().uncharge(holder.footprint()));
    }
  }

  void bringBackToNodes() {
    if (goneFromNodes) {
      goneFromNodes = false;
      taken.forEach(holder -> tree.participant().charge(holder.footprint()));
    }
  }

  void add(int node, int column, long amount) {
    addedLessThanNothing |= amount < 0;
    if (gone && !isFarFromBounds(node, column, amount)) {
      bringBack();
    }
    tree.add(node, column, amount);
    if (withThem != null) {
      withThem.add(node, column, amount);
    }
    if (gone) {
      addedWithout.add(new Addition(node, column, amount));
    }
  }

  /** {@return a tree with the usage as it is with them there; valid until the next addition} */
  QuotaTree withThem() {
    if (withThem == null && gone) {
      bringBack();
      withThem = tree.copy();
    }
    return withThem == null ? tree : withThem;
  }

  /** {@return the usage of a queue as it is with them there} */
  long usage(QueueQuota queue, int column) {
    int node = queue.node();
    if (gone && !isFarFromBounds(node, column, 0)) {
      bringBack();
    }
    long usage = tree.usage(node, column);
    if (gone) {
      for (QuotaHolder holder : ofQueue.get(queue)) {
        usage += holder.amountOf(tree.pair(column));
      }
    }
    return usage;
  }

  /** {@return whether it makes no difference in which order something is added and taken out} */
  private boolean isFarFromBounds(int node, int column, long amount) {
    boolean isFar = !addedLessThanNothing && amount < BOUND && held < BOUND;
    for (int above = node; isFar && above >= 0; above = tree.parent(above)) {
      isFar = tree.usage(above, column) < BOUND;
    }
    return isFar;
  }

  /** They may be candidates again. */
  void restore() {
    for (QuotaHolder holder : taken) {
      if (holder.isSetAside()) {
        holder.setAside(false);
      }
    }
  }
}
