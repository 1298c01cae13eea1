package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.simulation.Credibility.Cell;
import io.kueue4j.core.simulation.Credibility.Moments;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import io.kueue4j.core.simulation.DurationMixture.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationMixtureTest {
  private static final SampleNumbers NUMBERS = SampleNumbers.of(3);
  private static final int SAMPLES = 2_000;

  private static Observation finished(long millis) {
    return new Observation(millis, true, 0);
  }

  private static DurationGroup group(double variance, Observation... jobs) {
    return group(variance, List.of(jobs));
  }

  private static DurationGroup group(double variance, List<Observation> jobs) {
    return new DurationGroup(jobs, jobs.size(), variance, NUMBERS);
  }

  /** {@return jobs with log-normal durations around one of a second} */
  private static List<Observation> jobs(int count, double median, double sigma, long seed) {
    Random random = new Random(seed);
    List<Observation> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(finished(Math.round(median * Math.exp(sigma * random.nextGaussian()))));
    }
    return jobs;
  }

  /** {@return the share of the samples that draw more than a duration} */
  private static double shareLonger(DurationMixture durations, long ran, long millis) {
    Random random = new Random(17);
    int longer = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      long drawn = durations.draw(sample, random.nextDouble(), ran);
      assertThat(drawn).isGreaterThan(ran);
      longer += drawn > millis ? 1 : 0;
    }
    return longer / (double) SAMPLES;
  }

  @Test
  void theMedianOfManyJobsIsTheirs() {
    DurationMixture durations = new DurationMixture(
        ImmutableList.of(new Level(group(1, jobs(400, 100_000, 1, 1)), 400 / 401.0)));

    assertThat(shareLonger(durations, 0, 100_000)).isCloseTo(0.5, within(0.06));
    assertThat(shareLonger(durations, 0, 360_000)).isCloseTo(0.1, within(0.04));
    // Among those that ran as long as the median.
    assertThat(shareLonger(durations, 100_000, 360_000)).isCloseTo(0.2, within(0.06));
  }

  @Test
  void aDrawIsAlwaysLongerThanTheTimeRun() {
    DurationMixture durations =
        new DurationMixture(ImmutableList.of(new Level(group(1, finished(1_000)), 0.5)));

    for (long ran : List.of(0L, 1L, 999L, 1_000L, 1_000_000L)) {
      assertThat(durations.draw(0, 0, ran)).isGreaterThan(ran);
    }
  }

  /** One of a kind that is known to vary by a factor of two. */
  @Test
  void oneJobStandsForItsKind() {
    double variance = Math.log(2) * Math.log(2);
    DurationMixture durations =
        new DurationMixture(ImmutableList.of(new Level(group(variance, finished(1_000_000)), 1)));

    // Its mean and a new job both vary: by a factor of two to the square root of two together.
    long factor = Math.round(1_000_000 * Math.pow(2, Math.sqrt(2)));
    assertThat(shareLonger(durations, 0, 1_000_000)).isCloseTo(0.5, within(0.03));
    assertThat(shareLonger(durations, 0, factor)).isCloseTo(0.16, within(0.04));
  }

  /** What no job of the group has reached is as in the wider group. */
  @Test
  void aJobThatIsOlderThanItsGroupIsAsTheOthers() {
    DurationGroup all = group(1, jobs(400, 100_000, 1, 1));
    DurationMixture durations = new DurationMixture(ImmutableList.of(
        new Level(group(0.01, jobs(40, 1_000, 0.1, 2)), 0.99), new Level(all, 400 / 401.0)));

    assertThat(shareLonger(durations, 0, 2_000)).isCloseTo(0.01, within(0.01));
    assertThat(shareLonger(durations, 100_000, 360_000)).isCloseTo(0.2, within(0.06));
  }

  /** A job that still runs leaves its share to longer ones; here there are none in the group. */
  @Test
  void theTailOfAGroupIsAsInTheWiderOneAmongLongerDurations() {
    DurationGroup all = group(1, jobs(400, 100_000, 1, 1));
    DurationMixture durations = new DurationMixture(ImmutableList.of(
        new Level(group(0.01, finished(1_000), new Observation(100_000, false, 0)), 1),
        new Level(all, 400 / 401.0)));

    assertThat(shareLonger(durations, 0, 99_000)).isCloseTo(0.5, within(0.03));
    assertThat(shareLonger(durations, 0, 360_000)).isCloseTo(0.1, within(0.04));
  }

  /** The first job of a history has no time in it: it ended when the history began. */
  @Test
  void jobsThatWereNeverSeenToRunDoNotCount() {
    DurationGroup group = group(
        0.01,
        new Observation(10, true, 10),
        new Observation(20, true, 10),
        new Observation(30, true, 10));

    for (int sample = 0; sample < 10; sample++) {
      assertThat(group.tail(sample)).isCloseTo(0, within(1e-9));
      assertThat(group.longerThan(sample, Math.log(13))).isGreaterThan(0.95);
    }
  }

  @Test
  void groupsThatDifferCountMoreThanGroupsThatDoNot() {
    Credibility different = credibility(new double[] {1, 3, 5, 7, 9, 2, 4, 6, 8, 10});
    Credibility equal = credibility(new double[10]);

    assertThat(different.variance(0)).isCloseTo(0.25, within(0.05));
    assertThat(different.share(0, 1)).isBetween(0.95, 0.99);
    assertThat(equal.share(0, 1)).isLessThan(0.15);
    assertThat(equal.share(0, 1_000)).isGreaterThan(0.98);
  }

  /** Four batches of a hundred equally long jobs say as much of a fifth as four jobs. */
  @Test
  void equalJobsOfOneTimeCountAsOne() {
    List<Cell> cells = new ArrayList<>();
    for (int batch = 0; batch < 4; batch++) {
      Moments logs = new Moments();
      for (int job = 0; job < 100; job++) {
        logs.add(3 * batch + 0.01 * (job % 2));
      }
      cells.add(new Cell(ImmutableIntArray.of(batch, 4, 5), logs));
    }

    Credibility among = new Credibility(cells, 3, 1);

    assertThat(among.independent(0)).isEqualTo(100);
    assertThat(among.independent(4)).isCloseTo(4, within(0.01));
    assertThat(new Credibility(cells, 3, 0).independent(4)).isEqualTo(400);
  }

  /** {@return the credibility of groups with standard deviation 0.5 around means} */
  private static Credibility credibility(double[] means) {
    Random random = new Random(5);
    List<Cell> cells = new ArrayList<>();
    for (int group = 0; group < means.length; group++) {
      Moments logs = new Moments();
      for (int job = 0; job < 40; job++) {
        logs.add(means[group] + 0.5 * random.nextGaussian());
      }
      cells.add(new Cell(ImmutableIntArray.of(group, means.length), logs));
    }
    return new Credibility(cells, 2, 0);
  }
}
