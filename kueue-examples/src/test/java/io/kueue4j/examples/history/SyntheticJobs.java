package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.SimulationJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/**
 * Random jobs of several kinds with log-normal durations, whose distribution is known.
 *
 * @param kinds the kinds, of which each job or batch picks one at random
 * @param meanBatch the mean size of a batch, whose sizes are geometrically distributed
 * @param meanGap the mean of the exponentially distributed seconds between batches
 */
record SyntheticJobs(ImmutableList<Kind> kinds, double meanBatch, double meanGap) {
  static final String GPU = "nvidia.com/gpu";
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int USERS = 5;

  /** The number of jobs that show a distribution. */
  private static final int MANY = 500;

  private static final ImmutableList<String> NAMES =
      ImmutableList.of("train", "eval", "prepare", "tune");

  /**
   * Jobs of one template.
   *
   * @param user the user
   * @param name the beginning of the names of the jobs
   * @param gpus the GPUs that each requests
   * @param logMedian the logarithm of the median of their durations in seconds
   * @param sigma the standard deviation of the logarithms
   */
  record Kind(String user, String name, int gpus, double logMedian, double sigma) {
    private double meanWork() {
      return gpus * Math.exp(logMedian + sigma * sigma / 2);
    }
  }

  /**
   * {@return recurring jobs: five users submit batches of four kinds of jobs each. The medians of
   * the kinds are log-normal (σ = 1.1), and the durations of a kind as well (σ = 0.6)}
   *
   * @param load the mean number of GPUs in use
   */
  static SyntheticJobs recurring(Random random, double load) {
    ImmutableList.Builder<Kind> kinds = ImmutableList.builder();
    for (int kind = 0; kind < USERS * NAMES.size(); kind++) {
      String user = "u" + kind / NAMES.size();
      double logMedian = 7 + 1.1 * random.nextGaussian();
      kinds.add(new Kind(
          user,
          user + "-" + NAMES.get(kind % NAMES.size()),
          1 << random.nextInt(4),
          logMedian,
          0.6));
    }
    return of(kinds.build(), 2, load);
  }

  /**
   * {@return irregular jobs, one at a time: nothing but the user says how long they run, log-normal
   * with σ = 1.2}
   *
   * @param load the mean number of GPUs in use
   */
  static SyntheticJobs irregular(double load) {
    ImmutableList.Builder<Kind> kinds = ImmutableList.builder();
    for (int user = 0; user < USERS; user++) {
      for (int size = 0; size < 4; size++) {
        kinds.add(new Kind("u" + user, "u" + user + "-train", 1 << size, 6 + 0.5 * user, 1.2));
      }
    }
    return of(kinds.build(), 1, load);
  }

  private static SyntheticJobs of(ImmutableList<Kind> kinds, double meanBatch, double load) {
    double work = kinds.stream().mapToDouble(Kind::meanWork).average().orElseThrow();
    return new SyntheticJobs(kinds, meanBatch, work * meanBatch / load);
  }

  /** {@return the jobs of some hours} */
  ImmutableList<SimulationJob> jobs(Random random, int hours) {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    int number = 0;
    double seconds = 0;
    while (seconds < Duration.ofHours(hours).toSeconds()) {
      seconds -= Math.log(1 - random.nextDouble()) * meanGap;
      Kind kind = kinds.get(random.nextInt(kinds.size()));
      do {
        double duration = Math.exp(kind.logMedian() + kind.sigma() * random.nextGaussian());
        jobs.add(job(kind, number++, seconds, duration));
      } while (random.nextDouble() < 1 - 1 / meanBatch);
    }
    return jobs.build();
  }

  /**
   * {@return many jobs of each kind, which show how its durations are distributed: one each hour,
   * since jobs less than an hour apart count as one}
   */
  ImmutableList<SimulationJob> manyOfEachKind(Random random) {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (Kind kind : kinds) {
      for (int i = 0; i < MANY; i++) {
        jobs.add(job(
            kind,
            i,
            3_600.0 * (i - MANY),
            Math.exp(kind.logMedian() + kind.sigma() * random.nextGaussian())));
      }
    }
    return jobs.build();
  }

  private static SimulationJob job(Kind kind, int number, double submitSeconds, double seconds) {
    return SimulationJob.builder()
        .workload(Workload.builder()
            .namespace("ns")
            .name(kind.name() + "-" + number)
            .queueName("q")
            .addPodSets(PodSet.builder()
                .count(1)
                .request(GPU, String.valueOf(kind.gpus()))
                .build())
            .build())
        .submitTime(START.plusMillis((long) (submitSeconds * 1000)))
        .duration(Duration.ofMillis((long) (seconds * 1000)))
        .user(kind.user())
        .build();
  }
}
