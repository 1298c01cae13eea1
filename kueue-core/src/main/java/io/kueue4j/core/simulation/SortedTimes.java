package io.kueue4j.core.simulation;

import com.google.common.primitives.ImmutableLongArray;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Times of an event in several samples; it may not happen in some of them.
 *
 * @param millis the times in milliseconds in the samples in which it happens, in order
 * @param total the number of all samples
 */
record SortedTimes(ImmutableLongArray millis, int total) {
  /** {@return times, in the samples in which it happens} */
  static SortedTimes of(Collection<Long> times, int total) {
    return new SortedTimes(
        ImmutableLongArray.copyOf(times.stream().mapToLong(time -> time).sorted()), total);
  }

  /** {@return the number of samples in which it happens} */
  int count() {
    return millis.length();
  }

  /** {@return the number of samples in which it happens by a time} */
  int countBy(Instant time) {
    return (int) millis.stream()
        .filter(each -> !Instant.ofEpochMilli(each).isAfter(time))
        .count();
  }

  /** {@return the first time by which it happens in that share of the samples} */
  Optional<Instant> quantile(double share) {
    int rank = Math.max(1, (int) Math.ceil(share * total - 1e-9));
    return rank <= count()
        ? Optional.of(Instant.ofEpochMilli(millis.get(rank - 1)))
        : Optional.empty();
  }
}
