package io.kueue4j.k8s.metrics;

/**
 * The groups of metrics that can be switched on and off.
 *
 * @since 0.1.0
 */
public enum MetricGroup {
  /** The controller as a whole. */
  HEALTH,
  /** ClusterQueues. */
  CLUSTER_QUEUE,
  /**
   * Quota and usage of ClusterQueues. Kueue:
   * {@code Configuration.metrics.enableClusterQueueResources}.
   */
  CLUSTER_QUEUE_RESOURCES,
  /** Readiness of pods. Kueue: with {@code waitForPodsReady}. */
  PODS_READY,
  /** LocalQueues. Kueue: {@code Configuration.metrics.localQueueMetrics}. */
  LOCAL_QUEUE,
  /** Cohorts. */
  COHORT,
  /**
   * Promised starts, only with {@link io.kueue4j.core.decision.Settings#backfill}. Not in Kueue.
   */
  PROMISES
}
