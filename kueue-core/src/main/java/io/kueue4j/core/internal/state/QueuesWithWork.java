package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.versioned.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The queues that have work for the next cycle, so that idle queues cost it nothing.
 *
 * <p>Derived from the queues: adding each of them to an empty instance yields an equal one.
 */
final class QueuesWithWork {
  private static final Comparator<QueueState> BY_NAME = Comparator.comparing(QueueState::name);

  /** All queues with work, and some that no longer have any. */
  private final List<QueueState> queues = new ArrayList<>();

  private final Set<QueueState> listed = new HashSet<>();

  private boolean isInOrder = true;
  private final Predicate<QueueState> isDone = this::isDone;
  private final Journal journal;

  QueuesWithWork(Journal journal) {
    this.journal = journal;
  }

  /** Adds a queue that has work. */
  void add(QueueState queue) {
    if (queue.hasWork() && !listed.contains(queue)) {
      list(queue);
      journal.add(QueuesWithWork::remove, this, queue);
    }
  }

  private void list(QueueState queue) {
    listed.add(queue);
    queues.add(queue);
    isInOrder = false;
  }

  /** Removes a queue that no longer exists. */
  void remove(QueueState queue) {
    if (listed.remove(queue)) {
      queues.remove(queue);
    }
  }

  private boolean isDone(QueueState queue) {
    if (queue.hasWork()) {
      return false;
    }
    journal.add(QueuesWithWork::list, this, queue);
    return listed.remove(queue);
  }

  /** {@return the queues with work, by name} */
  List<QueueState> inOrder() {
    queues.removeIf(isDone);
    if (!isInOrder) {
      queues.sort(BY_NAME);
      isInOrder = true;
    }
    return Collections.unmodifiableList(queues);
  }
}
