package io.kueue4j.core;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Optional;

/** The queues of an engine at one moment. Immutable, safe for several threads. */
public final class EngineView {
  private final ImmutableSortedMap<String, ClusterQueueView> clusterQueues;
  private final ImmutableSortedMap<String, LocalQueueView> localQueues;
  private final ImmutableSortedMap<String, Long> cohortShares;

  EngineView(
      ImmutableSortedMap<String, ClusterQueueView> clusterQueues,
      ImmutableSortedMap<String, LocalQueueView> localQueues,
      ImmutableSortedMap<String, Long> cohortShares) {
    this.clusterQueues = clusterQueues;
    this.localQueues = localQueues;
    this.cohortShares = cohortShares;
  }

  /** {@return all ClusterQueues by name} */
  public ImmutableCollection<ClusterQueueView> clusterQueues() {
    return clusterQueues.values();
  }

  /** {@return the ClusterQueue with that name, if there is one} */
  public Optional<ClusterQueueView> clusterQueue(String name) {
    return Optional.ofNullable(clusterQueues.get(name));
  }

  /** {@return all LocalQueues by namespace and name} */
  public ImmutableCollection<LocalQueueView> localQueues() {
    return localQueues.values();
  }

  /** {@return the LocalQueue with that name in that namespace, if there is one} */
  public Optional<LocalQueueView> localQueue(String namespace, String name) {
    return Optional.ofNullable(localQueues.get(Configuration.localQueueKey(namespace, name)));
  }

  /**
   * {@return the weighted share of each cohort that a ClusterQueue stands below, by name; as
   * {@link ClusterQueueView#weightedShare()} is that of a queue}
   */
  public ImmutableSortedMap<String, Long> cohortShares() {
    return cohortShares;
  }

  @Override
  public String toString() {
    return clusterQueues.values().toString();
  }
}
