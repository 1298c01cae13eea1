package io.kueue4j.core.model;

/**
 * What happens when the workload at the head of a ClusterQueue does not fit.
 *
 * @since 0.1.0
 */
public enum QueueingStrategy {
  /** It stays at the head, and the workloads behind it wait. */
  STRICT_FIFO("StrictFIFO"),
  /** It is parked until something changes, and the next workload is tried. */
  BEST_EFFORT_FIFO("BestEffortFIFO");

  private final String text;

  QueueingStrategy(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
