package io.kueue4j.examples.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.Calibration.Knowledge;
import io.kueue4j.examples.simulation.InputFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Whether estimates of starts keep what their probabilities promise, on traces whose seeds were not
 * used while the estimator was written.
 *
 * <p>Of n samples, a start comes before the k-th time with probability k / (n + 1): 19, 39 and 199
 * samples have a tenth and nine tenths exactly.
 */
class CalibrationTest {
  private static final int GPUS = 32;
  private static final int HOURS = 84;
  private static final int FIRST_SEED = 3001;

  /** The jobs of a trace, chosen by a random number generator. */
  private interface JobsOf {
    SyntheticJobs jobs(Random random);
  }

  /** What estimates go by, for a trace. */
  private enum By {
    /** What is known at the time. */
    PAST,
    /** How durations and arrivals are distributed, which is all that can be known. */
    KNOWN_DISTRIBUTIONS;

    private UnaryOperator<Knowledge> of(SyntheticJobs jobs, long seed) {
      Random random = new Random(~seed);
      return switch (this) {
        case PAST -> past -> past;
        case KNOWN_DISTRIBUTIONS -> {
          Knowledge all = new Knowledge(jobs.manyOfEachKind(random), jobs.jobs(random, 12 * HOURS));
          yield past -> all;
        }
      };
    }
  }

  /** Wider bounds than for many traces, since six say less. */
  @Test
  void estimatesOfRecurringJobsAreCalibrated() {
    Calibration few = holdOut(CalibrationTest::recurring, By.PAST, 6, 19);

    assertThat(few.coverage()).as("%s", few).isBetween(0.7, 0.9);
    assertThat(few.coverageOf90()).as("%s", few).isBetween(0.8, 1.0);
    assertThat(few.gain()).as("%s", few).isGreaterThan(1.5);
  }

  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void manyEstimatesOfRecurringJobsAreCalibrated() {
    Calibration many = holdOut(CalibrationTest::recurring, By.PAST, 60, 39);

    assertIsCalibrated(many);
    assertThat(many.gain()).as("%s", many).isGreaterThan(1.8);
  }

  /** How long a job of a user runs is hardly known: even the best estimate is not twice as good. */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void manyEstimatesOfIrregularJobsAreCalibrated() {
    Calibration many = holdOut(CalibrationTest::irregular, By.PAST, 60, 39);

    assertIsCalibrated(many);
    assertThat(many.gain()).as("%s", many).isGreaterThan(1.2);
  }

  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void theBestEstimatesOfRecurringJobsAreCalibrated() {
    assertIsCalibrated(holdOut(CalibrationTest::recurring, By.KNOWN_DISTRIBUTIONS, 60, 39));
  }

  /** What the distributions of durations and arrivals tell, and nothing more, is the best gain. */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void noEstimateOfIrregularJobsIsTwiceAsGood() {
    Calibration best = holdOut(CalibrationTest::irregular, By.KNOWN_DISTRIBUTIONS, 60, 39);

    assertIsCalibrated(best);
    assertThat(best.gain()).as("%s", best).isLessThan(2);
  }

  /**
   * The pods of the trace with less quota than they used, so that some wait. {@code kueue4j.traces}
   * names the folder with its files. Bounds are wide: the load changes from week to week, and what
   * waits at a time starts together, so that the estimates are few independent ones.
   */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.traces", matches = ".+")
  void estimatesOfTheOpenbTraceAreUseful() {
    Calibration calibration = holdOutOpenb(Path.of(System.getProperty("kueue4j.traces")), 65);

    System.out.println(calibration);
    assertThat(calibration.coverage()).as("%s", calibration).isBetween(0.6, 0.9);
    assertThat(calibration.coverageOf90()).as("%s", calibration).isBetween(0.75, 1.0);
    assertThat(calibration.gain()).as("%s", calibration).isGreaterThan(1.2);
  }

  private static void assertIsCalibrated(Calibration calibration) {
    System.out.println(calibration);
    assertThat(calibration.coverage()).as("%s", calibration).isBetween(0.75, 0.85);
    assertThat(calibration.coverageOf90()).as("%s", calibration).isBetween(0.85, 0.95);
  }

  private static SyntheticJobs recurring(Random random) {
    return SyntheticJobs.recurring(random, 0.85 * GPUS);
  }

  private static SyntheticJobs irregular(Random unused) {
    return SyntheticJobs.irregular(0.85 * GPUS);
  }

  private static Calibration holdOut(JobsOf trace, By by, int traces, int samples) {
    Calibration calibration = new Calibration(samples, Duration.ofDays(30));
    for (int seed = FIRST_SEED; seed < FIRST_SEED + traces; seed++) {
      Random random = new Random(seed);
      SyntheticJobs jobs = trace.jobs(random);
      SimulationResult truth = Simulation.builder()
          .configuration(
              ResourceFlavor.of("a100"),
              queue(
                  "q",
                  FlavorQuotas.of(
                      "a100", ResourceQuota.of(SyntheticJobs.GPU, String.valueOf(GPUS)))),
              LocalQueue.of("ns", "q", "q"))
          .trace(jobs.jobs(random, HOURS))
          .build()
          .run();
      UnaryOperator<Knowledge> knowledge = by.of(jobs, seed);
      for (int hour = 24; hour <= 72; hour += 12) {
        calibration.holdOut(truth, SyntheticJobs.START.plus(Duration.ofHours(hour)), 5, knowledge);
      }
    }
    return calibration;
  }

  private static ClusterQueue queue(String name, FlavorQuotas quotas) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(quotas))
        .build();
  }

  private static Calibration holdOutOpenb(Path folder, int percent) {
    SimulationResult truth = openb(folder, percent);
    Calibration calibration = new Calibration(39, Duration.ofDays(30));
    for (int day = 100; day <= 147; day++) {
      Instant now = truth.startTime().plus(Duration.ofDays(day));
      calibration.holdOut(truth, now, 4, past -> past.arrivalsSince(now.minus(Duration.ofDays(7))));
    }
    return calibration;
  }

  /** {@return what the pods of the trace do with a part of the most that they used at a time} */
  private static SimulationResult openb(Path folder, int percent) {
    History history = HistoryFile.read(
        InputFile.of(folder.resolve("openb-pods.csv.gz")),
        new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE));
    HistoryPlan plan = HistoryPlan.of(history, ImmutableList.of(), QueueMapping.NONE);
    return Simulation.builder()
        .configuration(plan.configuration().stream()
            .map(object -> object instanceof ClusterQueue queue ? smaller(queue, percent) : object)
            .toList())
        .start(history.start())
        .trace(plan.jobs())
        .build()
        .run();
  }

  private static ClusterQueue smaller(ClusterQueue queue, int percent) {
    FlavorQuotas all = queue.resourceGroups().get(0).flavors().get(0);
    return queue(
        queue.name(),
        FlavorQuotas.of(
            all.flavor(),
            all.resources().stream()
                .map(quota ->
                    ResourceQuota.ofAmount(quota.resource(), quota.nominalQuota() / 100 * percent))
                .toArray(ResourceQuota[]::new)));
  }
}
