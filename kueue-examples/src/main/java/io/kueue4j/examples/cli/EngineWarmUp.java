package io.kueue4j.examples.cli;

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
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import java.time.Duration;
import java.time.Instant;

/**
 * Lets the JVM load and compile the engine on another processor while a history is read: a
 * simulation of small jobs, whose result does not matter. A simulation of 200,000 jobs begins a
 * quarter of a second earlier.
 */
final class EngineWarmUp {
  /** Enough for methods that every job calls to be compiled. */
  private static final int JOBS = 3_000;

  private static final String NAMESPACE = "default";
  private static final String QUEUE = "queue";

  private EngineWarmUp() {}

  /** Starts in the background, if there is another processor. */
  static void start() {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      Thread thread = new Thread(EngineWarmUp::run, "warm-up");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void run() {
    SimulationResult unused = simulate(JOBS);
  }

  /** {@return a simulation in which jobs wait, start and finish} */
  static SimulationResult simulate(int count) {
    ImmutableList.Builder<SimulationJob> jobs = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      Workload workload = Workload.builder()
          .namespace(NAMESPACE)
          .name("job-" + i)
          .queueName(QUEUE)
          .addPodSets(PodSet.builder().count(1 + i % 4).request("cpu", "1").build())
          .build();
      jobs.add(SimulationJob.of(workload, Instant.EPOCH.plusSeconds(i), Duration.ofSeconds(4)));
    }
    return Simulation.builder()
        .configuration(ImmutableList.of(
            ResourceFlavor.of("default"),
            ClusterQueue.builder()
                .name(QUEUE)
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(
                    ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "8"))))
                .build(),
            LocalQueue.of(NAMESPACE, QUEUE, QUEUE)))
        .trace(jobs.build())
        .build()
        .run();
  }
}
