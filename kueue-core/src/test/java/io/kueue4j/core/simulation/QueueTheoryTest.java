package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulated mean waits against the formulas of queueing theory: the formula lies within the 99 %
 * confidence interval around the mean of batches.
 *
 * @see <a href="https://en.wikipedia.org/wiki/M/M/c_queue">M/M/c queue</a>
 * @see <a href="https://en.wikipedia.org/wiki/Pollaczek%E2%80%93Khinchine_formula">Pollaczek and
 *     Khinchine</a>
 */
class QueueTheoryTest {
  private static final int BATCHES = 20;
  private static final int JOBS_PER_BATCH = 1_000;

  /** Of Student's distribution with 19 degrees of freedom, for 99 % on both sides. */
  private static final double QUANTILE = 2.861;

  private static final double MEAN_SERVICE = 1_000;

  private static double exponential(SplittableRandom random, double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  @ParameterizedTest
  @CsvSource({"1, 0.5", "1, 0.8", "4, 0.7", "10, 0.9"})
  void exponentialServiceAtSeveralServers(int servers, double load) {
    double arrivalRate = load * servers / MEAN_SERVICE;
    double offered = load * servers;
    double term = 1;
    double sum = 0;
    for (int k = 0; k < servers; k++) {
      sum += term;
      term *= offered / (k + 1);
    }
    double waiting = term / (1 - load) / (sum + term / (1 - load));
    double expected = waiting * MEAN_SERVICE / servers / (1 - load);

    assertMeanWait(
        expected, waits(servers, arrivalRate, random -> exponential(random, MEAN_SERVICE)));
  }

  static Stream<Arguments> services() {
    ToDoubleFunction<SplittableRandom> constant = random -> MEAN_SERVICE;
    ToDoubleFunction<SplittableRandom> uniform = random -> random.nextDouble(2 * MEAN_SERVICE);
    ToDoubleFunction<SplittableRandom> mostlyShort =
        random -> random.nextInt(10) == 0 ? 5.5 * MEAN_SERVICE : 0.5 * MEAN_SERVICE;
    return Stream.of(
        arguments("constant", constant, 1),
        arguments("uniform", uniform, 4 / 3.0),
        arguments("mostly short", mostlyShort, 0.9 * 0.25 + 0.1 * 30.25));
  }

  /** Given the second moment of the service times in squares of their mean. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void anyServiceAtOneServer(
      String name, ToDoubleFunction<SplittableRandom> service, double secondMoment) {
    double load = 0.6;
    double expected = load * secondMoment * MEAN_SERVICE / 2 / (1 - load);

    assertMeanWait(expected, waits(1, load / MEAN_SERVICE, service));
  }

  /** {@return the waits in seconds of jobs with one core each, after the queue has filled} */
  private static double[] waits(
      int servers, double arrivalRate, ToDoubleFunction<SplittableRandom> service) {
    SplittableRandom random = new SplittableRandom(1);
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    double now = 0;
    for (int i = 0; i < (BATCHES + 1) * JOBS_PER_BATCH; i++) {
      now += exponential(random, 1 / arrivalRate);
      jobs.add(SimulationJob.of(
          Jobs.workload("job" + i, "q", 1).build(),
          Jobs.START.plusMillis(Math.round(now * 1_000)),
          Duration.ofMillis(Math.round(service.applyAsDouble(random) * 1_000))));
    }
    SimulationResult result = Simulation.builder()
        .configuration(Jobs.queue("q", servers))
        .trace(jobs.build())
        .build()
        .run();
    return result.jobs().stream()
        .skip(JOBS_PER_BATCH)
        .mapToDouble(job -> job.waited().toMillis() / 1e3)
        .toArray();
  }

  private static void assertMeanWait(double expected, double[] waits) {
    double[] means = IntStream.range(0, BATCHES)
        .mapToDouble(
            batch -> Arrays.stream(waits, batch * JOBS_PER_BATCH, (batch + 1) * JOBS_PER_BATCH)
                .average()
                .orElseThrow())
        .toArray();
    double mean = Arrays.stream(means).average().orElseThrow();
    double variance =
        Arrays.stream(means).map(each -> (each - mean) * (each - mean)).sum() / (BATCHES - 1);
    double halfWidth = QUANTILE * Math.sqrt(variance / BATCHES);

    assertThat(expected).isBetween(mean - halfWidth, mean + halfWidth);
    assertThat(halfWidth).as("the interval says something").isLessThan(expected / 3);
  }
}
