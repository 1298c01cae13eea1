package io.kueue4j.k8s.metrics;

/**
 * The types of metrics.
 *
 * @since 0.1.0
 */
public enum MetricType {
  /** Only increases. */
  COUNTER,
  /** Increases and decreases. */
  GAUGE,
  /** Counts observations by size. */
  HISTOGRAM
}
