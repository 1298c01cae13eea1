package io.kueue4j.k8s.metrics;

import com.google.common.collect.ImmutableMap;

/**
 * Keeps the series of metrics: a registry of Micrometer or of Prometheus' client, or a map.
 *
 * <p>A series is a metric with one value for each of its {@linkplain KueueMetric#labels() labels};
 * tags always name all of them, in that order, and after them the {@linkplain CustomLabel custom
 * labels}, which are the same for all series of a metric. Methods are called by one thread at a
 * time.
 */
public interface MeterSink {
  /** Adds to a counter, which begins at 0. */
  void add(KueueMetric counter, ImmutableMap<String, String> tags, double amount);

  /** Sets a gauge; the value may be infinite, and not a number. */
  void set(KueueMetric gauge, ImmutableMap<String, String> tags, double value);

  /** Adds an observation to a histogram with the {@linkplain KueueMetric#buckets() buckets}. */
  void record(KueueMetric histogram, ImmutableMap<String, String> tags, double value);

  /** Forgets a series, of whatever kind. If it is written to again it begins anew. */
  void remove(KueueMetric metric, ImmutableMap<String, String> tags);
}
