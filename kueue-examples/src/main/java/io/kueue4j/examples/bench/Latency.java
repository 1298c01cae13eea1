package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The latency of single calls with many pending workloads in 1,000 ClusterQueues of 50 cohorts.
 *
 * <p>Processor time of the thread and elapsed time, call by call, after a warm-up. All random
 * choices are seeded.
 */
public final class Latency {
  private static final int QUEUES = 1_000;
  private static final int QUEUES_OF_COHORT = 20;
  private static final int CPU_OF_COHORT = QUEUES_OF_COHORT * GrowingCluster.CPU_OF_QUEUE;
  private static final long SEED = 1;

  private final GrowingCluster cluster = new GrowingCluster(QUEUES, QUEUES_OF_COHORT);
  private final AdmissionEngine engine = cluster.engine();
  private final Random random = new Random(SEED);
  private final List<WorkloadId> waiting = new ArrayList<>();
  private final Consumer<String> lines;

  private Latency(Consumer<String> lines) {
    this.lines = lines;
  }

  /**
   * Calls of one kind.
   *
   * @param next prepares a call, which is not measured, and returns it
   */
  private record Calls(String title, int count, Supplier<Runnable> next) {}

  /**
   * Measures with that many pending workloads and passes lines of a table to {@code lines}.
   *
   * @param workloads the number of pending workloads
   * @param calls the number of measured calls of {@code tryAdmit}; calls that take longer are
   *     measured less often. As many calls of all kinds are made before, to warm up: few of one
   *     kind do what is common in another.
   */
  public static void print(int workloads, int calls, Consumer<String> lines) {
    new Latency(lines).measure(workloads, calls);
  }

  private void measure(int workloads, int calls) {
    for (int i = 0; i < QUEUES * GrowingCluster.CPU_OF_QUEUE; i++) {
      engine.submit(cluster.nextWorkload(i % QUEUES, 1, 0));
    }
    cluster.settle();
    for (int i = 0; i < workloads; i++) {
      Workload workload = cluster.nextWorkload(i % QUEUES, 1, 0);
      waiting.add(workload.id());
      engine.submit(workload);
    }
    cluster.settle();
    lines.accept(String.format(
        Locale.ROOT,
        "%,d pending workloads in %,d ClusterQueues of %d cohorts, us of processor time"
            + " (us that passed):",
        workloads,
        QUEUES,
        QUEUES / QUEUES_OF_COHORT));
    List<Calls> kinds = List.of(
        new Calls("tryAdmit after another has finished", calls, this::tryAdmit),
        new Calls("tryAdmit that searches for victims", calls / 10, this::tryAdmitBehindOthers),
        new Calls("tryAdmit that does not fit", calls, this::tryAdmitInVain),
        new Calls("explain", calls / 100, this::explain),
        new Calls("explain after another has finished", calls / 100, this::explainAfterChange),
        new Calls("what-if and tryAdmit", calls / 1_000, this::study));
    for (Calls kind : kinds) {
      for (int i = 0; i < kind.count(); i++) {
        kind.next().get().run();
      }
    }
    kinds.forEach(this::measure);
  }

  private Runnable tryAdmit() {
    cluster.finish(1);
    return tryAdmitBehindOthers();
  }

  private Runnable tryAdmitBehindOthers() {
    Workload workload = next();
    return () -> cluster.tryAdmit(workload);
  }

  private Runnable tryAdmitInVain() {
    Workload workload = cluster.nextWorkload(random.nextInt(QUEUES), CPU_OF_COHORT, 0);
    return () -> {
      checkState(!engine.tryAdmit(workload).result().holdsQuota(), "%s fits", workload.id());
      engine.delete(workload.id());
    };
  }

  private Runnable explain() {
    WorkloadId id = waiting.get(random.nextInt(waiting.size()));
    return () -> {
      Explanation unused = engine.explain(id);
    };
  }

  /** Before each call a workload finishes and another one is tried. */
  private Runnable explainAfterChange() {
    cluster.finish(1);
    cluster.tryAdmit(next());
    return explain();
  }

  private Runnable study() {
    Workload workload = next();
    return () -> {
      AdmissionResult unused = engine.view().whatIf().tryAdmit(workload).result();
    };
  }

  private Workload next() {
    return cluster.nextWorkload(random.nextInt(QUEUES), 1, 0);
  }

  private void measure(Calls kind) {
    Stopwatch stopwatch = new Stopwatch();
    long[] cpu = new long[kind.count()];
    long[] passed = new long[kind.count()];
    for (int i = 0; i < kind.count(); i++) {
      Runnable prepared = kind.next().get();
      Cost before = stopwatch.total();
      stopwatch.start();
      prepared.run();
      stopwatch.stop();
      Cost cost = stopwatch.total().minus(before);
      cpu[i] = cost.cpuNanos();
      passed[i] = cost.nanos();
    }
    lines.accept(String.format(
        Locale.ROOT,
        "  %-37s p50 %s, p99 %s, p99.9 %s",
        kind.title(),
        percentile(cpu, passed, 0.5),
        percentile(cpu, passed, 0.99),
        percentile(cpu, passed, 0.999)));
  }

  private static String percentile(long[] cpu, long[] passed, double part) {
    return String.format(
        Locale.ROOT, "%,.1f (%,.1f)", percentile(cpu, part) / 1e3, percentile(passed, part) / 1e3);
  }

  /**
   * {@return the smallest of {@code values} that is not below the fraction {@code part} of them}
   */
  static long percentile(long[] values, double part) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.max(0, Math.ceil(part * sorted.length) - 1)];
  }
}
