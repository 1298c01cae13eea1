package io.kueue4j.k8s.metrics;

import java.util.Map;

/**
 * Stores the series of metrics: a registry of Micrometer or of Prometheus' client, or a map.
 *
 * <p>A series is a metric with one value for each of its {@linkplain KueueMetric#labels() labels};
 * tags always contain all of them, in that order, followed by the {@linkplain CustomLabel custom
 * labels}, which are the same for all series of a metric. Calls never overlap.
 *
 * @since 0.1.0
 */
public interface MeterSink {
  /** Adds to a counter, which starts at 0. */
  void add(KueueMetric counter, Map<String, String> tags, double amount);

  /** Sets a gauge; the value may be infinite or NaN. */
  void set(KueueMetric gauge, Map<String, String> tags, double value);

  /** Adds an observation to a histogram with the {@linkplain KueueMetric#buckets() buckets}. */
  void record(KueueMetric histogram, Map<String, String> tags, double value);

  /** Removes a series of any type. A later write to it starts a new series. */
  void remove(KueueMetric metric, Map<String, String> tags);
}
