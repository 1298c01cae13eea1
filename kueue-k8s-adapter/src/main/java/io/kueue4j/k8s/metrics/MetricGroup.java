package io.kueue4j.k8s.metrics;

/** What metrics belong to, and whether they are wanted. */
public enum MetricGroup {
  /** Of the controller as a whole. */
  HEALTH,
  /** Of ClusterQueues. */
  CLUSTER_QUEUE,
  /**
   * Quota and usage of ClusterQueues. Kueue:
   * {@code Configuration.metrics.enableClusterQueueResources}.
   */
  CLUSTER_QUEUE_RESOURCES,
  /** Of workloads whose pods are told to be ready. Kueue: with {@code waitForPodsReady}. */
  PODS_READY,
  /** Of LocalQueues. Kueue: {@code Configuration.metrics.localQueueMetrics}. */
  LOCAL_QUEUE,
  /** Of cohorts. */
  COHORT
}
