package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.ScanProgress;
import io.kueue4j.core.internal.queue.PendingWorkload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A pending workload that a cycle can try, with what it remembers of its last attempt. */
public class Head extends PendingWorkload {
  private final QueueState queue;
  private @Nullable ScanProgress progress;
  private @Nullable LastAttempt last;

  private record LastAttempt(Attempt attempt, Instant time) {}

  /**
   * Creates a head that has never been tried.
   *
   * @param compiled the workload
   * @param queueTimeMillis the time that orders it, in milliseconds since the epoch
   * @param queue its ClusterQueue
   * @param backoffEnd the time from which it may be tried, {@link Instant#MAX} for never
   */
  public Head(
      CompiledWorkload compiled, long queueTimeMillis, QueueState queue, Instant backoffEnd) {
    super(compiled, queueTimeMillis, backoffEnd);
    this.queue = queue;
  }

  /** Creates a copy of a head for another ClusterQueue, in no queue yet. */
  protected Head(Head other, QueueState newQueue) {
    super(other);
    queue = newQueue;
    progress = other.progress;
    last = other.last;
  }

  /** {@return its ClusterQueue} */
  public QueueState queue() {
    return queue;
  }

  /** {@return where the next search over the flavors resumes, null to start at the first} */
  public @Nullable ScanProgress progress() {
    return progress;
  }

  /** Sets where the next search over the flavors resumes, null to start at the first. */
  public void setProgress(@Nullable ScanProgress changed) {
    queue.quota().journal().add(Head::restoreProgress, this, progress);
    progress = changed;
  }

  private void restoreProgress(@Nullable ScanProgress before) {
    progress = before;
  }

  /** {@return the result of the last attempt, null if there was none} */
  public @Nullable Attempt lastAttempt() {
    return last == null ? null : last.attempt;
  }

  /** {@return when the last attempt was made, null if there was none} */
  public @Nullable Instant lastAttemptTime() {
    return last == null ? null : last.time;
  }

  /** Sets the result of the last attempt and its time. */
  public void setLastAttempt(Attempt attempt, Instant time) {
    queue.quota().journal().add(Head::restoreLast, this, last);
    last = new LastAttempt(attempt, time);
  }

  private void restoreLast(@Nullable LastAttempt before) {
    last = before;
  }
}
