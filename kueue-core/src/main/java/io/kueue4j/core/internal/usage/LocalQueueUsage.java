package io.kueue4j.core.internal.usage;

/** The past usage of LocalQueues as one number each. */
@FunctionalInterface
public interface LocalQueueUsage {
  /** No LocalQueue has any usage. */
  LocalQueueUsage NONE = localQueue -> 0;

  /**
   * {@return the usage of a LocalQueue, 0 or more, infinite if its weight is 0; rule W-1}
   *
   * @param localQueue the namespace and name, separated by a slash
   */
  double of(String localQueue);
}
