package io.kueue4j.core.model;

/**
 * Why a workload was told to stop, if not for another one.
 *
 * <p>Kueue: reason of the condition {@code Evicted}. Rules: L-9.
 */
public enum EvictionReason {
  /** Nodes have failed and there is no other place for the pods that were on them. */
  NODE_FAILURES("NodeFailures");

  private final String text;

  EvictionReason(String text) {
    this.text = text;
  }

  /** {@return the reason as Kueue writes it} */
  @Override
  public String toString() {
    return text;
  }
}
