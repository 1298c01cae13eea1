package io.kueue4j.examples.controller.event;

import com.google.common.util.concurrent.AtomicLongMap;

/** Counts events by their result. Thread-safe. */
public final class EventCounts {
  /** What became of an event. */
  public enum Result {
    /** It is a new object in the cluster. */
    RECORDED,
    /** It was added to the count of an equal event. */
    AGGREGATED,
    /** It was dropped: the server rejected it. */
    DROPPED_REFUSED,
    /** It was dropped: the server did not accept it in time. */
    DROPPED_UNAVAILABLE,
    /** It was dropped: too many events were waiting. */
    DROPPED_OVERFLOW,
    /** It was dropped: the controller stopped before it could be recorded. */
    DROPPED_STOPPED
  }

  private final AtomicLongMap<Result> counts = AtomicLongMap.create();

  void add(Result result, long number) {
    counts.addAndGet(result, number);
  }

  /** {@return the number of events with that result} */
  public long count(Result result) {
    return counts.get(result);
  }
}
