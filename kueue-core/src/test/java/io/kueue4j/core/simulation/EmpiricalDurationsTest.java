package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.job;
import static io.kueue4j.core.simulation.Jobs.workload;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class EmpiricalDurationsTest {
  private static final int SAMPLES = 2_000;
  private static final SampleNumbers NUMBERS = SampleNumbers.of(3);
  private static final SampleNumbers ONE_JOB = SampleNumbers.of(1);
  private static final SampleNumbers OTHER_JOB = SampleNumbers.of(2);

  private final ImmutableList.Builder<SimulationJob> history = ImmutableList.builder();
  private final ImmutableList.Builder<Durations.Running> running = ImmutableList.builder();
  private final ImmutableList.Builder<Durations.Submitted> jobs = ImmutableList.builder();
  private int count;

  /** Forty submissions, two hours apart, whose jobs take about ten or about a thousand seconds. */
  private void shortAndLongSubmissions() {
    Random random = new Random(5);
    for (int submission = 1; submission <= 40; submission++) {
      double median = submission % 2 == 0 ? 10 : 1_000;
      for (int i = 0; i < 10; i++) {
        finished(-7_200L * submission, median * Math.exp(0.1 * random.nextGaussian()));
      }
    }
  }

  private void finished(long submitted, double seconds) {
    history.add(job("train-" + count++, "q", 1, submitted, Math.round(seconds)).build());
  }

  private void runs(long submitted, long seconds) {
    Workload workload =
        workload("train-" + count++, "q", 1).creationTime(at(submitted)).build();
    running.add(new Durations.Running(workload, at(submitted), 1_000 * seconds));
  }

  /** {@return the durations of a job that was submitted at a time and waits} */
  private Durations.Source waiting(long submitted) {
    Workload workload =
        workload("train-" + count++, "q", 1).creationTime(at(submitted)).build();
    Instant time = at(submitted);
    Durations.Model model = new EmpiricalDurations(history.build(), Workload::namespace)
        .model(
            running.build(), jobs.add(new Durations.Submitted(workload, time)).build(), NUMBERS);
    return requireNonNull(model.source(workload, time));
  }

  private static double share(IntPredicate inSample) {
    int inSamples = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      inSamples += inSample.test(sample) ? 1 : 0;
    }
    return inSamples / (double) SAMPLES;
  }

  private static boolean isLonger(Durations.Source source, int sample, long seconds) {
    return source.draw(sample, ONE_JOB.normal(sample), 0) > 1_000 * seconds;
  }

  @Test
  void aSubmissionGoesOnInTheNextHourOfTheClock() {
    shortAndLongSubmissions();
    for (int i = 0; i < 10; i++) {
      finished(-1_500, 10);
    }

    Durations.Source source = waiting(600);

    assertThat(share(sample -> isLonger(source, sample, 100))).isLessThan(0.1);
  }

  @Test
  void jobsBetweenJoinASubmission() {
    shortAndLongSubmissions();
    for (int i = 0; i < 10; i++) {
      finished(-3_000, 10);
    }
    for (int i = 0; i < 10; i++) {
      jobs.add(new Durations.Submitted(workload("train-b" + i, "q", 1).build(), at(-900)));
    }

    Durations.Source source = waiting(1_500);

    assertThat(share(sample -> isLonger(source, sample, 100))).isLessThan(0.1);
  }

  @Test
  void runningJobsBetweenJoinASubmissionToo() {
    shortAndLongSubmissions();
    for (int i = 0; i < 10; i++) {
      finished(-3_000, 10);
      runs(-900, 1);
    }

    Durations.Source source = waiting(1_500);

    assertThat(share(sample -> isLonger(source, sample, 100))).isLessThan(0.1);
  }

  @Test
  void aJobAnHourLaterIsOfAnotherSubmission() {
    shortAndLongSubmissions();
    for (int i = 0; i < 10; i++) {
      finished(-3_600, 10);
    }

    Durations.Source source = waiting(0);

    assertThat(share(sample -> isLonger(source, sample, 100))).isBetween(0.3, 0.6);
  }

  /** Nobody knows which kind of submission it is, but all of its jobs are of that kind. */
  @Test
  void jobsOfANewSubmissionAreAllShortOrAllLong() {
    shortAndLongSubmissions();

    Durations.Source source = waiting(0);

    assertThat(share(sample -> isLonger(source, sample, 100)
            != source.draw(sample, OTHER_JOB.normal(sample), 0) > 100_000))
        .isLessThan(0.1);
  }

  /** Half of the jobs have ended by 1,000 seconds, and the others have run for as long. */
  @Test
  void jobsThatRunCountOnceBesideFinishedOnes() {
    shortAndLongSubmissions();
    for (int i = 0; i < 10; i++) {
      finished(-1_000, 900 + 10 * i);
      runs(-1_000, 1_000);
    }

    Durations.Source source = waiting(-1_000);

    assertThat(share(sample -> isLonger(source, sample, 1_000))).isBetween(0.4, 0.6);
  }
}
