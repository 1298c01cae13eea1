package io.kueue4j.core.simulation;

import io.kueue4j.core.internal.simulation.SampleNumbers;
import java.util.Arrays;

/**
 * The durations of similar jobs as a distribution, whose uncertainty differs from sample to sample.
 *
 * <p>Of n jobs, sorted by duration, each of the n + 1 intervals between them is as likely to
 * contain the next duration (Hill's assumption, 1968); the one beyond the longest has a Pareto
 * tail. A sample replaces these equal probabilities by random weights with that mean. The weight of
 * a job that still runs is spread over all longer ones (Efron's redistribution to the right, which
 * gives the estimate of Kaplan and Meier).
 */
final class DurationGroup {
  /** Longer durations count as this one: they do not end in any simulation. */
  private static final long LONGEST = Long.MAX_VALUE / 4;

  /** As many durations represent a group at most. */
  private static final int MOST = 500;

  /** Durations in milliseconds, ascending; of jobs that still run, how long they have run. */
  private final long[] millis;

  private final boolean[] finished;

  /** The number of finished jobs from each index on. */
  private final int[] finishedFrom;

  private final double tailIndex;
  private final SampleNumbers numbers;

  /** The probabilities that a duration is at most that of each job, and less than the tail. */
  private final double[] cumulative;

  /** The sample that {@link #cumulative} belongs to. */
  private int sample = -1;

  private DurationGroup(long[] millis, boolean[] finished, SampleNumbers numbers) {
    this.millis = millis;
    this.finished = finished;
    this.numbers = numbers;
    this.cumulative = new double[millis.length];
    this.finishedFrom = new int[millis.length + 1];
    for (int i = millis.length - 1; i >= 0; i--) {
      finishedFrom[i] = finishedFrom[i + 1] + (finished[i] ? 1 : 0);
    }
    this.tailIndex = tailIndex();
  }

  /** Collects durations. */
  static final class Builder {
    private long[] encoded = new long[8];
    private int size;

    void addFinished(long millis) {
      add(Math.min(millis, LONGEST) << 1);
    }

    /** Adds a job that has run so long, and still does. */
    void addRunning(long millis) {
      add((Math.min(millis, LONGEST) << 1) | 1);
    }

    private void add(long value) {
      if (size == encoded.length) {
        encoded = Arrays.copyOf(encoded, size * 2);
      }
      encoded[size++] = value;
    }

    DurationGroup build(SampleNumbers numbers) {
      long[] sorted = Arrays.copyOf(encoded, size);
      Arrays.sort(sorted);
      if (size > MOST) {
        sorted = thinned(sorted);
      }
      boolean[] finished = new boolean[sorted.length];
      for (int i = 0; i < sorted.length; i++) {
        finished[i] = (sorted[i] & 1) == 0;
        sorted[i] = Math.max(1, sorted[i] >> 1);
      }
      return new DurationGroup(sorted, finished, numbers);
    }

    /** {@return as many values as count, at equal distances in their order} */
    private static long[] thinned(long[] sorted) {
      long[] kept = new long[MOST];
      for (int i = 0; i < MOST; i++) {
        kept[i] = sorted[(int) ((2L * i + 1) * sorted.length / (2 * MOST))];
      }
      return kept;
    }
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
      logs += StrictMath.log((double) millis[i] / millis[n - longest - 1]);
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
    double rest = weights.exponential(n);
    for (int i = 0; i < n; i++) {
      cumulative[i] = weights.exponential(i);
      rest += cumulative[i];
    }
    double survival = 1;
    for (int i = 0; i < n; i++) {
      double weight = cumulative[i];
      if (finished[i]) {
        survival *= 1 - weight / rest;
      }
      rest -= weight;
      cumulative[i] = 1 - survival;
    }
  }
}
