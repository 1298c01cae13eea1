package io.kueue4j.core;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Changes that may let parked workloads fit, noted and not acted on yet. They may be noted and
 * acted on apart, because nobody looks at a queue in between, and several events of one tree are
 * worth one.
 *
 * <p>Rules: U-16.
 */
final class RequeueEvents {
  private final EngineState state;

  /** One queue of each tree with an event. */
  private final List<QueueQuota> sources = new ArrayList<>();

  private final Set<QuotaTree> trees = new HashSet<>();

  RequeueEvents(EngineState state) {
    this.state = state;
  }

  /** Notes that something changed for a queue and all of its tree. */
  void note(QueueQuota queue) {
    QuotaTree tree = queue.tree();
    if (trees.add(tree)) {
      sources.add(queue);
      state.undo().add(() -> {
        trees.remove(tree);
        sources.remove(queue);
      });
    }
  }

  /** Brings the workloads back that have been parked in the trees with events. */
  void deliver(Instant now) {
    for (QueueQuota source : takeSources()) {
      source.layout().forEachWatching(member -> {
        stopWatching(member);
        state.stateOf(member).ifPresent(queue -> {
          ClusterQueue spec = member.compiled().source();
          queue
              .pending()
              .requeueParked(namespace -> state.configuration().mayUse(spec, namespace), now);
          state.pending().changed(queue);
        });
      });
    }
  }

  /** {@return one queue of each tree with an event, which are forgotten} */
  private List<QueueQuota> takeSources() {
    if (sources.isEmpty()) {
      return List.of();
    }
    List<QueueQuota> taken = List.copyOf(sources);
    Set<QuotaTree> treesTaken = Set.copyOf(trees);
    sources.clear();
    trees.clear();
    state.undo().add(() -> {
      sources.addAll(taken);
      trees.addAll(treesTaken);
    });
    return taken;
  }

  private void stopWatching(QueueQuota queue) {
    queue.setWatching(false);
    state.undo().add(() -> queue.setWatching(true));
  }
}
