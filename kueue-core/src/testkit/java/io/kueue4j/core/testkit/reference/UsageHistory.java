package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one LocalQueue over time, in base units.
 *
 * <p>Rules: W-1, W-2, W-5, W-6, W-7.
 */
final class UsageHistory {
  private static final int DECIMALS = 9;

  /** The number of samples from which they are not computed one by one. */
  private static final long MAX_SAMPLES = 1000;

  private final AdmissionFairSharing settings;
  private Map<String, BigDecimal> consumed = new TreeMap<>();

  /** The future usage of workloads with quota that does not count yet. */
  private final Map<WorkloadId, Map<String, BigDecimal>> penalties = new TreeMap<>();

  private @Nullable Instant lastUpdate;
  private boolean takesPart;

  /** Cached exact factors, since most samples are one interval apart. */
  private final Map<Double, BigDecimal> factors = new HashMap<>();

  UsageHistory(AdmissionFairSharing settings) {
    this.settings = settings;
  }

  /** {@return the consumed usage, if the history has started} */
  Optional<ConsumedUsage> consumed() {
    return Optional.ofNullable(lastUpdate)
        .map(at -> new ConsumedUsage(ImmutableSortedMap.copyOf(consumed), at));
  }

  /** W-1. */
  double usage(double weight) {
    if (weight <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    double sum = 0;
    Map<String, BigDecimal> used = consumed;
    for (Map<String, BigDecimal> penalty : penalties.values()) {
      used = sum(used, penalty);
    }
    for (Map.Entry<String, BigDecimal> each : used.entrySet()) {
      double amount = each.getValue().unscaledValue().doubleValue() * 1e-9;
      sum += settings.resourceWeight(each.getKey()) * amount;
    }
    return sum / weight;
  }

  void restore(ConsumedUsage usage) {
    consumed = cut(usage.resources());
    lastUpdate = usage.lastUpdate();
  }

  /** W-7: a history that resumes after a pause of an interval or more is updated at once. */
  void setTakesPart(boolean wanted, Instant now, Map<String, BigDecimal> inUse) {
    if (wanted && !takesPart) {
      if (lastUpdate == null) {
        lastUpdate = now;
      } else if (!lastUpdate.plus(interval()).isAfter(now)) {
        sample(Duration.between(lastUpdate, now), inUse);
      }
    }
    takesPart = wanted;
  }

  private Duration interval() {
    return settings.usageSamplingInterval();
  }

  /** W-7. */
  void sampleUntil(Instant now, Map<String, BigDecimal> inUse) {
    if (!takesPart || lastUpdate == null) {
      return;
    }
    long due = Duration.between(lastUpdate, now).dividedBy(interval());
    if (due > MAX_SAMPLES) {
      sample(interval().multipliedBy(due - MAX_SAMPLES), inUse);
    }
    for (long i = 0; i < Math.min(due, MAX_SAMPLES); i++) {
      sample(interval(), inUse);
    }
  }

  private void sample(Duration time, Map<String, BigDecimal> inUse) {
    consumed = settings.usageHalfLifeTime().isZero() ? Map.of() : decay(time, inUse);
    lastUpdate = Optional.ofNullable(lastUpdate).orElseThrow().plus(time);
  }

  /** W-3. */
  void reserved(WorkloadId workload, Map<String, BigDecimal> requests) {
    penalties.put(workload, times(requests, rate(interval())));
  }

  /** W-4. */
  void left(WorkloadId workload) {
    penalties.remove(workload);
  }

  /** W-5. */
  void settle(WorkloadId workload, Map<String, BigDecimal> inUse, Instant now) {
    Instant last = lastUpdate == null || lastUpdate.isBefore(now) ? now : lastUpdate;
    Map<String, BigDecimal> decayed =
        lastUpdate == null ? consumed : decay(Duration.between(lastUpdate, last), inUse);
    consumed = sum(decayed, penalties.getOrDefault(workload, Map.of()));
    penalties.remove(workload);
    lastUpdate = last;
  }

  /** W-6. */
  private Map<String, BigDecimal> decay(Duration time, Map<String, BigDecimal> inUse) {
    return sum(times(consumed, 1 - rate(time)), times(inUse, rate(time)));
  }

  /** W-2. */
  private double rate(Duration time) {
    Duration halfLife = settings.usageHalfLifeTime();
    return halfLife.isZero() ? 0 : 1 - StrictMath.pow(0.5, seconds(time) / seconds(halfLife));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }

  private Map<String, BigDecimal> times(Map<String, BigDecimal> amounts, double factor) {
    Map<String, BigDecimal> products = new TreeMap<>();
    BigDecimal exact = factors.computeIfAbsent(factor, UsageHistory::exact);
    amounts.forEach((resource, amount) -> products.put(resource, amount.multiply(exact)));
    return cut(products);
  }

  private static Map<String, BigDecimal> sum(
      Map<String, BigDecimal> one, Map<String, BigDecimal> other) {
    Map<String, BigDecimal> sum = new TreeMap<>(one);
    other.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
    return cut(sum);
  }

  /** W-6: rounded down; zeros are absent. */
  private static Map<String, BigDecimal> cut(Map<String, BigDecimal> amounts) {
    Map<String, BigDecimal> cut = new TreeMap<>();
    amounts.forEach(
        (resource, amount) -> cut.put(resource, amount.setScale(DECIMALS, RoundingMode.DOWN)));
    cut.values().removeIf(amount -> amount.signum() == 0);
    return cut;
  }

  /** {@return the decimal of fewest digits that is read as {@code value}} */
  private static BigDecimal exact(double value) {
    BigDecimal digits = new BigDecimal(value);
    for (int count = 1; ; count++) {
      for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.CEILING}) {
        BigDecimal rounded = digits.round(new MathContext(count, mode));
        if (rounded.doubleValue() == value) {
          return rounded;
        }
      }
    }
  }
}
