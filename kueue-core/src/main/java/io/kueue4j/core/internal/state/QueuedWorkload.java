package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A head that refers to its record, so that a cycle need not look it up. All heads of an engine are
 * of this class.
 */
public final class QueuedWorkload extends Head {
  /**
   * Null in a copy of a head that has left its queue and is kept only as the last failed attempt.
   */
  private @Nullable WorkloadRecord record;

  /** Creates the head of {@code record}, which has not been tried yet. */
  QueuedWorkload(WorkloadRecord record, long queueTimeMillis, QueueState queue) {
    super(record.compiled(), queueTimeMillis, queue, record.backoffEnd());
    this.record = record;
  }

  private QueuedWorkload(QueuedWorkload other, QueueState queue) {
    super(other, queue);
  }

  /**
   * {@return a copy for a copy of its queue, not added to a queue yet}
   *
   * @param newQueue the copy of its queue
   * @param changes the log of changes of the copy
   * @param records receives the copy of its record, unless it is kept only as a failed attempt
   */
  public QueuedWorkload copy(
      QueueState newQueue, ChangeLog changes, Consumer<WorkloadRecord> records) {
    QueuedWorkload copy = new QueuedWorkload(this, newQueue);
    if (record != null && equals(record.head())) {
      WorkloadRecord copyOfRecord = record.copy(newQueue, changes, copy);
      copy.record = copyOfRecord;
      records.accept(copyOfRecord);
    }
    return copy;
  }

  /** {@return the record of a head that waits in an engine} */
  public static WorkloadRecord record(Head head) {
    return Objects.requireNonNull(((QueuedWorkload) head).record, "head without record");
  }
}
