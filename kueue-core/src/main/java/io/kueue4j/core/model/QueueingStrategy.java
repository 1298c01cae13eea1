package io.kueue4j.core.model;

/** What happens when the first workload of a ClusterQueue does not fit. */
public enum QueueingStrategy {
  /** It waits at the head and the others behind it. */
  STRICT_FIFO("StrictFIFO"),
  /** It steps aside until something changes, and the next is tried. */
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
