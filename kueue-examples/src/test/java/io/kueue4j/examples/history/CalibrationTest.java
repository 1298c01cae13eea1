package io.kueue4j.examples.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Samples;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.simulation.InputFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
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
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String GPU = "nvidia.com/gpu";
  private static final int GPUS = 32;
  private static final int USERS = 5;
  private static final ImmutableList<String> KINDS =
      ImmutableList.of("train", "eval", "prepare", "tune");
  private static final int FIRST_SEED = 101;

  private interface TraceOf {
    ImmutableList<SimulationJob> jobs(Random random);
  }

  /** Wider bounds than for many traces, since ten say less. */
  @Test
  void estimatesOfRecurringJobsAreCalibrated() {
    Calibration few = holdOut(CalibrationTest::recurring, 10, Samples.of(19, 1));

    assertThat(few.coverage()).as("%s", few).isBetween(0.72, 0.88);
    assertThat(few.coverageOf90()).as("%s", few).isBetween(0.82, 0.98);
    assertThat(few.gain()).as("%s", few).isGreaterThan(1.5);
  }

  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void manyEstimatesOfRecurringJobsAreCalibrated() {
    assertMeetsAll(holdOut(CalibrationTest::recurring, 60, Samples.of(39, 1)));
  }

  /** How long a job of a user runs is hardly known: no estimate can be much better than another. */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void manyEstimatesOfIrregularJobsAreCalibrated() {
    Calibration many = holdOut(CalibrationTest::irregular, 60, Samples.of(39, 1));

    assertIsCalibrated(many);
    assertThat(many.gain()).as("%s", many).isGreaterThan(1.2);
  }

  /**
   * The pods of the trace with less quota than they used, so that some wait. {@code kueue4j.traces}
   * names the folder with its files.
   */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.traces", matches = ".+")
  void estimatesOfTheOpenbTraceAreCalibrated() {
    SimulationResult truth = openb(Path.of(System.getProperty("kueue4j.traces")), 65);
    Calibration calibration =
        new Calibration(Samples.of(30, 1), Duration.ofDays(7), Duration.ofDays(10));
    for (int hour = 119 * 24; hour <= 147 * 24; hour += 36) {
      calibration.holdOut(truth, truth.startTime().plus(Duration.ofHours(hour)), 4);
    }

    assertIsCalibrated(calibration);
    assertThat(calibration.gain()).as("%s", calibration).isGreaterThan(1.5);
  }

  private static void assertMeetsAll(Calibration calibration) {
    assertIsCalibrated(calibration);
    assertThat(calibration.gain()).as("%s", calibration).isGreaterThanOrEqualTo(2);
  }

  private static void assertIsCalibrated(Calibration calibration) {
    assertThat(calibration.coverage()).as("%s", calibration).isBetween(0.75, 0.85);
    assertThat(calibration.coverageOf90()).as("%s", calibration).isBetween(0.85, 0.95);
  }

  private static Calibration holdOut(TraceOf trace, int traces, Samples samples) {
    Calibration calibration = new Calibration(samples, Duration.ofDays(30), Duration.ofDays(7));
    for (int seed = FIRST_SEED; seed < FIRST_SEED + traces; seed++) {
      SimulationResult truth = Simulation.builder()
          .configuration(
              ResourceFlavor.of("a100"),
              queue("q", FlavorQuotas.of("a100", ResourceQuota.of(GPU, String.valueOf(GPUS)))),
              LocalQueue.of("ns", "q", "q"))
          .trace(trace.jobs(new Random(seed)))
          .build()
          .run();
      for (int hour = 24; hour <= 72; hour += 12) {
        calibration.holdOut(truth, truth.startTime().plus(Duration.ofHours(hour)), 5);
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

  /**
   * {@return jobs of 84 hours at a load of 85 %: five users submit batches of four kinds of jobs
   * each. The medians of the kinds are log-normal (σ = 1.1), and the durations of a kind as well (σ
   * = 0.6)}
   */
  private static ImmutableList<SimulationJob> recurring(Random random) {
    double[] median = new double[USERS * KINDS.size()];
    int[] gpus = new int[median.length];
    double work = 0;
    for (int kind = 0; kind < median.length; kind++) {
      median[kind] = 7 + 1.1 * random.nextGaussian();
      gpus[kind] = 1 << random.nextInt(4);
      work += Math.exp(median[kind] + 0.18) * gpus[kind] / median.length;
    }
    double meanBatch = 2;
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    int number = 0;
    double seconds = 0;
    while (seconds < Duration.ofHours(84).toSeconds()) {
      seconds -= Math.log(1 - random.nextDouble()) * work * meanBatch / (0.85 * GPUS);
      int kind = random.nextInt(median.length);
      do {
        String user = "u" + kind / KINDS.size();
        jobs.add(job(
            user,
            user + "-" + KINDS.get(kind % KINDS.size()) + "-" + number++,
            gpus[kind],
            seconds,
            Math.exp(median[kind] + 0.6 * random.nextGaussian())));
      } while (random.nextDouble() < 1 - 1 / meanBatch);
    }
    return jobs.build();
  }

  /**
   * {@return 700 single jobs at a load of about 86 %, whose durations are log-normal (σ = 1.2),
   * with another median for each user}
   */
  private static ImmutableList<SimulationJob> irregular(Random random) {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    double seconds = 0;
    for (int i = 0; i < 700; i++) {
      int user = random.nextInt(USERS);
      int gpus = 1 << random.nextInt(4);
      double duration = Math.exp(6 + 0.5 * user + 1.2 * random.nextGaussian());
      seconds -= Math.log(1 - random.nextDouble()) * 390;
      jobs.add(job("u" + user, "u" + user + "-train-" + i, gpus, seconds, duration));
    }
    return jobs.build();
  }

  private static SimulationJob job(
      String user, String name, int gpus, double submitSeconds, double seconds) {
    return SimulationJob.builder()
        .workload(Workload.builder()
            .namespace("ns")
            .name(name)
            .queueName("q")
            .addPodSets(
                PodSet.builder().count(1).request(GPU, String.valueOf(gpus)).build())
            .build())
        .submitTime(START.plusMillis((long) (submitSeconds * 1000)))
        .duration(Duration.ofMillis((long) (seconds * 1000)))
        .user(user)
        .build();
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
