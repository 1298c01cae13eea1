package io.kueue4j.core.simulation;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** Times of an event in several samples, in milliseconds; it may not happen in some of them. */
final class SortedTimes {
  private final long[] millis;
  private final int total;

  /**
   * Sorts times.
   *
   * @param millis the times in the samples in which it happens
   * @param total the number of all samples
   */
  SortedTimes(long[] millis, int total) {
    this.millis = millis.clone();
    this.total = total;
    Arrays.sort(this.millis);
  }

  /** {@return the number of samples in which it happens} */
  int count() {
    return millis.length;
  }

  /** {@return the number of samples} */
  int total() {
    return total;
  }

  /** {@return the number of samples in which it happens by a time} */
  int countBy(Instant time) {
    return (int) Arrays.stream(millis)
        .filter(each -> !Instant.ofEpochMilli(each).isAfter(time))
        .count();
  }

  /** {@return the first time by which it happens in that share of the samples} */
  Optional<Instant> quantile(double share) {
    int rank = Math.max(1, (int) Math.ceil(share * total - 1e-9));
    return rank <= millis.length
        ? Optional.of(Instant.ofEpochMilli(millis[rank - 1]))
        : Optional.empty();
  }
}
