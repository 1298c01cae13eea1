package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes that share the work on a real API server, while they are killed and cut off.
 * {@code -Dkueue4j.load=true} takes 10,000 Jobs on 100 queues in 20 trees instead of 300 on 12 in
 * 6, {@code -Dkueue4j.load.jobs=N} another number, and measures the throughput.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class SharedReplicasTest {
  private static final boolean LARGE = Boolean.getBoolean("kueue4j.load");
  private static final int JOBS = Integer.getInteger("kueue4j.load.jobs", LARGE ? 10_000 : 300);
  private static final int QUEUES = LARGE ? 100 : 12;
  private static final int TREES = LARGE ? 20 : 6;
  private static final int REPLICAS = 3;
  private static final int THREADS = 12;

  /** The time between two faults; a new process must list all Jobs within it. */
  private static final Duration PAUSE = Duration.ofSeconds(LARGE ? 25 : 5);

  private static final Duration PATIENCE = Duration.ofMinutes(LARGE ? 40 : 5);

  @TempDir
  private Path folder;

  private final List<ReplicaProcess> replicas = new ArrayList<>();
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private final Map<String, Integer> usage = new HashMap<>();
  private final Map<String, Boolean> runs = new HashMap<>();
  private final Map<String, Integer> starts = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private ApiServer server;
  private KubernetesClient client;
  private int quotaOfQueue;
  private int ended;
  private int number;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.ofItsOwn();
    client = server.client();
  }

  @AfterEach
  void stop() throws IOException {
    executor.shutdownNow();
    for (ReplicaProcess replica : replicas) {
      replica.close();
    }
    client.close();
    server.close();
  }

  private static int tree(int queue) {
    return queue % TREES;
  }

  private Path queues() throws IOException {
    StringBuilder yaml = new StringBuilder("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: f0}
        """);
    for (int i = 0; i < QUEUES; i++) {
      yaml.append("""
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: cq%d}
          spec:
            cohortName: c%d
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: f0, resources: [{name: cpu, nominalQuota: %d}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: lq%d, namespace: default}
          spec: {clusterQueue: cq%d}
          """.formatted(i, tree(i), quotaOfQueue, i, i));
    }
    return Files.writeString(folder.resolve("queues.yaml"), yaml);
  }

  private void createJobs() throws Exception {
    List<Future<?>> created = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      Job job = job("job" + i, i % QUEUES);
      created.add(executor.submit(() -> client.resource(job).create()));
    }
    for (Future<?> each : created) {
      var unused = each.get();
    }
  }

  private static Job job(String name, int queue) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .addToLabels("kueue.x-k8s.io/queue-name", "lq" + queue)
        .addToLabels("tree", "c" + tree(queue))
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("sleep:1")
        .withNewResources()
        .addToRequests("cpu", new Quantity("1"))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private void startReplica() throws IOException {
    replicas.add(ReplicaProcess.start(
        folder, "replica-" + number++, server.config(), folder.resolve("queues.yaml")));
  }

  /** Checks each version of each Job, in the order of the server. */
  private Watch watch(boolean finishes) {
    return client.batch().v1().jobs().inNamespace("default").watch(new Watcher<>() {
      @Override
      public void eventReceived(Action action, Job job) {
        if (action != Action.DELETED) {
          check(job, finishes);
        }
      }

      @Override
      public void onClose(WatcherException cause) {
        violations.add("the watch of the test has ended: " + cause);
      }
    });
  }

  private synchronized void check(Job job, boolean finishes) {
    String name = job.getMetadata().getName();
    boolean hasEnded = job.getStatus() != null && job.getStatus().getCompletionTime() != null;
    boolean now = !job.getSpec().getSuspend() && !hasEnded;
    boolean before = runs.getOrDefault(name, false);
    runs.put(name, now);
    if (now == before) {
      return;
    }
    String tree = job.getMetadata().getLabels().get("tree");
    int used = usage.merge(tree, now ? 1 : -1, Integer::sum);
    if (now) {
      if (used > quotaOfQueue * (QUEUES / TREES)) {
        violations.add(tree + " uses " + used + " with " + name);
      }
      if (starts.merge(name, 1, Integer::sum) > 1) {
        violations.add(name + " was started again");
      }
      if (finishes) {
        var unused = executor.submit(() -> finish(job));
      }
    } else if (hasEnded) {
      ended++;
    } else {
      violations.add(name + " was stopped");
    }
  }

  private synchronized int ended() {
    return ended;
  }

  private void finish(Job started) {
    try {
      Thread.sleep(200);
      while (true) {
        Job job = client.resource(started).get();
        try {
          var unused = client.resource(Statuses.completed(job, Instant.now())).updateStatus();
          return;
        } catch (KubernetesClientException e) {
          if (e.getCode() != 409) {
            throw e;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      violations.add(started.getMetadata().getName() + " cannot be finished: " + e);
    }
  }

  @Test
  @SuppressWarnings("try") // the watch checks while it is open
  void noQuotaIsExceededAndNoJobIsLostOrStartedTwice() throws Exception {
    quotaOfQueue = Math.max(2, JOBS / QUEUES / 25);
    var unused = queues();
    Random random = new Random(1);
    int kills = 0;
    int cuts = 0;
    Instant begin = Instant.now();
    try (Watch watch = watch(true)) {
      createJobs();
      for (int i = 0; i < REPLICAS; i++) {
        startReplica();
      }
      while (ended() < JOBS && violations.isEmpty()) {
        assertThat(Instant.now())
            .as("%s of %s ended", ended(), JOBS)
            .isBefore(begin.plus(PATIENCE));
        Thread.sleep(PAUSE.toMillis() + random.nextInt((int) PAUSE.toMillis()));
        ReplicaProcess replica = replicas.get(random.nextInt(replicas.size()));
        if (random.nextBoolean() || kills == 0) {
          kills++;
          replicas.remove(replica);
          replica.close();
          startReplica();
        } else {
          cuts++;
          replica.cut(true);
          Thread.sleep(random.nextBoolean() ? 20_000 : 5_000);
          replica.cut(false);
        }
      }
    }
    assertThat(violations).isEmpty();
    assertThat(starts).hasSize(JOBS);
    assertThat(replicas).allMatch(ReplicaProcess::isAlive);
    System.out.println(JOBS + " Jobs on " + QUEUES + " queues in " + TREES + " trees, " + kills
        + " kills, " + cuts + " cuts, "
        + Duration.between(begin, Instant.now()).toSeconds() + " s: no violation");
  }

  @Test
  @EnabledIfSystemProperty(named = "kueue4j.load", matches = "true")
  @SuppressWarnings("try") // the watch checks while it is open
  void throughputByReplicas() throws Exception {
    quotaOfQueue = JOBS;
    var unused = queues();
    for (int count = 1; count <= REPLICAS; count++) {
      synchronized (this) {
        runs.clear();
        usage.clear();
      }
      starts.clear();
      try (Watch watch = watch(false)) {
        for (int i = 0; i < count; i++) {
          startReplica();
        }
        // They have shared the trees by then.
        Thread.sleep(25_000);
        Instant begin = Instant.now();
        createJobs();
        while (starts.size() < JOBS) {
          assertThat(Instant.now()).isBefore(begin.plus(PATIENCE));
          Thread.sleep(50);
        }
        double seconds = Duration.between(begin, Instant.now()).toMillis() / 1e3;
        System.out.println(String.format(
            Locale.ROOT,
            "%d replicas: %d Jobs created and started in %.1f s, %.0f/s",
            count,
            JOBS,
            seconds,
            JOBS / seconds));
        assertThat(violations).isEmpty();
        for (ReplicaProcess replica : replicas) {
          replica.close();
        }
        replicas.clear();
        var unusedJobs = client.batch().v1().jobs().inNamespace("default").delete();
        client.leases().inNamespace("default").delete();
      }
    }
  }
}
