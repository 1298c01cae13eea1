package io.kueue4j.core.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A queue in front of some cores, simulated second by second without any engine: each second jobs
 * end, others are submitted, and the waiting ones are gone through in the order of submission. With
 * strict order, the first one that does not fit holds back all after it.
 */
final class NaiveFifo {
  /** A job: its name, its cores, and when it is submitted and how long it runs, in seconds. */
  record Task(String name, int cores, long submitted, long runs) {}

  private final int cores;
  private final boolean strict;
  private final List<Task> waiting = new ArrayList<>();
  private final List<Task> running = new ArrayList<>();
  private final Map<String, Long> starts = new TreeMap<>();
  private int used;

  private NaiveFifo(int cores, boolean strict) {
    this.cores = cores;
    this.strict = strict;
  }

  /** {@return the second in which each task starts; all must fit into an empty queue} */
  static Map<String, Long> starts(int cores, boolean strict, List<Task> tasks) {
    NaiveFifo queue = new NaiveFifo(cores, strict);
    for (long now = 0; queue.starts.size() < tasks.size(); now++) {
      queue.second(now, tasks);
    }
    return queue.starts;
  }

  private void second(long now, List<Task> tasks) {
    boolean unused = end(now);
    for (Task task : tasks) {
      if (task.submitted == now) {
        waiting.add(task);
      }
    }
    waiting.sort(Comparator.comparingLong(Task::submitted).thenComparing(Task::name));
    // What takes no time makes room at once.
    do {
      start(now);
    } while (end(now));
  }

  private boolean end(long now) {
    boolean ended = false;
    for (Iterator<Task> tasks = running.iterator(); tasks.hasNext(); ) {
      Task task = tasks.next();
      if (starts.getOrDefault(task.name, 0L) + task.runs == now) {
        used -= task.cores;
        tasks.remove();
        ended = true;
      }
    }
    return ended;
  }

  private void start(long now) {
    for (Iterator<Task> tasks = waiting.iterator(); tasks.hasNext(); ) {
      Task task = tasks.next();
      if (used + task.cores <= cores) {
        used += task.cores;
        starts.put(task.name, now);
        running.add(task);
        tasks.remove();
      } else if (strict) {
        return;
      }
    }
  }
}
