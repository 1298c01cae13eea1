package io.kueue4j.examples.history;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs of a history while it is read. Checks that names are unique, and that references exist
 * and make no circle.
 */
final class JobList {
  private final SkippedLines lines;
  private final List<HistoryJob> jobs = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** The names with a namespace that got a number. */
  private final Multiset<String> repeated = HashMultiset.create();

  /** The positions and line numbers of jobs that follow others, one after another. */
  private final List<Long> following = new ArrayList<>();

  JobList(SkippedLines lines) {
    this.lines = lines;
  }

  int size() {
    return jobs.size();
  }

  /** {@return a name that no job has: with the namespace, and a number, if that is needed} */
  String unusedName(String namespace, String name) {
    String full = namespace + "." + name;
    if (!names.contains(name)) {
      return name;
    }
    return names.contains(full) ? full + "." + (2 + repeated.add(full, 1)) : full;
  }

  /** Adds a job; one whose name occurs before counts as a bad line. */
  void add(HistoryJob job, long line) {
    if (!names.add(job.name())) {
      lines.bad(line, "the job occurs before");
      return;
    }
    if (!job.after().isEmpty()) {
      following.add((long) jobs.size());
      following.add(line);
    }
    jobs.add(job);
  }

  /** {@return the jobs, which follow jobs of this list only} */
  ImmutableList<HistoryJob> finish() {
    for (int i = 0; i < following.size(); i += 2) {
      int position = Math.toIntExact(following.get(i));
      HistoryJob job = jobs.get(position);
      ImmutableList<String> known =
          job.after().stream().filter(names::contains).collect(ImmutableList.toImmutableList());
      if (known.size() < job.after().size()) {
        lines.warn(following.get(i + 1), "a preceding job is not in the history; ignored");
        jobs.set(position, job.withAfter(known));
      }
    }
    breakCircles();
    return ImmutableList.copyOf(jobs);
  }

  /** Lets jobs that follow each other in a circle follow none, one after another. */
  private void breakCircles() {
    Map<String, List<Integer>> dependents = new HashMap<>();
    Map<String, Integer> waitingFor = new HashMap<>();
    for (int i = 0; i < following.size(); i += 2) {
      HistoryJob job = jobs.get(Math.toIntExact(following.get(i)));
      waitingFor.put(job.name(), job.after().size());
      for (String before : job.after()) {
        dependents.computeIfAbsent(before, unused -> new ArrayList<>()).add(i);
      }
    }
    Deque<String> ready = new ArrayDeque<>();
    jobs.stream()
        .map(HistoryJob::name)
        .filter(name -> waitingFor.getOrDefault(name, 0) == 0)
        .forEach(ready::add);
    for (int i = 0; i < following.size(); i += 2) {
      release(ready, dependents, waitingFor);
      int position = Math.toIntExact(following.get(i));
      HistoryJob job = jobs.get(position);
      if (waitingFor.getOrDefault(job.name(), 0) > 0) {
        lines.warn(
            following.get(i + 1), "the jobs that precede it follow it, in a circle; ignored");
        jobs.set(position, job.withAfter(ImmutableList.of()));
        waitingFor.put(job.name(), 0);
        ready.add(job.name());
      }
    }
  }

  /** Takes away the jobs that follow none that remains. */
  private void release(
      Deque<String> ready, Map<String, List<Integer>> dependents, Map<String, Integer> waitingFor) {
    while (!ready.isEmpty()) {
      for (int i : dependents.getOrDefault(ready.remove(), List.of())) {
        String name = jobs.get(Math.toIntExact(following.get(i))).name();
        if (waitingFor.merge(name, -1, Integer::sum) == 0) {
          ready.add(name);
        }
      }
    }
  }
}
