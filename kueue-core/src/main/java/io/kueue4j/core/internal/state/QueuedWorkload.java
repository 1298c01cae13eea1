package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate that knows its record, so that a cycle need not look for it among all workloads. All
 * candidates of an engine are of this class.
 */
public final class QueuedWorkload extends Head {
  /** Null in a copy of one that is in no queue any more, and only remembered as having failed. */
  private @Nullable WorkloadRecord record;

  /** Creates the candidate of {@code record} that has never been tried. */
  QueuedWorkload(WorkloadRecord record, long queueTimeMillis, QueueState queue) {
    super(record.compiled(), queueTimeMillis, queue, record.backoffEnd());
    this.record = record;
  }

  private QueuedWorkload(QueuedWorkload other, QueueState queue) {
    super(other, queue);
  }

  /**
   * {@return the same for a copy of its queue, in no queue yet}
   *
   * @param newQueue the copy of its queue
   * @param changes what changes of the copy go through
   * @param records is given the copy of its record, unless it only is remembered as having failed
   */
  public QueuedWorkload copy(
      QueueState newQueue, ChangeLog changes, Consumer<WorkloadRecord> records) {
    QueuedWorkload copy = new QueuedWorkload(this, newQueue);
    if (record != null && equals(record.candidate())) {
      WorkloadRecord copyOfRecord = record.copyPending(newQueue, changes, copy);
      copy.record = copyOfRecord;
      records.accept(copyOfRecord);
    }
    return copy;
  }

  /** {@return the record of a candidate that waits in an engine} */
  public static WorkloadRecord record(Head candidate) {
    return Objects.requireNonNull(((QueuedWorkload) candidate).record, "candidate without record");
  }
}
