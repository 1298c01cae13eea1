package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import java.time.Instant;

/**
 * The next search for places of a workload with quota.
 *
 * <p>Rules: U-25.
 *
 * @param failures the number of failed searches
 * @param due when the next one is due
 */
record Search(int failures, Instant due) {
  private static final ImmutableList<Integer> DELAYS_SECONDS = ImmutableList.of(1, 2, 4, 8, 16, 30);

  static Search first(Instant now) {
    return new Search(0, now);
  }

  /** {@return the search after one that has failed} */
  Search next(Instant now) {
    int delay = DELAYS_SECONDS.get(Math.min(failures, DELAYS_SECONDS.size() - 1));
    return new Search(failures + 1, now.plusSeconds(delay));
  }

  boolean isDue(Instant now) {
    return !now.isBefore(due);
  }
}
