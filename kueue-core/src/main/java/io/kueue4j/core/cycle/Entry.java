package io.kueue4j.core.cycle;

import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.queue.PendingWorkload;
import java.util.Comparator;

/**
 * A head with its nomination.
 *
 * @param head the head
 * @param assignment what it was nominated for
 */
record Entry(Candidate head, Assignment assignment) {
  /**
   * The order of processing without fair sharing; rule S-7, ties end in the order suggested by
   *
   */
  static Comparator<Entry> order(boolean byPriority) {
    return Comparator.<Entry>comparingInt(entry -> entry.assignment.borrowLevel())
        .thenComparing(
            Entry::head,
            byPriority ? PendingWorkload::compareService : PendingWorkload::compareAge);
  }
}
