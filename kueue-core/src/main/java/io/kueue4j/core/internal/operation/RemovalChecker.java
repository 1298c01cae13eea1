package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import java.util.Collection;

/**
 * Finds out whether configuration objects can be removed: no workload and no remaining object may
 * depend on them.
 */
final class RemovalChecker {
  private final EngineState state;

  RemovalChecker(EngineState state) {
    this.state = state;
  }

  /** Objects that can be removed, whether they exist or not. */
  static final class Removable {
    private final ImmutableList<ConfigKind.Key> inOrder;

    private Removable(ImmutableList<ConfigKind.Key> inOrder) {
      this.inOrder = inOrder;
    }

    /** {@return the objects, each before those that it depends on} */
    ImmutableList<ConfigKind.Key> inOrder() {
      return inOrder;
    }
  }

  /**
   * {@return the objects, which can be removed}
   *
   * @throws IllegalStateException if a remaining object or workload needs one of them
   */
  Removable validate(Collection<ConfigKind.Key> keys) {
    ImmutableList<ConfigKind.Key> inOrder =
        ImmutableList.sortedCopyOf(ConfigKind.Key.REMOVAL_ORDER, keys);
    ImmutableSet<String> removedQueues = inOrder.stream()
        .filter(key -> key.kind() == ConfigKind.CLUSTER_QUEUE)
        .map(ConfigKind.Key::name)
        .collect(toImmutableSet());
    removedQueues.forEach(this::checkUnused);
    for (ConfigKind.Key key : inOrder) {
      if (key.kind() == ConfigKind.RESOURCE_FLAVOR) {
        checkUnnamed(key.name(), removedQueues);
      }
    }
    return new Removable(inOrder);
  }

  private void checkUnused(String clusterQueue) {
    int holders =
        state.queue(clusterQueue).map(queue -> state.reserving(queue).size()).orElse(0);
    if (holders > 0) {
      throw new IllegalStateException("ClusterQueue " + clusterQueue
          + " cannot be removed while its quota is held; finish or release the workloads that hold"
          + " it first: " + holders);
    }
  }

  private void checkUnnamed(String flavor, ImmutableSet<String> removedQueues) {
    state.queues().stream()
        .filter(queue -> !removedQueues.contains(queue.name()))
        .filter(queue -> Configuration.uses(queue.quota().compiled().source(), flavor))
        .findFirst()
        .ifPresent(queue -> {
          throw new IllegalStateException("ResourceFlavor " + flavor
              + " cannot be removed while ClusterQueue " + queue.name()
              + " names it; change the queue first");
        });
  }
}
