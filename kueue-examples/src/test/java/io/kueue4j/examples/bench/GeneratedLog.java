package io.kueue4j.examples.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Writes logs in the Standard Workload Format as large machines have them: jobs come by day and
 * night and in bursts, most are small and short, and few queues get most of them.
 */
final class GeneratedLog {
  private static final int DAY = 86_400;
  private static final int USERS = 400;
  private static final int LARGEST_JOB = 1024;

  private final int jobs;
  private final int queues;
  private final boolean partitions;
  private final int processors;

  /**
   * Creates a log.
   *
   * @param jobs the number of jobs
   * @param queues the number of queues or partitions
   * @param partitions whether these are partitions of their own, not queues that share the machine
   * @param processors the size of the machine; jobs use about 2,400 on average
   */
  GeneratedLog(int jobs, int queues, boolean partitions, int processors) {
    this.jobs = jobs;
    this.queues = queues;
    this.partitions = partitions;
    this.processors = processors;
  }

  /** Writes the log, which is the same for each seed. */
  void write(Path file, RandomGenerator random) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println("; UnixStartTime: 1700000000");
      out.println("; MaxProcs: " + processors);
      double time = 0;
      for (int job = 1; job <= jobs; job++) {
        time += pause(time, random);
        int queue = 1 + (int) (queues * Math.pow(random.nextDouble(), 2.5));
        int size = Math.min(LARGEST_JOB, 1 << (int) Math.abs(2.2 * random.nextGaussian()));
        long run =
            Math.max(1, (long) Math.min(5 * DAY, Math.exp(6.8 + 1.9 * random.nextGaussian())));
        int user = random.nextInt(USERS);
        out.println(job + " " + (long) time + " 0 " + run + " " + size + " -1 -1 " + size + " "
            + 2 * run + " -1 1 " + user + " " + user % 20 + " -1 " + (partitions ? 1 : queue) + " "
            + (partitions ? queue : -1) + " -1 -1");
      }
    }
  }

  /** {@return the seconds until the next job} */
  private static double pause(double time, RandomGenerator random) {
    if (random.nextDouble() < 0.3) {
      return random.nextDouble() / 2;
    }
    double rate = 0.075 + 0.063 * Math.sin(2 * Math.PI * (time % DAY / DAY - 0.3));
    return random.nextExponential() / rate;
  }
}
