package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The search for victims; the common part of both algorithms.
 *
 * <p>Rules: P-1, P-3, P-4, P-5, P-9, P-14, H-1, W-8, SP-2.
 */
final class VictimSearch {
  private VictimSearch() {}

  /** {@return the victims in the order in which they were found, empty if there are none} */
  static ImmutableList<Victim> find(
      Specs specs, Snapshot snapshot, Job preemptor, String queue, Demand demand) {
    ImmutableList<Victim> victims = specs.settings().fairSharing().isPresent()
        ? new FairVictimSearch(specs, snapshot, preemptor, queue, demand).find()
        : new ClassicalVictimSearch(specs, snapshot, preemptor, queue, demand).find();
    return specs.settings().strictBorrowing() && raisesBorrowing(victims, snapshot, queue, demand)
        ? ImmutableList.of()
        : victims;
  }

  /** SP-2. */
  private static boolean raisesBorrowing(
      List<Victim> victims, Snapshot before, String queue, Demand demand) {
    if (victims.stream().noneMatch(victim -> victim.holder().queue().equals(queue))) {
      return false;
    }
    Snapshot after = before.copy();
    victims.forEach(victim -> after.remove(victim.holder()));
    after.addUsage(queue, demand.requests());
    Node old = before.queue(queue);
    for (Node node = after.queue(queue); node.parent != null; node = node.parent) {
      for (FlavorResource pair : demand.requests().keySet()) {
        if (borrowed(node, pair) > borrowed(old, pair)) {
          return true;
        }
      }
      old = Objects.requireNonNull(old.parent);
    }
    return false;
  }

  private static long borrowed(Node node, FlavorResource pair) {
    return Math.max(0, Amount.subtract(node.usage(pair), node.subtree(pair)));
  }

  /** P-3. */
  static boolean mayPreempt(Job preemptor, Job candidate, Preemption.Policy policy) {
    long above = preemptor.priority() - candidate.priority();
    return switch (policy) {
      case NEVER -> false;
      case LOWER_PRIORITY -> above > 0;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
        above > 0 || (above == 0 && preemptor.queueTime().isBefore(candidate.queueTime()));
      case ANY -> true;
    };
  }

  /** P-3, P-4: the candidates in a queue that a policy allows. */
  static List<Holder> candidates(
      Node queue, Job preemptor, Demand demand, Preemption.Policy policy) {
    return queue.holders.stream()
        .filter(demand::isServedBy)
        .filter(holder -> mayPreempt(preemptor, holder.job(), policy))
        .toList();
  }

  /** P-9. */
  static Comparator<Holder> order(String ownQueue) {
    return Comparator.comparing((Holder holder) -> !holder.job().isEvicted())
        .thenComparing(holder -> holder.queue().equals(ownQueue))
        .thenComparing(VictimSearch::byUsage)
        .thenComparingLong(holder -> holder.job().priority())
        .thenComparing(holder -> holder.job().reservedTime(), Comparator.reverseOrder())
        .thenComparing(holder -> holder.job().uid())
        .thenComparing(holder -> holder.job().id());
  }

  private static int byUsage(Holder a, Holder b) {
    return a.queue().equals(b.queue())
        ? Double.compare(b.localQueueUsage(), a.localQueueUsage())
        : 0;
  }

  /**
   * P-9, W-8: usage is compared within one queue only, so comparison may be cyclic; each queue's
   * candidates are sorted, and the least of the first ones is the next.
   */
  static <C> List<C> inOrder(List<C> candidates, Function<C, Holder> holder, String ownQueue) {
    Comparator<C> order = Comparator.comparing(holder, order(ownQueue));
    Map<String, Deque<C>> queues = new TreeMap<>();
    candidates.stream()
        .sorted(Comparator.comparing((C each) -> holder.apply(each).queue()).thenComparing(order))
        .forEach(each -> queues
            .computeIfAbsent(holder.apply(each).queue(), unused -> new ArrayDeque<>())
            .add(each));
    List<C> sorted = new ArrayList<>();
    while (sorted.size() < candidates.size()) {
      Deque<C> next = queues.values().stream()
          .filter(queue -> !queue.isEmpty())
          .min(Comparator.comparing(Deque::element, order))
          .orElseThrow();
      sorted.add(next.remove());
    }
    return sorted;
  }

  /**
   * P-14: removes unnecessary victims.
   *
   * @param victims those removed from {@code snapshot}, in that order
   * @param fits whether the preemptor fits in a snapshot
   */
  static ImmutableList<Victim> fillBack(
      List<Victim> victims, Snapshot snapshot, Predicate<Snapshot> fits) {
    List<Victim> left = new ArrayList<>(victims);
    for (int i = left.size() - 2; i >= 0; i--) {
      Holder back = left.get(i).holder();
      snapshot.add(back);
      if (!fits.test(snapshot)) {
        snapshot.remove(back);
      } else {
        Victim last = left.remove(left.size() - 1);
        if (i < left.size()) {
          left.set(i, last);
        }
      }
    }
    return ImmutableList.copyOf(left);
  }
}
