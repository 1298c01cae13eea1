package io.kueue4j.core.internal.attempt;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a pending workload remembers of its last attempt.
 *
 * @param progress where the next search over the flavors resumes, null to start at the first
 * @param attempt the result, null if the workload was not tried
 * @param time when the attempt was made, null if the workload was not tried
 * @param events the number of events that its queue had seen at the attempt
 */
public record LastAttempt(
    @Nullable ScanProgress progress,
    @Nullable Attempt attempt,
    @Nullable Instant time,
    long events) {
  /** Nothing, because it was not tried. */
  public static final LastAttempt NONE = new LastAttempt(null, null, null, 0);

  /** {@return only the progress of the search, for another version of the workload} */
  public LastAttempt progressOnly() {
    return progress == null ? NONE : new LastAttempt(progress, null, null, 0);
  }
}
