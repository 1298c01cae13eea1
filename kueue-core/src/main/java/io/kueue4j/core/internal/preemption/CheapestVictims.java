package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Chooses, of the candidates that a search has taken, a set that suffices and loses the least work.
 *
 * <p>Rules: PL-5.
 *
 * @param rates what preemptions cost
 * @param nowMillis the time of the cycle, in milliseconds since the epoch
 * @param pastPreemptions returns how often a workload was preempted
 */
record CheapestVictims(
    VictimCost rates, long nowMillis, ToLongFunction<WorkloadId> pastPreemptions) {
  /*
   * Each candidate is put back or not, the most expensive first. If there are few, all ways are tried
   * that may cost less than the best so far. A set that is found later has to cost less, and
   * putting back is tried first, so no candidate of the set is superfluous.
   *
   * If there are many, each is put back if the demand still fits. Let m be the most expensive
   * victim in the end. When m was looked at, all before it that were put back cost at least as
   * much, and the demand did not fit with these and m in place. So each set that suffices contains
   * m or one of these, and costs at least as much as m; the set found costs at most as much as m
   * times its size. That holds if taking out more never makes a demand stop fitting.
   */

  /** The most candidates of which the best set is searched. */
  static final int EXACT = 10;

  /** {@return what the preemption of a workload costs; nothing if it was evicted already} */
  double cost(QuotaHolder holder) {
    if (holder.isEvicted()) {
      return 0;
    }
    long ran = Math.max(0, nowMillis - holder.reservedMillis());
    Duration interval = holder.workload().source().checkpointInterval().orElse(Duration.ZERO);
    long kept = TimeMath.saturatedMillis(interval);
    long lost = kept > 0 ? ran % kept : ran;
    double repeats = (double) TimeMath.saturatedMillis(rates.repeat())
        * pastPreemptions.applyAsLong(holder.id());
    double millis = lost + (double) TimeMath.saturatedMillis(rates.restart()) + repeats;
    return millis / 1000 * weight(holder);
  }

  private double weight(QuotaHolder holder) {
    if (rates.resourceWeights().isEmpty()) {
      return 1;
    }
    return holder.heldQuotas().stream()
        .mapToDouble(held -> {
          double unit = held.resource().equals(ResourceNames.CPU) ? 1000 : 1;
          return rates.resourceWeights().getOrDefault(held.resource(), 0.0) * held.amount() / unit;
        })
        .sum();
  }

  /**
   * Removes from {@code victims}, all of which are taken out, those that are not needed for
   * {@code demand} to fit, so that the others cost the least.
   */
  void choose(Demand demand, List<Victim> victims, boolean allowsBorrowing) {
    new Choice(demand, victims, allowsBorrowing).run();
  }

  /** One choice. */
  private final class Choice {
    private final Demand demand;
    private final List<Victim> victims;
    private final boolean allowsBorrowing;
    private final double[] costs;

    /** The indices of the candidates, the most expensive first. */
    private final List<Integer> order;

    private final Set<Integer> back = new HashSet<>();
    private Set<Integer> bestBack = Set.of();
    private double best = Double.POSITIVE_INFINITY;

    Choice(Demand demand, List<Victim> victims, boolean allowsBorrowing) {
      this.demand = demand;
      this.victims = victims;
      this.allowsBorrowing = allowsBorrowing;
      this.costs = victims.stream().mapToDouble(victim -> cost(victim.holder())).toArray();
      // Of equal ones the last first, as without costs.
      this.order = IntStream.range(0, victims.size())
          .boxed()
          .sorted(Comparator.<Integer>comparingDouble(i -> -costs[i])
              .thenComparing(Comparator.reverseOrder()))
          .toList();
    }

    void run() {
      if (victims.size() <= EXACT) {
        search(0, 0);
      } else {
        putBackGreedily();
      }
      List<Victim> chosen = new ArrayList<>();
      for (int i = 0; i < victims.size(); i++) {
        if (!bestBack.contains(i)) {
          chosen.add(victims.get(i));
        }
      }
      victims.clear();
      victims.addAll(chosen);
    }

    /**
     * Tries all ways from a place in the order on.
     *
     * @param spent the cost of the candidates before that are not put back
     */
    private void search(int place, double spent) {
      if (spent >= best) {
        return;
      }
      if (place == order.size()) {
        best = spent;
        bestBack = Set.copyOf(back);
        return;
      }
      int candidate = order.get(place);
      if (putBackIfFits(candidate)) {
        search(place + 1, spent);
        back.remove(candidate);
        demand.takeOut(victims.get(candidate).holder());
      }
      search(place + 1, spent + costs[candidate]);
    }

    private void putBackGreedily() {
      for (int candidate : order) {
        boolean unused = putBackIfFits(candidate);
      }
      bestBack = Set.copyOf(back);
    }

    private boolean putBackIfFits(int candidate) {
      demand.putBack(victims.get(candidate).holder());
      boolean fits = demand.fits(allowsBorrowing);
      if (fits) {
        back.add(candidate);
      } else {
        demand.takeOut(victims.get(candidate).holder());
      }
      return fits;
    }
  }
}
