package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of one tree that are preempted or replaced in a cycle. While entries are processed,
 * the usage of the tree either includes these victims or excludes them; each step of the rules
 * requires one or the other.
 *
 * <p>Excluding or including victims costs time proportional to their number, so it is done only
 * when a step requires it. Excluding the victims always leaves the same usage as removing them, in
 * the order in which they were added, from the usage that includes them.
 *
 * <p>Rules: S-11, S-14, S-15, S-19, T-73, T-74.
 */
final class TreeVictims {
  /*
   * Usage added while the victims are excluded is added again, at its place, when they are
   * included. This must not make a difference to the usage without them. It makes none, because
   * usage above a queue follows from the usage of the queues, unless a sum has left the 64-bit
   * range or a negative amount was added. Far below these bounds the victims may stay
   * excluded. Otherwise they are included before every addition.
   */
  private static final long BOUND = 1L << 60;

  private final QuotaTree tree;
  private final int checkpoint;
  private final Set<QuotaHolder> taken = new LinkedHashSet<>();
  private final List<Runnable> addedWhileExcluded = new ArrayList<>();

  /** An upper bound of what all of them hold of any pair. */
  private long held;

  /** The usage including all victims, null until it is needed while they are excluded. */
  private @Nullable QuotaTree withVictims;

  private boolean addedNegativeAmount;
  private boolean excluded;
  private boolean excludedFromNodes;
  private int mark;

  /** Begins a trial of {@code tree}, without victims. */
  TreeVictims(QuotaTree tree) {
    this.tree = tree;
    this.checkpoint = tree.checkpoint();
  }

  /** {@return whether one of {@code holders} is a victim} */
  boolean containsAny(List<QuotaHolder> holders) {
    return !holders.isEmpty() && !Collections.disjoint(taken, holders);
  }

  boolean contains(QuotaHolder holder) {
    return taken.contains(holder);
  }

  /** Adds victims; they are excluded if the others are. */
  void take(List<QuotaHolder> holders) {
    for (QuotaHolder holder : holders) {
      if (taken.add(holder)) {
        added(holder);
      }
    }
  }

  private void added(QuotaHolder holder) {
    for (int i = 0; i < holder.size(); i++) {
      held = Amount.add(held, holder.amount(i));
    }
    if (excluded) {
      exclude(holder);
    }
    if (excludedFromNodes) {
      tree.participant().uncharge(holder.footprint());
    }
  }

  /** Excludes the victims from usage and candidates. */
  void exclude() {
    if (!excluded && !taken.isEmpty()) {
      mark = tree.mark();
      excluded = true;
      taken.forEach(this::exclude);
    }
  }

  private void exclude(QuotaHolder holder) {
    QueueQuota queue = tree.layout().queueOf(holder);
    queue.setAside(holder, true);
    queue.unchargeQuota(holder);
  }

  /** Includes again what {@link #exclude()} has excluded. */
  void include() {
    if (excluded) {
      tree.rewind(mark);
      addedWhileExcluded.forEach(Runnable::run);
      addedWhileExcluded.clear();
      restore();
      excluded = false;
    }
  }

  /** Excludes the victims from their nodes. */
  void excludeFromNodes() {
    if (!excludedFromNodes) {
      excludedFromNodes = true;
      taken.forEach(holder -> tree.participant().uncharge(holder.footprint()));
    }
  }

  /** Includes again what {@link #excludeFromNodes} has excluded. */
  void includeOnNodes() {
    if (excludedFromNodes) {
      excludedFromNodes = false;
      taken.forEach(holder -> tree.participant().charge(holder.footprint()));
    }
  }

  /** Adds to the usage of a queue, regardless of whether the victims are included. */
  void add(QueueQuota queue, int column, long amount) {
    int node = queue.node();
    addedNegativeAmount |= amount < 0;
    if (excluded && !isFarFromBounds(node, column, amount)) {
      include();
    }
    tree.add(node, column, amount);
    if (withVictims != null) {
      withVictims.add(node, column, amount);
    }
    if (excluded) {
      addedWhileExcluded.add(() -> tree.add(node, column, amount));
    }
  }

  /** {@return a tree with the usage including the victims; valid until the next addition} */
  QuotaTree withVictims() {
    if (withVictims == null && excluded) {
      include();
      withVictims = tree.copy(new Journal());
    }
    return withVictims == null ? tree : withVictims;
  }

  /** {@return the usage of a queue including the victims} */
  long usage(QueueQuota queue, int column) {
    if (excluded && !isFarFromBounds(queue.node(), column, 0)) {
      include();
    }
    long usage = tree.usage(queue.node(), column);
    if (excluded) {
      for (QuotaHolder holder : taken) {
        if (tree.layout().queueOf(holder).equals(queue)) {
          usage += holder.amountOf(tree.pair(column));
        }
      }
    }
    return usage;
  }

  /** {@return whether additions and removals commute} */
  private boolean isFarFromBounds(int node, int column, long amount) {
    boolean isFar = !addedNegativeAmount && amount < BOUND && held < BOUND;
    for (int above = node; isFar && above >= 0; above = tree.parent(above)) {
      isFar = tree.usage(above, column) < BOUND;
    }
    return isFar;
  }

  /** Makes the victims candidates again. */
  private void restore() {
    taken.forEach(holder -> tree.layout().queueOf(holder).setAside(holder, false));
  }

  /** Ends the trial: makes the victims candidates again, and restores the usage. */
  void rollback() {
    restore();
    tree.rollback(checkpoint);
  }
}
