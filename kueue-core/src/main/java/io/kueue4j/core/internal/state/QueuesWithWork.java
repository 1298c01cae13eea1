package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The queues that have work for the next cycle, so that idle queues cost it nothing. */
final class QueuesWithWork {
  /** The names of all queues with work, and of some that no longer have any. */
  private final VersionedSet<String> names;

  QueuesWithWork(Journal journal) {
    this(VersionedSet.inNaturalOrder(journal));
  }

  private QueuesWithWork(VersionedSet<String> names) {
    this.names = names;
  }

  /** {@return the queues of a fork that have work} */
  QueuesWithWork fork(Journal journal) {
    return new QueuesWithWork(names.copy(journal));
  }

  /** Adds a queue if it has work. */
  void add(QueueState queue) {
    if (queue.hasWork()) {
      names.add(queue.name());
    }
  }

  /** Removes a queue that no longer exists. */
  void remove(QueueState queue) {
    names.remove(queue.name());
  }

  /** {@return the queues with work, by name} */
  List<QueueState> inOrder(Function<String, QueueState> queues) {
    List<QueueState> found = new ArrayList<>(names.size());
    List<String> done = new ArrayList<>();
    for (String name : names) {
      QueueState queue = queues.apply(name);
      if (queue.hasWork()) {
        found.add(queue);
      } else {
        done.add(name);
      }
    }
    done.forEach(names::remove);
    return found;
  }
}
