package io.kueue4j.core;

import io.kueue4j.core.model.AdmissionFairSharing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The usage history of one LocalQueue and resource, replayed from the whole history for each query.
 */
final class NaiveUsage {
  private record Event(Instant at, BigDecimal change, BigDecimal requested) {}

  private final AdmissionFairSharing settings;
  private final Instant start;
  private final List<Event> events = new ArrayList<>();
  double weight = 1;

  NaiveUsage(AdmissionFairSharing settings, Instant start) {
    this.settings = settings;
    this.start = start;
  }

  void admit(Instant at, long milliCores) {
    events.add(new Event(at, BigDecimal.valueOf(milliCores, 3), BigDecimal.valueOf(milliCores, 3)));
  }

  void release(Instant at, long milliCores) {
    events.add(new Event(at, BigDecimal.valueOf(-milliCores, 3), BigDecimal.ZERO));
  }

  /** Rules W-1, W-2, W-3, W-4, W-5, W-6, W-7. */
  double at(Instant now) {
    if (weight == 0) {
      return Double.POSITIVE_INFINITY;
    }
    BigDecimal consumed = BigDecimal.ZERO;
    BigDecimal inUse = BigDecimal.ZERO;
    Instant last = start;
    for (Event event : events) {
      while (!last.plus(settings.usageSamplingInterval()).isAfter(event.at)) {
        consumed = sample(consumed, inUse);
        last = last.plus(settings.usageSamplingInterval());
      }
      inUse = inUse.add(event.change);
      if (event.requested.signum() > 0) {
        consumed = decay(consumed, inUse, Duration.between(last, event.at))
            .add(times(event.requested, rate(settings.usageSamplingInterval())));
        last = event.at;
      }
    }
    while (!last.plus(settings.usageSamplingInterval()).isAfter(now)) {
      consumed = sample(consumed, inUse);
      last = last.plus(settings.usageSamplingInterval());
    }
    return consumed.setScale(9, RoundingMode.DOWN).unscaledValue().doubleValue() * 1e-9 / weight;
  }

  private BigDecimal sample(BigDecimal consumed, BigDecimal inUse) {
    return settings.usageHalfLifeTime().isZero()
        ? BigDecimal.ZERO
        : decay(consumed, inUse, settings.usageSamplingInterval());
  }

  private BigDecimal decay(BigDecimal consumed, BigDecimal inUse, Duration time) {
    return times(consumed, 1 - rate(time)).add(times(inUse, rate(time)));
  }

  private double rate(Duration time) {
    return settings.usageHalfLifeTime().isZero()
        ? 0
        : 1
            - StrictMath.pow(
                0.5, (double) time.toSeconds() / settings.usageHalfLifeTime().toSeconds());
  }

  private static BigDecimal times(BigDecimal amount, double factor) {
    return amount.multiply(BigDecimal.valueOf(factor)).setScale(9, RoundingMode.DOWN);
  }
}
