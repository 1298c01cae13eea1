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
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Controllers as processes on a real API server, while they are killed and cut off.
 * {@code -Dkueue4j.load=true} takes 10,000 Jobs on 100 queues in 20 trees instead of 200 on 12 in 6
 * ({@code -Dkueue4j.load.jobs=N} another number), and 20 faults instead of 2.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class ReplicaFailuresTest {
  private static final boolean LARGE = Boolean.getBoolean("kueue4j.load");
  private static final int JOBS = Integer.getInteger("kueue4j.load.jobs", LARGE ? 10_000 : 200);
  private static final int QUEUES = LARGE ? 100 : 12;
  private static final int TREES = LARGE ? 20 : 6;
  private static final int FAULTS = LARGE ? 20 : 2;
  private static final int REPLICAS = 2;

  @TempDir
  private Path folder;

  private static Size size(int jobs) {
    return new Size(jobs, QUEUES, TREES, Math.max(2, jobs / QUEUES / 25));
  }

  private LoadedCluster start(boolean inWorkloads) throws Exception {
    // A start takes three writes more with a Workload.
    LoadedCluster cluster =
        LoadedCluster.start(folder, size(inWorkloads && LARGE ? JOBS / 4 : JOBS), inWorkloads);
    cluster.createJobs();
    return cluster;
  }

  /** Checks the end, and what the mode of recording has left. */
  private static void assertAllEnded(LoadedCluster cluster, boolean inWorkloads)
      throws InterruptedException {
    cluster.assertAllEnded();
    KubernetesClient client = cluster.client();
    if (inWorkloads) {
      Instant end = Instant.now().plus(Duration.ofMinutes(2));
      while (finishedWorkloads(client) < cluster.size().jobs()) {
        assertThat(Instant.now()).as("deadline for the end of all Workloads").isBefore(end);
        Thread.sleep(1000);
      }
    } else {
      assertThat(
              client.secrets().inNamespace("default").withName("kueue4j-seals").get())
          .as("the keys of the seals")
          .isNotNull();
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicasThatFailExceedNoQuotaAndStartEachJobOnce(boolean inWorkloads) throws Exception {
    Random random = new Random(1);
    try (LoadedCluster cluster = start(inWorkloads)) {
      Measure measure = cluster.measure();
      for (int i = 0; i < REPLICAS; i++) {
        cluster.startReplica();
      }
      for (int fault = 1; fault <= FAULTS && cluster.goesOn(); fault++) {
        cluster.awaitEnded((fault - random.nextDouble()) / (FAULTS + 1));
        if (fault % 2 == 1) {
          cluster.kill(random);
        } else {
          // Shorter than its lease lasts, and longer.
          cluster.cut(random, Duration.ofSeconds(random.nextBoolean() ? 20 : 5));
        }
      }
      cluster.awaitEnded(1);
      System.out.println(measure);
      assertAllEnded(cluster, inWorkloads);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aControllerThatIsKilledUnderLoadIsReplacedWithoutLoss(boolean inWorkloads) throws Exception {
    Random random = new Random(2);
    try (LoadedCluster cluster = start(inWorkloads)) {
      Measure measure = cluster.measure();
      cluster.startReplica("--no-leader-election");
      for (int fault = 1; fault <= FAULTS && cluster.goesOn(); fault++) {
        cluster.awaitEnded((fault - random.nextDouble()) / (FAULTS + 1));
        cluster.kill(random, "--no-leader-election");
      }
      cluster.awaitEnded(1);
      System.out.println(measure);
      assertAllEnded(cluster, inWorkloads);
    }
  }
}
