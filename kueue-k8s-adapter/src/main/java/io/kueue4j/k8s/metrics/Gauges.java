package io.kueue4j.k8s.metrics;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The values of the gauges at one moment. Not thread-safe. */
final class Gauges {
  private static final double MILLI = 1000;

  private final Series series;
  private final Map<Series.Key, Double> values = new LinkedHashMap<>();

  Gauges(Series series) {
    this.series = series;
  }

  void set(KueueMetric gauge, double value, String... labels) {
    if (series.has(gauge)) {
      values.put(series.key(gauge, labels), value);
    }
  }

  /**
   * Sets a gauge to a number of workloads.
   *
   * @param workloads supplies the workloads; called only if the series have labels of workloads
   */
  void setCount(
      KueueMetric gauge, int count, Supplier<Stream<WorkloadId>> workloads, String... labels) {
    if (!series.tellsWorkloads(gauge)) {
      set(gauge, count, labels);
    } else if (series.has(gauge)) {
      workloads
          .get()
          .forEach(workload -> values.merge(series.key(gauge, workload, labels), 1.0, Double::sum));
    }
  }

  /** Sets a gauge to an amount in the engine's units of {@code resource}. */
  void setAmount(KueueMetric gauge, long amount, String resource, String... labels) {
    set(gauge, toFloatingPoint(amount, resource), labels);
  }

  /**
   * {@return an amount in the unit of Kueue's metrics: cores of cpu, units of every other resource}
   */
  static double toFloatingPoint(long amount, String resource) {
    if (amount == Amount.UNLIMITED) {
      return Double.POSITIVE_INFINITY;
    }
    return resource.equals(ResourceNames.CPU) ? amount / MILLI : (double) amount;
  }

  /** {@return a weighted share; NaN for a node with weight 0 that borrows} */
  static double share(long weightedShare) {
    return weightedShare == Long.MAX_VALUE ? Double.NaN : (double) weightedShare;
  }

  ImmutableMap<Series.Key, Double> values() {
    return ImmutableMap.copyOf(values);
  }
}
