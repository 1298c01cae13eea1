package io.kueue4j.examples.history;

import java.util.Locale;
import java.util.Random;

/**
 * A small trace of the shape of Alibaba's {@code cluster-trace-gpu-v2023}: the same columns, parts
 * of GPUs, classes of service with skewed durations, and bursts. It is the one that the
 * documentation simulates.
 */
final class GpuTrace {
  private static final int PODS = 400;
  private static final int DAYS = 6;
  private static final int DAY = 86_400;

  private final Random random = new Random(18);

  private GpuTrace() {}

  /** {@return the nodes} */
  static String nodes() {
    return """
        sn,cpu_milli,memory_mib,gpu,model
        gpu-node-0000,96000,393216,8,G2
        gpu-node-0001,96000,393216,8,G2
        gpu-node-0002,104000,524288,2,T4
        gpu-node-0003,104000,524288,2,T4
        gpu-node-0004,64000,262144,0,
        """;
  }

  /** {@return the pods} */
  static String pods() {
    return new GpuTrace().write();
  }

  private String write() {
    StringBuilder csv = new StringBuilder("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,"
        + "qos,pod_phase,creation_time,deletion_time,scheduled_time\n");
    long created = 0;
    int burst = 0;
    for (int i = 0; i < PODS; i++) {
      burst = burst > 0 ? burst - 1 : random.nextInt(20) == 0 ? 12 : 0;
      created += burst > 0 ? random.nextInt(60) : pause(created);
      csv.append(pod(i, created)).append('\n');
    }
    return csv.toString();
  }

  /** {@return the seconds to the next pod, fewer by day} */
  private long pause(long now) {
    double mean = (double) DAYS * DAY / PODS * (now % DAY > DAY / 3 ? 1.6 : 3.5);
    return Math.round(-Math.log(1 - random.nextDouble()) * mean);
  }

  private String pod(int number, long created) {
    int kind = random.nextInt(100);
    if (kind < 57) {
      return pod(
          number, created, "LS", 1, random.nextInt(4) == 0 ? 460 : 1000, duration(1500, 1.5));
    }
    return kind < 95
        ? pod(number, created, "BE", random.nextInt(2), 810, duration(700, 0.8))
        : pod(number, created, "Burstable", 4, 1000, duration(15_000, 1.0));
  }

  /** {@return a duration of a log-normal distribution} */
  private long duration(double median, double sigma) {
    return Math.min(2 * DAY, Math.round(median * Math.exp(sigma * random.nextGaussian())));
  }

  private static String pod(
      int number, long created, String qos, int gpus, int milli, long duration) {
    int size = Math.max(1, gpus);
    return String.format(
        Locale.ROOT,
        "pod-%04d,%d,%d,%d,%d,,%s,Succeeded,%d,%d,%d",
        number,
        size * 8000,
        size * 24_576,
        gpus,
        gpus == 0 ? 0 : milli,
        qos,
        created,
        created + duration,
        created);
  }
}
