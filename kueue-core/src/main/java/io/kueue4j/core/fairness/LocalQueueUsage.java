package io.kueue4j.core.fairness;

/** What LocalQueues have used, in one figure. */
@FunctionalInterface
public interface LocalQueueUsage {
  /** Nobody has used anything. */
  LocalQueueUsage NONE = localQueue -> 0;

  /**
   * {@return the usage of a LocalQueue, 0 or more, infinite for one without weight; rule W-1}
   *
   * @param localQueue namespace and name, a slash between
   */
  double of(String localQueue);
}
