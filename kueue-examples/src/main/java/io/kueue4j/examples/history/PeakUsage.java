package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.examples.history.HistoryJob.Labels;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** What the jobs of a history used at the same time at most, by its own waits. */
final class PeakUsage {
  private PeakUsage() {}

  /** The begin or the end of a job; at one time, jobs end before others begin. */
  private record Change(long time, boolean begins, Usage usage, ImmutableLongArray requested)
      implements Comparable<Change> {
    @Override
    public int compareTo(Change other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Boolean.compare(begins, other.begins);
    }
  }

  /** {@return the resources that jobs request} */
  static ImmutableSortedSet<String> resources(List<HistoryJob> jobs) {
    // Jobs of one size share their pod sets, as a rule.
    Set<List<PodSet>> sizes = Sets.newIdentityHashSet();
    for (HistoryJob job : jobs) {
      sizes.add(job.podSets());
    }
    return sizes.stream()
        .flatMap(List::stream)
        .flatMap(pods -> pods.requests().keySet().stream())
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /**
   * {@return the largest amounts in use at one time, by group of jobs and resource, at least what
   * the largest job requests that started; a job whose wait is unknown counts from its submission
   * on}
   *
   * @param jobs the jobs
   * @param group the group of a job; asked for each job
   */
  static NavigableMap<String, Map<String, Long>> by(
      List<HistoryJob> jobs, Function<Labels, String> group) {
    ImmutableSortedSet<String> resources = resources(jobs);
    Map<String, Usage> groups = new HashMap<>();
    IdentityHashMap<List<PodSet>, ImmutableLongArray> amounts = new IdentityHashMap<>();
    Function<String, Usage> newUsage = unused -> new Usage(resources.size());
    Function<List<PodSet>, ImmutableLongArray> amountsOf = pods ->
        ImmutableLongArray.copyOf(resources.stream().mapToLong(resource -> amount(pods, resource)));
    Change[] changes = new Change[jobs.size() * 2];
    int count = 0;
    for (HistoryJob job : jobs) {
      Usage usage = groups.computeIfAbsent(group.apply(job.labels()), newUsage);
      if (job.times().neverStarted()) {
        continue;
      }
      ImmutableLongArray requested = amounts.computeIfAbsent(job.podSets(), amountsOf);
      long start = job.times().submit() + Math.max(0, job.times().waited());
      changes[count++] = new Change(start, true, usage, requested);
      changes[count++] =
          new Change(Math.max(start + 1, end(job.times(), start)), false, usage, requested);
    }
    Arrays.parallelSort(changes, 0, count);
    for (Change change : Arrays.asList(changes).subList(0, count)) {
      change.usage().add(change.requested(), change.begins());
    }
    NavigableMap<String, Map<String, Long>> peaks = new TreeMap<>();
    groups.forEach((name, usage) -> peaks.put(name, usage.peaks(resources)));
    return peaks;
  }

  /** What a group of jobs uses, by the number of the resource. */
  private static final class Usage {
    private final long[] now;
    private final long[] peak;

    Usage(int resources) {
      this.now = new long[resources];
      this.peak = new long[resources];
    }

    void add(ImmutableLongArray amounts, boolean begins) {
      for (int i = 0; i < amounts.length(); i++) {
        now[i] += begins ? amounts.get(i) : -amounts.get(i);
        peak[i] = Math.max(peak[i], now[i]);
      }
    }

    Map<String, Long> peaks(ImmutableSortedSet<String> resources) {
      Map<String, Long> peaks = new TreeMap<>();
      int i = 0;
      for (String resource : resources) {
        peaks.put(resource, peak[i++]);
      }
      return peaks;
    }
  }

  private static long end(HistoryJob.Times times, long start) {
    long end = start + times.run();
    return times.isCancelled() ? Math.min(end, times.submit() + times.cancel()) : end;
  }

  /** {@return what a job requests of a resource in all} */
  private static long amount(List<PodSet> podSets, String resource) {
    long sum = 0;
    for (PodSet pods : podSets) {
      sum = LongMath.saturatedAdd(
          sum,
          LongMath.saturatedMultiply(pods.count(), pods.requests().getOrDefault(resource, 0L)));
    }
    return sum;
  }
}
