package io.kueue4j.examples.controller;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The jobs that are due now, in the order of events, or later. */
final class WorkList {
  private final Set<ObjectKey> due = new LinkedHashSet<>();
  private final TreeMap<Instant, Set<ObjectKey>> later = new TreeMap<>();
  private final Map<ObjectKey, Instant> times = new LinkedHashMap<>();

  void add(ObjectKey key) {
    due.add(key);
  }

  /** Delays a job; the last call for a job applies. */
  void delay(ObjectKey key, Instant time) {
    cancel(key);
    times.put(key, time);
    later.computeIfAbsent(time, unused -> new LinkedHashSet<>()).add(key);
  }

  /** Forgets the delay of a job. */
  void cancel(ObjectKey key) {
    Instant time = times.remove(key);
    if (time != null) {
      Set<ObjectKey> keys = later.get(time);
      if (keys != null && keys.remove(key) && keys.isEmpty()) {
        later.remove(time);
      }
    }
  }

  /** Makes jobs due whose delay has ended. */
  void wake(Instant now) {
    while (!later.isEmpty() && !later.firstKey().isAfter(now)) {
      for (ObjectKey key : later.pollFirstEntry().getValue()) {
        times.remove(key);
        due.add(key);
      }
    }
  }

  /** {@return the next job that is due, empty if there is none; it is then no longer due} */
  Optional<ObjectKey> poll() {
    Optional<ObjectKey> first = due.stream().findFirst();
    first.ifPresent(due::remove);
    return first;
  }

  /** {@return whether no job is due} */
  boolean isEmpty() {
    return due.isEmpty();
  }

  /** {@return the number of due jobs} */
  int size() {
    return due.size();
  }

  /** {@return when the next delayed job becomes due, empty if there is none} */
  Optional<Instant> next() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.firstKey());
  }
}
