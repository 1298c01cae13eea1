package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.examples.history.HistoryJob.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What the jobs of a history used at the same time at most, by its own waits. */
final class PeakUsage {
  private PeakUsage() {}

  private record Change(long time, boolean begins, HistoryJob job) {}

  /** {@return the resources that jobs request} */
  static ImmutableSet<String> resources(List<HistoryJob> jobs) {
    return jobs.stream()
        .flatMap(job -> job.podSets().stream())
        .distinct()
        .flatMap(pods -> pods.requests().keySet().stream())
        .collect(toImmutableSet());
  }

  /**
   * {@return the largest amounts in use at one time, by group of jobs and resource, at least what
   * the largest job requests; a job whose wait is unknown counts from its submission on}
   *
   * @param jobs the jobs
   * @param group the group of a job
   */
  static Map<String, Map<String, Long>> by(List<HistoryJob> jobs, Function<Labels, String> group) {
    List<Change> changes = new ArrayList<>(jobs.size() * 2);
    for (HistoryJob job : jobs) {
      long start = job.times().submit() + Math.max(0, job.times().waited());
      changes.add(new Change(start, true, job));
      changes.add(new Change(start + Math.max(1, job.times().run()), false, job));
    }
    changes.sort(Comparator.comparingLong(Change::time).thenComparing(Change::begins));
    ImmutableSet<String> resources = resources(jobs);
    Map<String, Map<String, Long>> used = new HashMap<>();
    Map<String, Map<String, Long>> peaks = new HashMap<>();
    for (Change change : changes) {
      String of = group.apply(change.job().labels());
      Map<String, Long> now = used.computeIfAbsent(of, unused -> new HashMap<>());
      Map<String, Long> peak = peaks.computeIfAbsent(of, unused -> new TreeMap<>());
      for (String resource : resources) {
        long amount = amount(change.job(), resource);
        long after = now.merge(resource, change.begins() ? amount : -amount, Long::sum);
        peak.merge(resource, after, Math::max);
      }
    }
    return peaks;
  }

  /** {@return what a job requests of a resource in all} */
  private static long amount(HistoryJob job, String resource) {
    long sum = 0;
    for (PodSet pods : job.podSets()) {
      sum = LongMath.saturatedAdd(
          sum,
          LongMath.saturatedMultiply(pods.count(), pods.requests().getOrDefault(resource, 0L)));
    }
    return sum;
  }
}
