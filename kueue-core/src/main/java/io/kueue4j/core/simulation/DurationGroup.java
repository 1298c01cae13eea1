package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.simulation.SampleNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The durations of similar jobs as a distribution, whose uncertainty differs from sample to sample.
 *
 * <p>Of n jobs, sorted by duration, each of the n + 1 intervals between them is as likely to
 * contain the next duration (Hill's assumption, 1968); the one beyond the longest has a Pareto
 * tail. A sample replaces these equal probabilities by random weights with that mean. The weight of
 * a job that still runs is spread over all longer ones (Efron's redistribution to the right, which
 * gives the estimate of Kaplan and Meier). A job that had already run when the history began counts
 * among those that reach its later ages only: had it been shorter, it would not be known (left
 * truncation).
 */
final class DurationGroup {
  /** Longer durations count as this one: they do not end in any simulation. */
  private static final long LONGEST = Long.MAX_VALUE / 4;

  /** As many durations represent a group at most. */
  private static final int MOST = 500;

  private static final Comparator<Observation> ORDER = Comparator.comparingLong(Observation::millis)
      .thenComparing(job -> !job.finished())
      .thenComparingLong(Observation::seenFrom);

  /** Durations in milliseconds, ascending; of jobs that still run, how long they have run. */
  private final long[] millis;

  private final boolean[] finished;

  /** How long each job had run when it was first seen. */
  private final long[] entries;

  /** The indices of the jobs in the order of {@link #entries}. */
  private final int[] byEntry;

  /** The number of finished jobs from each index on. */
  private final int[] finishedFrom;

  private final double tailIndex;
  private final SampleNumbers numbers;

  /** The probabilities that a duration is at most that of each job, and less than the tail. */
  private final double[] cumulative;

  /** The sample that {@link #cumulative} belongs to. */
  private int sample = -1;

  private DurationGroup(ImmutableList<Observation> sorted, SampleNumbers numbers) {
    int n = sorted.size();
    this.millis = sorted.stream().mapToLong(Observation::millis).toArray();
    this.entries = sorted.stream().mapToLong(Observation::seenFrom).toArray();
    this.finished = new boolean[n];
    this.numbers = numbers;
    this.cumulative = new double[n];
    this.finishedFrom = new int[n + 1];
    for (int i = n - 1; i >= 0; i--) {
      finished[i] = sorted.get(i).finished();
      finishedFrom[i] = finishedFrom[i + 1] + (finished[i] ? 1 : 0);
    }
    this.byEntry = IntStream.range(0, n)
        .boxed()
        .sorted(Comparator.comparingLong(i -> entries[i]))
        .mapToInt(Integer::intValue)
        .toArray();
    this.tailIndex = tailIndex();
  }

  /**
   * A job of a group.
   *
   * @param millis how long it ran or, if it still runs, how long it has run so far; at least 1
   * @param finished whether it has finished
   * @param seenFrom how long it had run when the history began; 0 if it started later
   */
  record Observation(long millis, boolean finished, long seenFrom) {
    Observation {
      millis = Math.max(1, Math.min(millis, LONGEST));
      seenFrom = Math.max(0, Math.min(seenFrom, millis));
    }
  }

  /** {@return the group of some jobs} */
  static DurationGroup of(List<Observation> jobs, SampleNumbers numbers) {
    List<Observation> sorted = new ArrayList<>(jobs);
    sorted.sort(ORDER);
    return new DurationGroup(
        sorted.size() > MOST ? thinned(sorted) : ImmutableList.copyOf(sorted), numbers);
  }

  /** {@return as many jobs as count, at equal distances in their order} */
  private static ImmutableList<Observation> thinned(List<Observation> sorted) {
    ImmutableList.Builder<Observation> kept = ImmutableList.builder();
    for (long i = 0; i < MOST; i++) {
      kept.add(sorted.get((int) ((2 * i + 1) * sorted.size() / (2 * MOST))));
    }
    return kept.build();
  }

  /**
   * {@return the index of the Pareto distribution of the longest jobs}: the mean of its posterior
   * distribution, from a gamma distribution with shape and rate 1 (Hill's estimator, 1975, with a
   * prior), but at least 1. With 1, what has run for a time runs as long again with probability one
   * half.
   */
  private double tailIndex() {
    int n = millis.length;
    int longest = Math.min((int) Math.sqrt(n), n - 1);
    double logs = 0;
    int ends = 0;
    for (int i = n - longest; i < n; i++) {
      logs += StrictMath.log(
          (double) millis[i] / Math.max(millis[n - longest - 1], Math.max(1, entries[i])));
      ends += finished[i] ? 1 : 0;
    }
    return Math.max(1, (ends + 1) / (logs + 1));
  }

  /** {@return the number of finished jobs that ran longer} */
  int countLonger(long ranMillis) {
    return finishedFrom[firstLonger(ranMillis)];
  }

  private int firstLonger(long ranMillis) {
    int low = 0;
    int high = millis.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (millis[middle] <= ranMillis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** {@return a duration longer than {@code ranMillis}} */
  long draw(int forSample, double uniform, long ranMillis) {
    weigh(forSample);
    int first = firstLonger(ranMillis);
    double below = first == 0 ? 0 : cumulative[first - 1];
    double wanted = below + uniform * (1 - below);
    int found = Arrays.binarySearch(cumulative, first, cumulative.length, wanted);
    // Jobs that still run have no probability of their own: their ranges are empty.
    int interval = found < 0 ? -found - 1 : found;
    while (interval < cumulative.length && interval > first && !finished[interval]) {
      interval--;
    }
    double lower = Math.max(1, ranMillis);
    if (interval == cumulative.length) {
      double start = Math.max(lower, (double) millis[interval - 1]);
      double reached = Math.max(below, cumulative[interval - 1]);
      double rest = (1 - wanted) / (1 - reached);
      return atLeast(start * StrictMath.pow(rest, -1 / tailIndex), ranMillis);
    }
    int before = interval - 1;
    while (before >= first && !finished[before]) {
      before--;
    }
    if (before < first && ranMillis <= 0) {
      return millis[interval];
    }
    double start = before < first ? lower : millis[before];
    double from = Math.max(below, before < 0 ? 0 : cumulative[before]);
    double part = (wanted - from) / (cumulative[interval] - from);
    return atLeast(start * StrictMath.pow(millis[interval] / start, part), ranMillis);
  }

  private static long atLeast(double drawn, long ranMillis) {
    return Math.max(Math.round(Math.min(drawn, (double) LONGEST)), ranMillis + 1);
  }

  /** Draws the weights of a sample. */
  private void weigh(int forSample) {
    if (sample == forSample) {
      return;
    }
    sample = forSample;
    SampleNumbers weights = numbers.part(forSample);
    int n = millis.length;
    double atRisk = weights.exponential(n);
    double survival = 1;
    int entered = 0;
    for (int i = 0; i < n; i++) {
      while (entered < n && entries[byEntry[entered]] < millis[i]) {
        atRisk += weights.exponential(byEntry[entered++]);
      }
      if (entries[i] < millis[i]) {
        double weight = weights.exponential(i);
        if (finished[i]) {
          survival *= 1 - weight / atRisk;
        }
        atRisk -= weight;
      }
      cumulative[i] = 1 - survival;
    }
  }
}
