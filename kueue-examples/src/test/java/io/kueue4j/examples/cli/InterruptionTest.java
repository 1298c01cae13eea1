package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.report.About;
import io.kueue4j.examples.report.SimulationReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Ctrl-C does to a command that runs. */
class InterruptionTest {
  @Test
  void anInterruptionWaitsForTheCommand() throws InterruptedException {
    Interruption interruption = Interruption.watch();
    assertThat(interruption.isRequested()).isFalse();
    Thread asking = new Thread(interruption::request);
    asking.start();
    while (!interruption.isRequested()) {
      Thread.onSpinWait();
    }
    assertThat(asking.isAlive()).isTrue();
    interruption.close();
    asking.join();
  }

  @Test
  @Timeout(60)
  void anInterruptionDoesNotWaitForALongCall() {
    try (Interruption interruption = Interruption.watch()) {
      long start = System.nanoTime();
      interruption.request();
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThan(Interruption.GRACE.dividedBy(2));
    }
  }

  /** Requests the end of the process, as its shutdown does, and does not wait for it. */
  private static void request(Interruption interruption) {
    Thread asking = new Thread(interruption::request);
    asking.setDaemon(true);
    asking.start();
    while (!interruption.isRequested()) {
      Thread.onSpinWait();
    }
  }

  private static String report(DoubleConsumer progress) {
    Simulation simulation = Simulation.builder()
        .configuration(
            ResourceFlavor.of("spot"),
            ClusterQueue.builder()
                .name("research")
                .addResourceGroups(
                    ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "1"))))
                .build(),
            LocalQueue.of("team", "queue", "research"))
        .trace(ImmutableList.of(job("a"), job("b")))
        .build();
    SimulationResult result = simulation.run();
    return SimulationReport.write(
        result, new About("title", ImmutableList.of(), "command", "1"), progress);
  }

  private static SimulationJob job(String name) {
    return SimulationJob.of(
        Workload.builder()
            .namespace("team")
            .name(name)
            .queueName("queue")
            .addPodSets(
                PodSet.builder().name("main").count(1).request("cpu", "1").build())
            .build(),
        Instant.EPOCH,
        Duration.ofHours(1));
  }

  @Test
  void aReportThatIsBeingMadeIsAbandoned() {
    List<Double> parts = new ArrayList<>();
    try (Interruption interruption = Interruption.watch()) {
      Optional<String> abandoned = interruption.unlessRequested(
          part -> {
            parts.add(part);
            request(interruption);
          },
          InterruptionTest::report);
      assertThat(abandoned).isEmpty();
      assertThat(parts).hasSize(1);
    }
  }

  @Test
  void aReportOfAnInterruptedSimulationIsMade() {
    try (Interruption interruption = Interruption.watch()) {
      request(interruption);
      assertThat(interruption.unlessRequested(part -> {}, InterruptionTest::report))
          .isPresent();
    }
  }
}
