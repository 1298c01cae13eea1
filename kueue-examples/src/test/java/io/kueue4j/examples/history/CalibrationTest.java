package io.kueue4j.examples.history;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whether estimates of starts keep what their probabilities promise. */
class CalibrationTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String GPU = "nvidia.com/gpu";
  private static final int USERS = 5;

  /**
   * {@return what a queue with 32 GPUs does with jobs whose durations are log-normal, with another
   * median for each user, at a load of about 86 %}
   */
  private static SimulationResult skewed(int seed) {
    Random random = new Random(seed);
    List<SimulationJob> jobs = new ArrayList<>();
    double seconds = 0;
    for (int i = 0; i < 700; i++) {
      int user = random.nextInt(USERS);
      int gpus = 1 << random.nextInt(4);
      double duration = Math.exp(6 + 0.5 * user + 1.2 * random.nextGaussian());
      seconds += -Math.log(1 - random.nextDouble()) * 390;
      Workload workload = Workload.builder()
          .namespace("ns")
          .name("u" + user + "-train-" + i)
          .queueName("q")
          .addPodSets(
              PodSet.builder().count(1).request(GPU, String.valueOf(gpus)).build())
          .build();
      jobs.add(SimulationJob.builder()
          .workload(workload)
          .submitTime(START.plusMillis((long) (seconds * 1000)))
          .duration(Duration.ofMillis((long) (duration * 1000)))
          .user("u" + user)
          .build());
    }
    return Simulation.builder()
        .configuration(
            ResourceFlavor.of("a100"),
            ClusterQueue.builder()
                .name("q")
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(
                    ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of(GPU, "32"))))
                .build(),
            LocalQueue.of("ns", "q", "q"))
        .trace(jobs)
        .build()
        .run();
  }

  /** The bands are wide because few estimates are made; the long form has more. */
  @Test
  void estimatesOfSkewedDurationsAreCalibrated() {
    Calibration few = skewed(3, Samples.of(20, 1));

    assertThat(few.coverage()).as("%s", few).isBetween(0.6, 1.0);
    assertThat(few.coverageOf90()).as("%s", few).isBetween(0.7, 1.0);
    assertThat(few.gain()).as("%s", few).isGreaterThan(1);
  }

  @Test
  @EnabledIfSystemProperty(named = "kueue4j.calibration", matches = "true")
  void manyEstimatesOfSkewedDurationsAreCalibrated() {
    Calibration many = skewed(24, Samples.of(200, 1));

    assertThat(many.coverage()).as("%s", many).isBetween(0.7, 0.9);
    assertThat(many.coverageOf90()).as("%s", many).isBetween(0.82, 0.98);
    assertThat(many.gain()).as("%s", many).isGreaterThan(1.2);
  }

  private static Calibration skewed(int traces, Samples samples) {
    Calibration calibration = new Calibration(samples, Duration.ofDays(30), Duration.ofDays(7));
    for (int seed = 1; seed <= traces; seed++) {
      SimulationResult truth = skewed(seed);
      for (int hour = 24; hour <= 72; hour += 12) {
        calibration.holdOut(truth, START.plus(Duration.ofHours(hour)), 5);
      }
    }
    return calibration;
  }
}
