package io.kueue4j.examples.simulation;

import com.google.common.base.Ascii;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import java.time.Duration;
import java.util.Optional;

/**
 * How starts are to be promised, as users say it; what is absent stays as it is.
 *
 * @param depth how many jobs of each ClusterQueue are promised a start
 * @param fillerOrder the order of the other jobs
 * @param promiseAfter how long a job waits until it is promised a start whatever its place
 */
public record BackfillChoice(
    Optional<Integer> depth, Optional<Order> fillerOrder, Optional<Duration> promiseAfter) {
  /** What a depth may be, for errors. */
  public static final String DEPTHS = "0, 1, 2 and so on, or all";

  /** An order of fillers. */
  public enum Order {
    /** By priority, then by time. */
    QUEUE,
    /** The shortest expected duration first. */
    SHORTEST;

    private FillerOrder toSetting() {
      return this == QUEUE ? FillerOrder.QUEUE_ORDER : FillerOrder.SHORTEST_FIRST;
    }

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** {@return the choice that changes nothing} */
  public static BackfillChoice none() {
    return new BackfillChoice(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** {@return whether it changes nothing} */
  public boolean isEmpty() {
    return depth.isEmpty() && fillerOrder.isEmpty() && promiseAfter.isEmpty();
  }

  /** {@return whether it says something of backfilling and not how deep, unless that is known} */
  public boolean lacksDepth(Optional<Backfill> before) {
    return !isEmpty() && depth.isEmpty() && before.isEmpty();
  }

  /**
   * {@return the setting after this choice; empty if no start is promised}
   *
   * @param before the setting before
   * @throws IllegalArgumentException if it {@linkplain #lacksDepth lacks a depth}, or the duration
   *     is not positive
   */
  public Optional<Backfill> apply(Optional<Backfill> before) {
    if (isEmpty()) {
      return before;
    }
    if (lacksDepth(before)) {
      throw new IllegalArgumentException("without a depth of backfilling; expected " + DEPTHS);
    }
    Backfill base = before.orElseGet(() -> Backfill.ofDepth(0));
    return Optional.of(new Backfill(
        depth.orElse(base.depth()),
        fillerOrder.map(Order::toSetting).orElse(base.fillerOrder()),
        base.horizon(),
        promiseAfter.or(base::promiseAfter)));
  }
}
