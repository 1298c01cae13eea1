package io.kueue4j.core.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Backfilling on some cores, event by event, without any engine: the first waiting tasks hold a
 * reservation in a profile of free cores, which moves to an earlier time only, and others start
 * where they fit into the profile. Submissions come before the ends of their time; what has run as
 * long as requested is gone before any other event of that time.
 */
final class NaiveBackfill {
  /** A task: its cores, when it is submitted, how long it runs, and at most, in seconds. */
  record Task(int cores, long submitted, long runs, long requested) {}

  private record Event(long time, boolean isEnd, int number, int task) {}

  private static final Comparator<Event> ORDER = Comparator.comparingLong(Event::time)
      .thenComparing(Event::isEnd)
      .thenComparingInt(Event::number);

  private final int cores;
  private final int depth;
  private final boolean shortestFirst;
  private final List<Task> tasks;
  private final PriorityQueue<Event> events = new PriorityQueue<>(ORDER);

  /** The requested end of each running task. */
  private final Map<Integer, Long> running = new HashMap<>();

  private final List<Integer> waiting = new ArrayList<>();
  private final Map<Integer, Long> reserved = new HashMap<>();
  private final long[] starts;
  private long now;

  private NaiveBackfill(int cores, int depth, boolean shortestFirst, List<Task> tasks) {
    this.cores = cores;
    this.depth = depth;
    this.shortestFirst = shortestFirst;
    this.tasks = tasks;
    this.starts = new long[tasks.size()];
  }

  /** {@return when each task starts} */
  static long[] starts(int cores, int depth, boolean shortestFirst, List<Task> tasks) {
    NaiveBackfill backfill = new NaiveBackfill(cores, depth, shortestFirst, tasks);
    for (int task = 0; task < tasks.size(); task++) {
      backfill.add(tasks.get(task).submitted, false, task);
    }
    while (!backfill.events.isEmpty()) {
      backfill.take(backfill.events.remove());
    }
    return backfill.starts;
  }

  private int added;

  private void add(long time, boolean isEnd, int task) {
    events.add(new Event(time, isEnd, added++, task));
  }

  private void take(Event event) {
    now = event.time;
    if (event.isEnd) {
      running.remove(event.task);
    } else {
      waiting.add(event.task);
    }
    running.values().removeIf(end -> end <= now);
    renew();
    Set<Integer> tried = new HashSet<>();
    while (!tried.containsAll(waiting)) {
      int next = next(tried);
      tried.add(next);
      attempt(next);
      waiting.stream()
          .filter(tried::contains)
          .limit(depth)
          .filter(task -> !reserved.containsKey(task))
          .toList()
          .forEach(task -> reserved.put(task, earliest(task)));
    }
  }

  /** {@return the first untried task among the first ones, otherwise the next filler} */
  private int next(Set<Integer> tried) {
    Comparator<Integer> order = Comparator.comparing(task -> waiting.indexOf(task) < depth ? 0 : 1);
    if (shortestFirst) {
      order = order.thenComparing(
          task -> waiting.indexOf(task) < depth ? 0L : tasks.get(task).requested);
    }
    return waiting.stream()
        .filter(task -> !tried.contains(task))
        .min(order.thenComparing(waiting::indexOf))
        .orElseThrow();
  }

  private void attempt(int task) {
    if (earliest(task) != now) {
      return;
    }
    waiting.remove((Integer) task);
    starts[task] = now;
    running.put(task, now + tasks.get(task).requested);
    add(now + tasks.get(task).runs, true, task);
    if (reserved.remove(task) != null) {
      renew();
    }
  }

  /** Moves reservations to the earliest time, in the order of the queue, until none moves. */
  private void renew() {
    boolean isMoved = true;
    while (isMoved) {
      isMoved = false;
      for (int task : waiting) {
        Long before = reserved.get(task);
        if (before != null) {
          long after = earliest(task);
          isMoved |= after != before;
          reserved.put(task, after);
        }
      }
    }
  }

  /** {@return the first time from which a task fits beside all others for as long as requested} */
  private long earliest(int task) {
    TreeMap<Long, Integer> changes = new TreeMap<>();
    changes.put(now, cores);
    running.forEach((other, end) -> {
      changes.merge(now, -tasks.get(other).cores, Integer::sum);
      changes.merge(end, tasks.get(other).cores, Integer::sum);
    });
    reserved.forEach((other, start) -> {
      if (other != task) {
        changes.merge(Math.max(now, start), -tasks.get(other).cores, Integer::sum);
        changes.merge(
            Math.max(now, start) + tasks.get(other).requested,
            tasks.get(other).cores,
            Integer::sum);
      }
    });
    TreeMap<Long, Integer> free = new TreeMap<>();
    int sum = 0;
    for (Map.Entry<Long, Integer> change : changes.entrySet()) {
      sum += change.getValue();
      free.put(change.getKey(), sum);
    }
    for (long start : new TreeSet<>(free.keySet())) {
      long end = start + tasks.get(task).requested;
      if (free.subMap(start, end).values().stream()
          .allMatch(cores -> cores >= tasks.get(task).cores)) {
        return start;
      }
    }
    throw new AssertionError("a task is wider than the machine");
  }
}
