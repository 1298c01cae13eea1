package io.kueue4j.k8s.metrics;

/** How a metric is counted. */
public enum MetricType {
  /** Grows. */
  COUNTER,
  /** Goes up and down. */
  GAUGE,
  /** Counts observations by size. */
  HISTOGRAM
}
