package io.kueue4j.core.internal.topology;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue of domains of one level, sorted lazily: only the order of domains that are taken is
 * computed.
 *
 * <p>Rules: T-31, T-37, T-40, T-61, T-93.
 */
final class DomainQueue {
  private static final int NONE = -1;

  private final int[] domains;
  private final int[] heap;
  private final LevelCapacity capacity;
  private final boolean bestFit;
  private final @Nullable DomainOrder order;
  private int size;
  private int front = NONE;

  private DomainQueue(
      int[] domains, LevelCapacity capacity, boolean bestFit, @Nullable DomainOrder order) {
    this.domains = domains;
    this.heap = new int[domains.length];
    this.capacity = capacity;
    this.bestFit = bestFit;
    this.order = order;
    this.size = domains.length;
    for (int i = 0; i < size; i++) {
      heap[i] = i;
    }
    if (order != null) {
      for (int i = size / 2 - 1; i >= 0; i--) {
        siftDown(i);
      }
    }
  }

  /**
   * {@return a queue in an order by capacity}
   *
   * @param bestFit whether the largest domain comes first, and {@link #take} chooses the tightest
   * @param withLeader whether the order is by capacity besides the leader
   */
  static DomainQueue ordered(
      int[] domains, LevelCapacity capacity, boolean bestFit, boolean withLeader) {
    return new DomainQueue(domains, capacity, bestFit, capacity.order(bestFit, withLeader));
  }

  /**
   * {@return a queue in the order given}
   *
   * @param bestFit whether {@link #take} chooses the tightest domain
   */
  static DomainQueue asGiven(int[] domains, LevelCapacity capacity, boolean bestFit) {
    return new DomainQueue(domains, capacity, bestFit, null);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** {@return the first domain} */
  int first() {
    return domains[firstSlot()];
  }

  private int firstSlot() {
    return front == NONE ? heap[0] : front;
  }

  /** {@return the remaining domains, in no particular order} */
  int[] rest() {
    int[] rest = new int[size];
    for (int i = 0; i < size; i++) {
      rest[i] = domains[heap[i]];
    }
    return rest;
  }

  /**
   * Removes the first domain.
   *
   * @return the domain
   */
  int takeFirst() {
    return take(firstSlot());
  }

  /**
   * Removes the first domain. If it suffices and the best fit is wanted, removes instead the domain
   * that fits most tightly, of the first domain and those after it with the same score.
   *
   * @param need the number of units to place
   * @param withLeader whether the domain must host the leader as well
   * @param withLast whether a smaller last slice has no domain yet. It gets the best fit if that is
   *     no larger than the best fit without it
   * @return the domain
   */
  int take(int need, boolean withLeader, boolean withLast) {
    if (!bestFit || !suffices(firstSlot(), need, withLeader, false)) {
      return takeFirst();
    }
    int whole = tightest(need, withLeader, false);
    int both = withLast ? tightest(need, withLeader, true) : NONE;
    boolean isNoLarger = both != NONE
        && capacity.units(domains[both], withLeader) <= capacity.units(domains[whole], withLeader);
    return take(isNoLarger ? both : whole);
  }

  private boolean suffices(int slot, int need, boolean withLeader, boolean withLast) {
    int domain = domains[slot];
    int units = withLast
        ? capacity.unitsBesideLast(domain, withLeader)
        : capacity.units(domain, withLeader);
    return units >= need && capacity.mayHost(domain, withLeader);
  }

  /** {@return the slot of the tightest domain that suffices, {@link #NONE} if there is none} */
  private int tightest(int need, boolean withLeader, boolean withLast) {
    int end = endOfFirstTier();
    int best = NONE;
    for (int i = 0; i < size; i++) {
      int slot = heap[i];
      if (suffices(slot, need, withLeader, withLast)
          && (end == NONE || isBefore(slot, end))
          && (best == NONE || isTighter(slot, best, withLeader, withLast))) {
        best = slot;
      }
    }
    return best;
  }

  private boolean isTighter(int slot, int other, boolean withLeader, boolean withLast) {
    int bySpareRoom =
        capacity.compareSpareRoom(domains[slot], domains[other], withLeader, withLast);
    return bySpareRoom != 0 ? bySpareRoom < 0 : isBefore(slot, other);
  }

  /**
   * Removes the first domain that has room for the smaller last slice.
   *
   * @return the domain, negative if there is none
   */
  int takeForLast() {
    int first = NONE;
    for (int i = 0; i < size; i++) {
      int slot = heap[i];
      if (capacity.unitsBesideLast(domains[slot], false) != LastSliceRoom.NONE
          && (first == NONE || isBefore(slot, first))) {
        first = slot;
      }
    }
    return first == NONE ? NONE : take(first);
  }

  /**
   * {@return the first domain in order with another score than the first domain, negative if there
   * is none}
   */
  private int endOfFirstTier() {
    if (!capacity.isScored()) {
      return NONE;
    }
    long score = capacity.score(first());
    int end = NONE;
    for (int i = 0; i < size; i++) {
      int slot = heap[i];
      if (capacity.score(domains[slot]) != score && (end == NONE || isBefore(slot, end))) {
        end = slot;
      }
    }
    return end;
  }

  /**
   * Moves a domain to the front: the first one that can host the leader such that all domains
   * together have room for {@code need} units.
   */
  void putLeaderFirst(int need) {
    if (size < 2) {
      return;
    }
    IntToLongFunction costs = capacity.costsOfLeader(rest());
    long total = 0;
    for (int i = 0; i < size; i++) {
      total += capacity.units(domains[heap[i]]);
    }
    int found = NONE;
    for (int i = 0; i < size; i++) {
      int slot = heap[i];
      if (capacity.hostsLeader(domains[slot])
          && total - costs.applyAsLong(domains[slot]) >= need
          && (found == NONE || isBefore(slot, found))) {
        found = slot;
      }
    }
    front = found;
  }

  private boolean isBefore(int slot, int other) {
    if (slot == front || other == front) {
      return slot == front;
    }
    return comesBefore(slot, other);
  }

  private boolean comesBefore(int slot, int other) {
    return order == null ? slot < other : order.isBefore(domains[slot], domains[other]);
  }

  private int take(int slot) {
    int index = 0;
    while (heap[index] != slot) {
      index++;
    }
    if (slot == front) {
      front = NONE;
    }
    size--;
    if (order == null) {
      System.arraycopy(heap, index + 1, heap, index, size - index);
    } else if (index < size) {
      heap[index] = heap[size];
      siftUp(index);
      siftDown(index);
    }
    return domains[slot];
  }

  private void siftUp(int from) {
    int index = from;
    while (index > 0 && comesBefore(heap[index], heap[(index - 1) / 2])) {
      swap(index, (index - 1) / 2);
      index = (index - 1) / 2;
    }
  }

  private void siftDown(int from) {
    int index = from;
    while (2 * index + 1 < size) {
      int below = 2 * index + 1;
      if (below + 1 < size && comesBefore(heap[below + 1], heap[below])) {
        below++;
      }
      if (!comesBefore(heap[below], heap[index])) {
        return;
      }
      swap(index, below);
      index = below;
    }
  }

  private void swap(int i, int j) {
    int kept = heap[i];
    heap[i] = heap[j];
    heap[j] = kept;
  }
}
