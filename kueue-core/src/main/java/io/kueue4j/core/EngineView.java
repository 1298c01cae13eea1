package io.kueue4j.core;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Optional;

/** The ClusterQueues of an engine at one moment. Immutable, safe for several threads. */
public final class EngineView {
  private final ImmutableSortedMap<String, ClusterQueueView> clusterQueues;

  EngineView(ImmutableSortedMap<String, ClusterQueueView> clusterQueues) {
    this.clusterQueues = clusterQueues;
  }

  /** {@return all ClusterQueues by name} */
  public ImmutableCollection<ClusterQueueView> clusterQueues() {
    return clusterQueues.values();
  }

  /** {@return the ClusterQueue with that name, if there is one} */
  public Optional<ClusterQueueView> clusterQueue(String name) {
    return Optional.ofNullable(clusterQueues.get(name));
  }

  @Override
  public String toString() {
    return clusterQueues.values().toString();
  }
}
