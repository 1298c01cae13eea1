package io.kueue4j.core.internal.cycle;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The victims of a cycle in one tree.
 *
 * <p>Excluding the victims always leaves the same usage as removing them, in the order in which
 * they were added, from the usage that includes them.
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
  private final Set<QuotaHolder> taken = new LinkedHashSet<>();
  private final ListMultimap<QueueQuota, QuotaHolder> ofQueue =
      MultimapBuilder.hashKeys().arrayListValues().build();
  private final List<Addition> addedWhileExcluded = new ArrayList<>();

  /** An upper bound of what all of them hold of any pair. */
  private long held;

  /** The usage including all victims, null until it is needed while they are excluded. */
  private @Nullable QuotaTree withVictims;

  private boolean addedNegativeAmount;
  private boolean excluded;
  private boolean excludedFromNodes;
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
    ofQueue.put(tree.layout().queueOf(holder), holder);
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

  void exclude() {
    if (!excluded) {
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

  void include() {
    if (excluded) {
      tree.rewind(mark);
      addedWhileExcluded.forEach(addition -> addition.apply(tree));
      addedWhileExcluded.clear();
      restore();
      excluded = false;
    }
  }

  void excludeFromNodes() {
    if (!excludedFromNodes) {
      excludedFromNodes = true;
      taken.forEach(holder -> tree.participant().uncharge(holder.footprint()));
    }
  }

  void includeOnNodes() {
    if (excludedFromNodes) {
      excludedFromNodes = false;
      taken.forEach(holder -> tree.participant().charge(holder.footprint()));
    }
  }

  void add(int node, int column, long amount) {
    addedNegativeAmount |= amount < 0;
    if (excluded && !isFarFromBounds(node, column, amount)) {
      include();
    }
    tree.add(node, column, amount);
    if (withVictims != null) {
      withVictims.add(node, column, amount);
    }
    if (excluded) {
      addedWhileExcluded.add(new Addition(node, column, amount));
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
    int node = queue.node();
    if (excluded && !isFarFromBounds(node, column, 0)) {
      include();
    }
    long usage = tree.usage(node, column);
    if (excluded) {
      for (QuotaHolder holder : ofQueue.get(queue)) {
        usage += holder.amountOf(tree.pair(column));
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
  void restore() {
    taken.forEach(holder -> tree.layout().queueOf(holder).setAside(holder, false));
  }
}
