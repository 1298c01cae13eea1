package io.kueue4j.core.internal.preemption;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.state.PreemptionHistory;
import io.kueue4j.core.internal.state.PreemptionHistory.Counter;
import io.kueue4j.core.internal.state.PreemptionHistory.ReclaimSeries;
import io.kueue4j.core.internal.state.PreemptionHistory.Reclaimed;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the limits of preemption allow in one cycle. Counts the preemptions of the cycle itself,
 * which become part of the history when it is committed.
 *
 * <p>Rules: PL-1, PL-2, PL-3.
 */
public final class PreemptionBounds {
  private final PreemptionHistory history;
  private final long nowMillis;
  private final ToLongFunction<WorkloadId> pastPreemptions;

  /** What the preemptions of this cycle have changed. */
  private final Map<Counter, ImmutableLongArray> times = new LinkedHashMap<>();

  private final Map<Reclaimed, ReclaimSeries> reclaims = new LinkedHashMap<>();

  private PreemptionBounds(
      PreemptionHistory history, Instant now, ToLongFunction<WorkloadId> pastPreemptions) {
    this.history = history;
    this.pastPreemptions = pastPreemptions;
    this.nowMillis = TimeMath.saturatedMillis(now);
  }

  /**
   * {@return the limits for a cycle, null if there are none}
   *
   * @param pastPreemptions returns how often a workload was preempted
   */
  public static @Nullable PreemptionBounds of(
      PreemptionHistory history, Instant now, ToLongFunction<WorkloadId> pastPreemptions) {
    return history.isUsed() ? new PreemptionBounds(history, now, pastPreemptions) : null;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** {@return the exemptions for a workload of a ClusterQueue, none so far} */
  Exemptions exemptions(String preemptor) {
    VictimCost cost = history.limits(preemptor).victimCost().orElse(null);
    return new Exemptions(
        this, cost == null ? null : new CheapestVictims(cost, nowMillis, pastPreemptions));
  }

  // ----- single candidates

  /** {@return until when a candidate is exempt, in milliseconds since the epoch} */
  long exemptUntil(QuotaHolder holder, PreemptionReason reason) {
    if (holder.isEvicted()) {
      return Long.MIN_VALUE;
    }
    PreemptionLimits limits = history.limits(holder.clusterQueue());
    long end = endOfMinRunTime(limits, holder, reason);
    for (Rate rate : limits.rates()) {
      if (rate.scope() == RateScope.PREEMPTED_CLUSTER_QUEUE) {
        end = Math.max(end, allowedFrom(rate, holder.clusterQueue(), 1));
      } else if (rate.scope() == RateScope.PREEMPTED_WORKLOAD) {
        end = Math.max(end, allowedFrom(rate, holder.id().toString(), 1));
      }
    }
    return end;
  }

  private static long endOfMinRunTime(
      PreemptionLimits limits, QuotaHolder holder, PreemptionReason reason) {
    Duration minRunTime = limits.minRunTimes().get(reason);
    return minRunTime == null
        ? Long.MIN_VALUE
        : LongMath.saturatedAdd(holder.reservedMillis(), TimeMath.saturatedMillis(minRunTime));
  }

  /** {@return why some of {@code victims} are exempt} */
  String describe(List<Victim> victims) {
    int young = 0;
    int limited = 0;
    Duration minRunTime = Duration.ZERO;
    for (Victim victim : victims) {
      PreemptionLimits limits = history.limits(victim.holder().clusterQueue());
      if (victim.holder().isEvicted()) {
        continue;
      }
      if (endOfMinRunTime(limits, victim.holder(), victim.reason()) > nowMillis) {
        young++;
        Duration own = limits.minRunTimes().getOrDefault(victim.reason(), Duration.ZERO);
        minRunTime = own.compareTo(minRunTime) > 0 ? own : minRunTime;
      } else if (exemptUntil(victim.holder(), victim.reason()) > nowMillis) {
        limited++;
      }
    }
    StringBuilder text = new StringBuilder(Refusal.wouldPreempt(victims.size()));
    if (young > 0) {
      text.append(", ").append(young).append(" of them younger than ").append(text(minRunTime));
    }
    if (limited > 0) {
      text.append(", ").append(limited).append(" of them preempted as often as allowed");
    }
    return text.toString();
  }

  // ----- sets of victims

  /**
   * {@return why the victims of an attempt may not be preempted now, null if they may}
   *
   * @param exemptions the candidates that the search for the victims has passed over
   */
  public @Nullable Refusal refusal(
      String preemptor,
      Assignment assignment,
      List<Victim> victims,
      @Nullable Exemptions exemptions) {
    String first = null;
    long retry = Long.MIN_VALUE;
    for (Map.Entry<Counter, Integer> counted : counted(preemptor, victims).entrySet()) {
      Counter counter = counted.getKey();
      for (Rate rate : rates(counter, preemptor, victims)) {
        long from = allowedFrom(rate, counter.name(), counted.getValue());
        if (from > nowMillis && first == null) {
          first = describe(rate, counter, counted.getValue());
        }
        retry = Math.max(retry, from);
      }
    }
    if (first == null && reclaims(victims)) {
      for (FlavorResource pair : assignment.pairsToPreempt()) {
        long from = reclaimAllowedFrom(preemptor, pair);
        if (from > nowMillis && first == null) {
          first = "would reclaim " + pair + " again for ClusterQueue " + preemptor
              + ", which waits between reclaims";
        }
        retry = Math.max(retry, from);
      }
    }
    return first == null
        ? null
        : Refusal.of(
            first, Math.min(retry, exemptions == null ? Long.MAX_VALUE : exemptions.firstEnd()));
  }

  /** Counts the preemptions of an attempt. */
  public void count(String preemptor, Assignment assignment, List<Victim> victims) {
    counted(preemptor, victims).forEach((counter, count) -> {
      List<Rate> rates = rates(counter, preemptor, victims);
      if (!rates.isEmpty()) {
        times.put(counter, with(times(counter), rates, count));
      }
    });
    ReclaimBackoff backoff = history.limits(preemptor).reclaimBackoff().orElse(null);
    if (backoff != null && reclaims(victims)) {
      for (FlavorResource pair : assignment.pairsToPreempt()) {
        Reclaimed reclaimed = new Reclaimed(preemptor, pair);
        ReclaimSeries before = series(reclaimed);
        boolean continues = before != null
            && nowMillis
                <= LongMath.saturatedAdd(
                    end(before, backoff), TimeMath.saturatedMillis(backoff.reset()));
        int count = continues && before != null ? before.count() + 1 : 1;
        reclaims.put(reclaimed, new ReclaimSeries(count, nowMillis));
      }
    }
  }

  /** Makes what was counted a part of the history. */
  public void commit() {
    times.forEach(history::set);
    reclaims.forEach(history::set);
  }

  /** {@return the numbers of new preemptions by all that may count them, in a fixed order} */
  private static Map<Counter, Integer> counted(String preemptor, List<Victim> victims) {
    Map<Counter, Integer> counted = new LinkedHashMap<>();
    for (Victim victim : victims) {
      QuotaHolder holder = victim.holder();
      if (!holder.isEvicted()) {
        counted.merge(new Counter(RateScope.GLOBAL, ""), 1, Integer::sum);
        counted.merge(new Counter(RateScope.PREEMPTING_CLUSTER_QUEUE, preemptor), 1, Integer::sum);
        counted.merge(
            new Counter(RateScope.PREEMPTED_CLUSTER_QUEUE, holder.clusterQueue()), 1, Integer::sum);
        counted.merge(
            new Counter(RateScope.PREEMPTED_WORKLOAD, holder.id().toString()), 1, Integer::sum);
      }
    }
    return counted;
  }

  /** {@return the rates that a counter serves} */
  private List<Rate> rates(Counter counter, String preemptor, List<Victim> victims) {
    PreemptionLimits limits = switch (counter.scope()) {
      case GLOBAL -> history.defaults();
      case PREEMPTING_CLUSTER_QUEUE -> history.limits(preemptor);
      case PREEMPTED_CLUSTER_QUEUE -> history.limits(counter.name());
      case PREEMPTED_WORKLOAD -> history.limits(queueOf(counter.name(), victims));
    };
    return limits.rates().stream()
        .filter(rate -> rate.scope() == counter.scope())
        .toList();
  }

  private static String queueOf(String workload, List<Victim> victims) {
    for (Victim victim : victims) {
      if (victim.holder().id().toString().equals(workload)) {
        return victim.holder().clusterQueue();
      }
    }
    throw new IllegalArgumentException(workload + " is no victim");
  }

  /**
   * {@return the first time from now on at which a rate allows {@code more} preemptions}
   *
   * @param name what the rate counts
   */
  private long allowedFrom(Rate rate, String name, int more) {
    if (more > rate.limit()) {
      return Long.MAX_VALUE;
    }
    ImmutableLongArray past = times(new Counter(rate.scope(), name));
    // The last of the preemptions that must have left the window.
    int last = past.length() - 1 - (rate.limit() - more);
    return last < 0 ? nowMillis : Math.max(nowMillis, end(past.get(last), rate));
  }

  private static long end(long time, Rate rate) {
    return LongMath.saturatedAdd(time, TimeMath.saturatedMillis(rate.window()));
  }

  private String describe(Rate rate, Counter counter, int more) {
    ImmutableLongArray past = times(counter);
    long inWindow = past.stream().filter(time -> end(time, rate) > nowMillis).count();
    String of = switch (rate.scope()) {
      case GLOBAL -> "";
      case PREEMPTING_CLUSTER_QUEUE -> " for ClusterQueue " + counter.name();
      case PREEMPTED_CLUSTER_QUEUE -> " in ClusterQueue " + counter.name();
      case PREEMPTED_WORKLOAD -> " of workload " + counter.name();
    };
    return Refusal.wouldPreempt(more) + of + "; " + inWindow + " of at most " + rate.limit()
        + " preemptions per " + text(rate.window()) + " are used";
  }

  /** {@return {@code past} with preemptions of now, as far as a rate needs them} */
  private ImmutableLongArray with(ImmutableLongArray past, List<Rate> rates, int more) {
    int most = rates.stream().mapToInt(Rate::limit).max().orElse(0);
    long latest = past.isEmpty() ? nowMillis : Math.max(nowMillis, past.get(past.length() - 1));
    int first = Math.max(0, past.length() + more - most);
    ImmutableLongArray.Builder changed = ImmutableLongArray.builder(most);
    changed.addAll(past.subArray(Math.min(first, past.length()), past.length()));
    for (int i = 0; i < more; i++) {
      changed.add(latest);
    }
    return changed.build();
  }

  private ImmutableLongArray times(Counter counter) {
    ImmutableLongArray changed = times.get(counter);
    return changed == null ? history.times(counter) : changed;
  }

  // ----- reclaims

  private static boolean reclaims(List<Victim> victims) {
    return victims.stream()
        .anyMatch(victim -> !victim.holder().isEvicted()
            && (victim.reason() == PreemptionReason.IN_COHORT_RECLAMATION
                || victim.reason() == PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING));
  }

  private long reclaimAllowedFrom(String clusterQueue, FlavorResource pair) {
    ReclaimBackoff backoff = history.limits(clusterQueue).reclaimBackoff().orElse(null);
    ReclaimSeries before = backoff == null ? null : series(new Reclaimed(clusterQueue, pair));
    return before == null || backoff == null
        ? nowMillis
        : Math.max(nowMillis, end(before, backoff));
  }

  private @Nullable ReclaimSeries series(Reclaimed reclaimed) {
    ReclaimSeries changed = reclaims.get(reclaimed);
    return changed == null ? history.reclaims(reclaimed) : changed;
  }

  /** {@return when the delay after the last reclaim ends} */
  private static long end(ReclaimSeries series, ReclaimBackoff backoff) {
    long factor = LongMath.saturatedPow(2, series.count() - 1);
    long delay = Math.min(
        LongMath.saturatedMultiply(TimeMath.saturatedMillis(backoff.base()), factor),
        TimeMath.saturatedMillis(backoff.max()));
    return LongMath.saturatedAdd(series.lastMillis(), delay);
  }

  // ----- words

  /** {@return a duration for people, such as {@code 1 h 30 min}} */
  private static String text(Duration duration) {
    StringJoiner parts = new StringJoiner(" ");
    add(parts, duration.toDays(), "d");
    add(parts, duration.toHoursPart(), "h");
    add(parts, duration.toMinutesPart(), "min");
    add(parts, duration.toSecondsPart(), "s");
    return parts.length() == 0 ? duration.toString() : parts.toString();
  }

  private static void add(StringJoiner parts, long amount, String unit) {
    if (amount != 0) {
      parts.add(amount + " " + unit);
    }
  }
}
