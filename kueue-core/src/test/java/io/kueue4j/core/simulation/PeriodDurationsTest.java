package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import io.kueue4j.core.simulation.DurationMixture.Level;
import io.kueue4j.core.simulation.PeriodDurations.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class PeriodDurationsTest {
  private static final int SAMPLES = 10_000;
  private static final int JOBS = 200;
  private static final long MEDIAN = 100_000;
  private static final SampleNumbers ONE_JOB = SampleNumbers.of(1);
  private static final SampleNumbers OTHER_JOB = SampleNumbers.of(2);

  /** Some jobs with log-logistic durations; one in ten is longer than nine medians. */
  private static DurationMixture group() {
    SampleNumbers numbers = SampleNumbers.of(12);
    List<Observation> jobs = new ArrayList<>();
    for (int job = 0; job < JOBS; job++) {
      double below = (job + 0.5) / JOBS;
      jobs.add(new Observation(Math.round(MEDIAN * below / (1 - below)), true, 0));
    }
    return new DurationMixture(
        ImmutableList.of(new Level(new DurationGroup(jobs, jobs.size(), 0.1, numbers), 1)));
  }

  /** {@return durations of jobs that have effects of some variances in common} */
  private static PeriodDurations sharing(double... variances) {
    return sharing(new long[0], variances);
  }

  /** {@return the same, where jobs have run for some times} */
  private static PeriodDurations sharing(long[] ages, double... variances) {
    ImmutableList.Builder<Effect> effects = ImmutableList.builder();
    for (int i = 0; i < variances.length; i++) {
      effects.add(new Effect(variances[i], SampleNumbers.of(20 + i)));
    }
    return new PeriodDurations(group(), effects.build(), ages);
  }

  private static double share(IntPredicate inSample) {
    int count = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      count += inSample.test(sample) ? 1 : 0;
    }
    return count / (double) SAMPLES;
  }

  /** {@return the share of the samples in which two jobs are longer than the median} */
  private static double bothLong(PeriodDurations durations) {
    return share(sample -> durations.draw(sample, ONE_JOB.normal(sample), 0) > MEDIAN
        && durations.draw(sample, OTHER_JOB.normal(sample), 0) > MEDIAN);
  }

  /** Of two normal numbers with correlation r, both are positive with 1/4 + arcsin(r) / 2π. */
  @Test
  void jobsAreCorrelatedByTheVarianceOfWhatTheyShare() {
    assertThat(bothLong(sharing())).isCloseTo(0.25, within(0.015));
    assertThat(bothLong(sharing(0.5))).isCloseTo(1 / 3.0, within(0.015));
    assertThat(bothLong(sharing(0.3, 0.1, 0.1))).isCloseTo(1 / 3.0, within(0.015));
    assertThat(bothLong(sharing(1))).isCloseTo(0.5, within(0.015));
  }

  @Test
  void eachJobIsDistributedAsTheGroup() {
    PeriodDurations durations = sharing(0.4, 0.2);

    for (double below : new double[] {0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98}) {
      assertThat(share(sample ->
              durations.draw(sample, ONE_JOB.normal(sample), 0) <= MEDIAN * below / (1 - below)))
          .isCloseTo(below, within(0.015));
    }
  }

  /** Half of the jobs are longer than the median, and one in ten longer than nine. */
  @Test
  void whatHasRunForATimeIsLonger() {
    PeriodDurations durations = sharing(0.4);

    assertThat(share(sample -> durations.draw(sample, ONE_JOB.normal(sample), MEDIAN) > 9 * MEDIAN))
        .isCloseTo(0.2, within(0.015));
    assertThat(share(sample -> durations.draw(sample, ONE_JOB.normal(sample), MEDIAN) > MEDIAN))
        .isEqualTo(1);
  }

  /** Of normal numbers with correlation 1/2, if one is positive, the other is with 2/3. */
  @Test
  void aJobThatRunsForLongLetsOthersRunForLong() {
    PeriodDurations durations = sharing(new long[] {MEDIAN}, 0.5);

    assertThat(share(sample -> durations.draw(sample, OTHER_JOB.normal(sample), 0) > MEDIAN))
        .isCloseTo(2 / 3.0, within(0.015));
  }

  /** Three positive numbers with correlation 1/2 have probability 1/4, two have 1/3. */
  @Test
  void twoJobsThatRunForLongSayMoreThanOne() {
    PeriodDurations durations = sharing(new long[] {MEDIAN, MEDIAN}, 0.5);

    assertThat(share(sample -> durations.draw(sample, OTHER_JOB.normal(sample), 0) > MEDIAN))
        .isCloseTo(3 / 4.0, within(0.015));
  }

  @Test
  void equalJobsThatRunEndTogetherWhereTheyShareAll() {
    PeriodDurations durations = sharing(new long[] {MEDIAN, MEDIAN}, 0.999);

    assertThat(share(sample -> {
          double one = durations.draw(sample, ONE_JOB.normal(sample), MEDIAN);
          double other = durations.draw(sample, OTHER_JOB.normal(sample), MEDIAN);
          return Math.abs(Math.log(one / other)) < 0.5;
        }))
        .isGreaterThan(0.9);
  }

  /** What has run counts itself among what runs, and is distributed as the group nevertheless. */
  @Test
  void aJobThatRunsIsDistributedAsTheLongerOnes() {
    PeriodDurations durations = sharing(new long[] {MEDIAN}, 0.4, 0.2);

    for (double below : new double[] {0.55, 0.7, 0.9, 0.98}) {
      assertThat(share(sample -> durations.draw(sample, ONE_JOB.normal(sample), MEDIAN)
              <= MEDIAN * below / (1 - below)))
          .isCloseTo(2 * below - 1, within(0.02));
    }
  }
}
