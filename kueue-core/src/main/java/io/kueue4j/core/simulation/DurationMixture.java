package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;

/**
 * The durations of a workload by the durations of similar jobs: groups from the most similar jobs
 * to all, each of which counts as much as its {@linkplain Credibility credibility} says. What a
 * group leaves is as in the next wider one; so is its tail, among longer durations. Beyond the tail
 * of the widest group, durations follow a Pareto distribution.
 *
 * <p>For a workload that has run for a time, this is the distribution among longer durations: a
 * group in which hardly any job runs as long counts less then.
 */
final class DurationMixture {
  /** Longer durations count as this one: they do not end in any simulation. */
  private static final double LONGEST = Long.MAX_VALUE / 4.0;

  /** The logarithm of 0: all durations are longer. */
  private static final double SHORTEST = Double.NEGATIVE_INFINITY;

  private static final double UNKNOWN = -1;

  private final ImmutableList<Level> levels;
  private final double paretoIndex;

  /** The probability, behind each level, of durations longer than those before its tail. */
  private final double[] beyondTail;

  /** The sample that these belong to. */
  private int sample = -1;

  /**
   * A group of the mixture.
   *
   * @param group the group
   * @param share the share of the group; the wider ones have the rest
   */
  record Level(DurationGroup group, double share) {}

  /** Creates a mixture of at least one group, the narrowest first. */
  DurationMixture(ImmutableList<Level> levels) {
    this.levels = levels;
    this.paretoIndex = widest().paretoIndex();
    this.beyondTail = new double[levels.size()];
  }

  /**
   * {@return a duration in milliseconds}
   *
   * @param sample the number of the sample
   * @param uniform chooses the duration: its probability, among those that are longer than
   *     {@code ranMillis}
   * @param ranMillis how long the workload has run
   */
  long draw(int sample, double uniform, long ranMillis) {
    enter(sample);
    double drawn = draw(uniform, ranMillis > 0 ? StrictMath.log((double) ranMillis) : SHORTEST);
    double millis = Math.min(StrictMath.exp(drawn), LONGEST);
    return Math.max(Math.round(millis), Math.max(0, ranMillis) + 1);
  }

  /** {@return the probability of a duration that is longer} */
  double longerThan(int next, long millis) {
    enter(next);
    return millis > 0 ? behind(-1, StrictMath.log((double) millis)) : 1;
  }

  private void enter(int next) {
    if (sample != next) {
      sample = next;
      Arrays.fill(beyondTail, UNKNOWN);
    }
  }

  /** {@return the logarithm of a duration that is longer than {@code longer}} */
  private double draw(double uniform, double longer) {
    double rest = uniform;
    double above = longer;
    for (int level = 0; level < levels.size(); level++) {
      DurationGroup group = levels.get(level).group();
      double share = levels.get(level).share();
      double own = share * group.longerThan(sample, above);
      double behind = behind(level, above);
      double tail = tail(level, above, behind);
      double wider = (1 - share) * behind;
      double wanted = rest * (own + tail + wider);
      if (wanted < own) {
        return Math.max(above, group.exceededWith(sample, (own - wanted) / share));
      }
      if (wanted < own + tail) {
        rest = (wanted - own) / tail;
        above = Math.max(above, group.tailStart(sample));
      } else if (wider > 0) {
        rest = Math.min(1, (wanted - own - tail) / wider);
      }
    }
    double start = Math.max(above, widest().tailStart(sample));
    return start - StrictMath.log(Math.max(Double.MIN_NORMAL, 1 - rest)) / paretoIndex;
  }

  /** {@return the probability of longer durations, behind a level} */
  private double behind(int level, double longer) {
    if (longer == SHORTEST) {
      return 1;
    }
    if (level == levels.size() - 1) {
      double start = widest().tailStart(sample);
      return longer <= start ? 1 : StrictMath.exp(paretoIndex * (start - longer));
    }
    double share = levels.get(level + 1).share();
    double behindNext = behind(level + 1, longer);
    return share * levels.get(level + 1).group().longerThan(sample, longer)
        + tail(level + 1, longer, behindNext)
        + (1 - share) * behindNext;
  }

  /**
   * {@return the probability of longer durations, in the tail of a level}
   *
   * @param behind the probability of longer durations behind the level
   */
  private double tail(int level, double longer, double behind) {
    DurationGroup group = levels.get(level).group();
    double all = levels.get(level).share() * group.tail(sample);
    double start = group.tailStart(sample);
    if (all <= 0 || longer <= start) {
      return all;
    }
    if (beyondTail[level] == UNKNOWN) {
      beyondTail[level] = behind(level, start);
    }
    return beyondTail[level] > 0 ? all * behind / beyondTail[level] : 0;
  }

  private DurationGroup widest() {
    return levels.get(levels.size() - 1).group();
  }
}
