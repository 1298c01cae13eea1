package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.cluster.LoadedCluster.Measure;
import io.kueue4j.examples.controller.cluster.LoadedCluster.Size;
import io.kueue4j.k8s.status.ObjectConditions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Controllers as processes on a real API server, while they are killed and cut off, and the server
 * is killed or does not answer. {@code -Dkueue4j.load=true} takes 10,000 Jobs on 100 queues in 20
 * trees instead of 200 on 12 in 6 ({@code -Dkueue4j.load.jobs=N} another number), and 20 faults
 * instead of 4.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class ReplicaFailuresTest {
  private static final boolean LARGE = Boolean.getBoolean("kueue4j.load");
  private static final int JOBS = Integer.getInteger("kueue4j.load.jobs", LARGE ? 10_000 : 200);
  private static final int QUEUES = LARGE ? 100 : 12;
  private static final int TREES = LARGE ? 20 : 6;
  private static final int FAULTS = LARGE ? 20 : 4;
  private static final int REPLICAS = 2;

  @TempDir
  private Path folder;

  private static Size size() {
    return new Size(JOBS, QUEUES, TREES, Math.max(2, JOBS / QUEUES / 25));
  }

  private LoadedCluster start() throws Exception {
    LoadedCluster cluster = LoadedCluster.start(folder, size());
    cluster.createJobs();
    return cluster;
  }

  /** Checks the end of all Jobs and of their Workloads. */
  private static void assertAllEnded(LoadedCluster cluster) throws InterruptedException {
    cluster.assertAllEnded();
    KubernetesClient client = cluster.client();
    Instant end = Instant.now().plus(Duration.ofMinutes(2));
    while (finishedWorkloads(client) < cluster.size().jobs()) {
      assertThat(Instant.now()).as("deadline for the end of all Workloads").isBefore(end);
      Thread.sleep(1000);
    }
  }

  private static long finishedWorkloads(KubernetesClient client) {
    return client
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
        .inNamespace("default")
        .list()
        .getItems()
        .stream()
        .filter(workload -> ObjectConditions.isTrue(workload, "Finished"))
        .count();
  }

  @Test
  void replicasThatFailExceedNoQuotaAndStartEachJobOnce() throws Exception {
    Random random = new Random(1);
    try (LoadedCluster cluster = start()) {
      Measure measure = cluster.measure();
      for (int i = 0; i < REPLICAS; i++) {
        cluster.startReplica();
      }
      for (int fault = 1; fault <= FAULTS && cluster.goesOn(); fault++) {
        cluster.awaitEnded((fault - random.nextDouble()) / (FAULTS + 1));
        // Shorter than the lease lasts, and longer.
        Duration time = Duration.ofSeconds(random.nextBoolean() ? 20 : 5);
        switch (fault % 4) {
          case 0 -> cluster.restartServer();
          case 1 -> cluster.kill(random);
          case 2 -> cluster.cut(random, time);
          default -> cluster.stopStore(time);
        }
      }
      cluster.awaitEnded(1);
      System.out.println(measure);
      assertAllEnded(cluster);
    }
  }

  @Test
  void aControllerThatIsKilledUnderLoadIsReplacedWithoutLoss() throws Exception {
    Random random = new Random(2);
    try (LoadedCluster cluster = start()) {
      Measure measure = cluster.measure();
      cluster.startReplica("--no-leader-election");
      for (int fault = 1; fault <= FAULTS && cluster.goesOn(); fault++) {
        cluster.awaitEnded((fault - random.nextDouble()) / (FAULTS + 1));
        cluster.kill(random, "--no-leader-election");
      }
      cluster.awaitEnded(1);
      System.out.println(measure);
      assertAllEnded(cluster);
    }
  }
}
