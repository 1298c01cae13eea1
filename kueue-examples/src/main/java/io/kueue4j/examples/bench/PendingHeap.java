package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.model.Workload;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The heap that an engine retains for each pending workload, in 1,000 ClusterQueues.
 *
 * <p>Measured as heap in use after full collections, before and after; so it is specific to this
 * JVM, and reproducible to the byte except for what the JVM itself retains.
 */
public final class PendingHeap {
  private static final int QUEUES = 1_000;
  private static final int CPU_OF_BLOCKER = GrowingCluster.CPU_OF_QUEUE;
  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

  private PendingHeap() {}

  /**
   * Measures with that many workloads and passes lines of a table to {@code lines}.
   *
   * @param workloads the number of workloads
   * @param shapes the number of distinct shapes among them
   */
  public static void print(int workloads, int shapes, Consumer<String> lines) {
    GrowingCluster cluster = new GrowingCluster(QUEUES, 10);
    AdmissionEngine engine = cluster.engine();
    for (int i = 0; i < QUEUES; i++) {
      engine.submit(cluster.nextWorkload(i, CPU_OF_BLOCKER, 0));
    }
    cluster.settle();
    long empty = usedBytes();
    List<Workload> callers = new ArrayList<>(workloads);
    for (int i = 0; i < workloads; i++) {
      int queue = i % QUEUES;
      // Numbered by queue, so that each queue has as many distinct shapes as possible.
      long number = (long) queue * (workloads / QUEUES) + i / QUEUES;
      callers.add(cluster.nextWorkload(queue, 1, 0, (int) (number % shapes)));
    }
    long withCallers = usedBytes();
    callers.forEach(engine::submit);
    long submitted = usedBytes();
    cluster.settle();
    long tried = usedBytes();
    // Also keeps both reachable until here.
    int waiting = engine.view().clusterQueues().stream()
        .mapToInt(ClusterQueueView::waitingCount)
        .sum();
    checkState(waiting == callers.size(), "%s wait of %s submitted", waiting, callers.size());
    lines.accept(String.format(
        Locale.ROOT,
        "%,d pending workloads of %,d shapes: engine %d bytes each when submitted, %d when tried;"
            + " the Workload objects %d",
        workloads,
        shapes,
        (submitted - withCallers) / workloads,
        (tried - withCallers) / workloads,
        (withCallers - empty) / workloads));
  }

  private static long usedBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 2; i++) {
      System.gc();
      used = Math.min(used, MEMORY.getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}
