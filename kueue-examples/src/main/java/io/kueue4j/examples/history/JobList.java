package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The jobs of a history while it is read: checks that names are unique and references exist. */
final class JobList {
  private final SkippedLines lines;
  private final List<HistoryJob> jobs = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** The positions and line numbers of jobs that follow others, one after another. */
  private final List<Long> following = new ArrayList<>();

  JobList(SkippedLines lines) {
    this.lines = lines;
  }

  int size() {
    return jobs.size();
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
        lines.ignored(following.get(i + 1), "a preceding job is not in the history");
        jobs.set(position, job.withAfter(known));
      }
    }
    return ImmutableList.copyOf(jobs);
  }
}
