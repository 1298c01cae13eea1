package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import java.time.Instant;

/**
 * When places are searched for pods of a workload that holds quota.
 *
 * <p>Rules: U-25.
 *
 * @param failures how many searches have failed
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
