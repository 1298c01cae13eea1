package io.kueue4j.core.internal.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Is notified of changes of a {@link PendingQueue}. */
public interface QueueObserver {
  /** Is notified before each change, or before the first of several. */
  void beforeChange();

  /**
   * Is notified instead of {@link #beforeChange} before a change that can be taken back until the
   * next notification.
   */
  default void beforeReversibleChange(ReversibleChange change) {
    beforeChange();
  }

  /**
   * Is notified after the next end of a backoff has changed, including by a rollback.
   *
   * @param next the next end of a backoff, null if none ever ends by itself
   */
  default void nextReleaseChanged(@Nullable Instant next) {}
}
