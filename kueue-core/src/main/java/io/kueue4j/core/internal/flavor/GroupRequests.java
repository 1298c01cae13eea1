package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the pod sets of one group, by resource in visiting order, and the flavors chosen
 * for them.
 *
 * <p>Rules: R-8, F-3, F-4, F-13, F-34, F-35, E-5, T-68.
 */
final class GroupRequests {
  /** Stands for the pair of a resource without flavor. */
  static final FlavorResource UNDECIDED = new Catalog().pair("", "");

  private final CompiledWorkload workload;
  private final CompiledQueue queue;
  final int[] members;
  private final int[] counts;
  int size;
  ResourceName[] resources;
  long[] amounts;

  /** What the pod sets request beyond the replaced slice, null if there is none. */
  private long @Nullable [] difference;

  /** Whether none of the pod sets has pods. */
  final boolean isEmpty;

  FlavorResource[] pairs;
  int[] fits;
  int[] tried;

  /** Collects the requests of the pod sets {@code members} at {@code counts}. */
  GroupRequests(CompiledWorkload workload, CompiledQueue queue, int[] members, int[] counts) {
    this.workload = workload;
    this.queue = queue;
    this.members = members;
    this.counts = counts;
    int capacity = queue.coversPods() ? 1 : 0;
    int pods = 0;
    for (int member : members) {
      capacity += workload.podSet(member).size();
      pods |= counts[member];
    }
    isEmpty = pods == 0;
    resources = new ResourceName[capacity];
    amounts = new long[capacity];
    for (int member : members) {
      CompiledPodSet podSet = workload.podSet(member);
      for (int i = 0; i < podSet.size(); i++) {
        if (!queue.coversPods() || podSet.resource(i) != queue.pods()) {
          add(podSet.resource(i), podSet.amount(i, counts[member]));
        }
      }
      if (queue.coversPods()) {
        add(queue.pods(), counts[member]);
      }
    }
    pairs = new FlavorResource[size];
    fits = new int[size];
    tried = new int[size];
    Arrays.fill(pairs, UNDECIDED);
  }

  /** Subtracts what the replaced slice holds already, from each pod set; rule E-5. */
  void subtract(ReplacedSlice replaced) {
    long[] differences = new long[size];
    for (int r = 0; r < size; r++) {
      for (int member : members) {
        int index = workload.podSet(member).indexOf(resources[r]);
        if (isPods(r) || index >= 0) {
          long amount =
              isPods(r) ? counts[member] : workload.podSet(member).amount(index, counts[member]);
          long held = replaced.amount(workload, member, resources[r]);
          differences[r] = Amount.add(differences[r], Amount.subtract(amount, held));
        }
      }
    }
    difference = differences;
  }

  private boolean isPods(int r) {
    return queue.coversPods() && resources[r] == queue.pods();
  }

  /** {@return the requests of one pod of each pod set, by resource} */
  long[] ofOnePodEach() {
    long[] requests = new long[size];
    for (int r = 0; r < size; r++) {
      for (int member : members) {
        int index = workload.podSet(member).indexOf(resources[r]);
        if (isPods(r) || index >= 0) {
          requests[r] =
              Amount.add(requests[r], isPods(r) ? 1 : workload.podSet(member).perPod(index));
        }
      }
    }
    return requests;
  }

  /** {@return the requested amount of the {@code r}-th resource, may be negative} */
  long demand(int r) {
    return difference == null ? amounts[r] : difference[r];
  }

  private void add(ResourceName resource, long amount) {
    int at = 0;
    while (at < size && ResourceName.compareVisits(resources[at], resource) < 0) {
      at++;
    }
    if (at < size && resources[at] == resource) {
      amounts[at] = Amount.add(amounts[at], amount);
      return;
    }
    System.arraycopy(resources, at, resources, at + 1, size - at);
    System.arraycopy(amounts, at, amounts, at + 1, size - at);
    resources[at] = resource;
    amounts[at] = amount;
    size++;
  }

  /**
   * {@return the choice for one member, with the amounts that it requests itself}
   *
   * @param places whether pods are placed on the nodes of the flavor of a pair; if so, pods without
   *     requests follow the others of their group (T-68)
   */
  PodSetFlavors of(int member, int count, Predicate<FlavorResource> places) {
    if (members.length == 1 && size == resources.length && isAllDecided()) {
      // A single member gets the arrays themselves, which do not change any more.
      int[] modes = new int[size];
      for (int r = 0; r < size; r++) {
        modes[r] = FlavorFit.mode(fits[r]);
      }
      return new PodSetFlavors(member, count, resources, amounts, pairs, modes, tried);
    }
    CompiledPodSet podSet = workload.podSet(member);
    // If the queue covers pods, every pod set requests them.
    boolean goesAlong = podSet.size() == 0 && members.length > 1 && !queue.coversPods();
    int capacity = goesAlong ? size : podSet.size() + 1;
    ResourceName[] own = new ResourceName[capacity];
    long[] ownAmounts = new long[capacity];
    FlavorResource[] ownPairs = new FlavorResource[capacity];
    int[] modes = new int[capacity];
    int[] ownTried = new int[capacity];
    int n = 0;
    for (int r = 0; r < size; r++) {
      boolean isPods = queue.coversPods() && resources[r] == queue.pods();
      int index = isPods ? -1 : podSet.indexOf(resources[r]);
      if (pairs[r] == UNDECIDED
          || (index < 0 && !isPods && !(goesAlong && places.test(pairs[r])))) {
        continue;
      }
      own[n] = resources[r];
      ownAmounts[n] = isPods ? count : index < 0 ? 0 : podSet.amount(index, count);
      ownPairs[n] = pairs[r];
      modes[n] = FlavorFit.mode(fits[r]);
      ownTried[n] = tried[r];
      n++;
    }
    return new PodSetFlavors(
        member,
        count,
        Arrays.copyOf(own, n),
        Arrays.copyOf(ownAmounts, n),
        Arrays.copyOf(ownPairs, n),
        Arrays.copyOf(modes, n),
        Arrays.copyOf(ownTried, n));
  }

  private boolean isAllDecided() {
    for (FlavorResource pair : pairs) {
      if (pair == UNDECIDED) {
        return false;
      }
    }
    return true;
  }
}
