package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A real API server with Jobs in queues, and controllers as processes that can be killed and cut
 * off. Each version of each Job is checked, in the order of the server: no tree of cohorts uses
 * more than its quota, and no Job is stopped, or started twice. Jobs that run end after 200 ms.
 */
final class LoadedCluster implements AutoCloseable {
  private static final int THREADS = 4;
  private static final Duration RUN_TIME = Duration.ofMillis(200);

  /** How long nothing may start or end. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path folder;
  private final Size size;
  private final ApiServer server;
  private final KubernetesClient client;
  private volatile Watch watch;
  private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(THREADS);
  private final List<ReplicaProcess> replicas = new ArrayList<>();
  private final Map<String, Integer> usage = new HashMap<>();
  private final Map<String, Boolean> runs = new HashMap<>();
  private final Map<String, Integer> starts = new HashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private Duration cpuOfKilled = Duration.ZERO;
  private Instant lastChange = Instant.now();
  private int ended;
  private int number;
  private int kills;
  private int cuts;
  private int serverFaults;

  /**
   * What there is.
   *
   * @param cores the quota of each queue
   */
  record Size(int jobs, int queues, int trees, int cores) {
    private int coresOfTree() {
      return cores * queues / trees;
    }
  }

  private LoadedCluster(Path folder, Size size, ApiServer server) throws IOException {
    this.folder = folder;
    this.size = size;
    this.server = server;
    client = server.client();
    Files.writeString(queuesFile(), QueuedJobs.queues(size.queues(), size.trees(), size.cores()));
    watch = follow();
  }

  /** Checks the present Jobs, those that have ended first, and each version of a Job after them. */
  private Watch follow() {
    JobList present = client.batch().v1().jobs().inNamespace("default").list();
    present.getItems().stream()
        .sorted(Comparator.comparing((Job job) -> !hasEnded(job)))
        .forEach(this::check);
    return client
        .batch()
        .v1()
        .jobs()
        .inNamespace("default")
        .withResourceVersion(present.getMetadata().getResourceVersion())
        .watch(new Watcher<>() {
          @Override
          public void eventReceived(Action action, Job job) {
            if (action != Action.DELETED) {
              check(job);
            }
          }

          @Override
          public void onClose(WatcherException cause) {
            if (cause.isHttpGone()) {
              executor.execute(LoadedCluster.this::followAgain);
            } else {
              violations.add("the watch of the test has ended: " + cause);
            }
          }
        });
  }

  /** A server that was started again knows no earlier versions. */
  private void followAgain() {
    try {
      watch = follow();
    } catch (KubernetesClientException e) {
      var unused = executor.schedule(this::followAgain, 1, TimeUnit.SECONDS);
    }
  }

  private static boolean hasEnded(Job job) {
    return job.getStatus() != null && job.getStatus().getCompletionTime() != null;
  }

  /**
   * Starts a server with queues, and nothing else.
   *
   * @param folder the folder for the files of the controllers
   */
  static LoadedCluster start(Path folder, Size size) throws IOException {
    ApiServer server = ApiServer.ofItsOwn();
    server.serveWorkloads();
    return new LoadedCluster(folder, size, server);
  }

  private Path queuesFile() {
    return folder.resolve("queues.yaml");
  }

  Size size() {
    return size;
  }

  KubernetesClient client() {
    return client;
  }

  void createJobs() throws Exception {
    QueuedJobs.create(client, size.jobs(), size.queues());
    synchronized (this) {
      lastChange = Instant.now();
    }
  }

  /** Starts a controller with these options beside those for the server and the queues. */
  void startReplica(String... options) throws IOException {
    replicas.add(ReplicaProcess.start(
        folder, "replica-" + number++, server.config(), queuesFile(), List.of(options)));
  }

  /** Kills a controller, and starts another. */
  void kill(Random random, String... options) throws IOException {
    kills++;
    ReplicaProcess replica = replicas.remove(random.nextInt(replicas.size()));
    cpuOfKilled = cpuOfKilled.plus(replica.cpu());
    replica.close();
    startReplica(options);
  }

  /** Cuts a controller off from the server for some time. */
  void cut(Random random, Duration time) throws InterruptedException {
    cuts++;
    ReplicaProcess replica = replicas.get(random.nextInt(replicas.size()));
    replica.cut(true);
    Thread.sleep(time.toMillis());
    replica.cut(false);
  }

  /** Kills the server, and starts it again. */
  void restartServer() throws IOException {
    serverFaults++;
    server.kill();
    server.startAgain();
  }

  /** Stops the store of the server for some time. */
  void stopStore(Duration time) throws IOException, InterruptedException {
    serverFaults++;
    server.stopStore(time);
  }

  private synchronized void check(Job job) {
    String name = job.getMetadata().getName();
    boolean now = !job.getSpec().getSuspend() && !hasEnded(job);
    boolean before = runs.getOrDefault(name, false);
    runs.put(name, now);
    if (now == before) {
      return;
    }
    lastChange = Instant.now();
    String queue = Objects.requireNonNull(
        job.getMetadata().getLabels().get("kueue.x-k8s.io/queue-name"), name);
    String tree = "c" + Integer.parseInt(queue.substring("lq".length())) % size.trees();
    int used = usage.merge(tree, now ? 1 : -1, Integer::sum);
    if (now) {
      if (used > size.coresOfTree()) {
        violations.add(tree + " uses " + used + " with " + name);
      }
      if (starts.merge(name, 1, Integer::sum) > 1) {
        violations.add(name + " was started again");
      }
      endLater(job);
    } else if (hasEnded(job)) {
      ended++;
    } else {
      violations.add(name + " was stopped");
    }
  }

  private void endLater(Job job) {
    var unused = executor.schedule(() -> end(job), RUN_TIME.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void end(Job job) {
    try {
      var unused = client.resource(Statuses.completed(job, Instant.now())).updateStatus();
    } catch (KubernetesClientException e) {
      endAgain(job, e);
    }
  }

  /** Ends a Job unless it has ended: the answer to the first request may have been lost. */
  private void endAgain(Job job, KubernetesClientException failure) {
    try {
      Job present = client.resource(job).get();
      boolean isRefused =
          failure.getCode() >= 400 && failure.getCode() < 500 && failure.getCode() != 409;
      if (!isRefused) {
        endLater(present);
      } else if (!hasEnded(present)) {
        violations.add(job.getMetadata().getName() + " cannot be ended: " + failure);
      }
    } catch (KubernetesClientException e) {
      var unused = executor.schedule(() -> endAgain(job, failure), 1, TimeUnit.SECONDS);
    }
  }

  /** {@return whether Jobs remain to be ended, and nothing is wrong so far} */
  synchronized boolean goesOn() {
    assertThat(lastChange)
        .as("the last start or end; of %s Jobs %s have ended", size.jobs(), ended)
        .isAfter(Instant.now().minus(PATIENCE));
    return ended < size.jobs() && violations.isEmpty();
  }

  /** Waits until a share of the Jobs has ended, or something is wrong. */
  void awaitEnded(double share) throws InterruptedException {
    while (goesOn() && endedShare() < share) {
      Thread.sleep(20);
    }
  }

  private synchronized double endedShare() {
    return (double) ended / size.jobs();
  }

  private synchronized int started() {
    return starts.size();
  }

  /** Checks that all Jobs were started and have ended, and that all controllers live. */
  synchronized void assertAllEnded() {
    assertThat(violations).isEmpty();
    assertThat(starts).hasSize(size.jobs());
    assertThat(ended).isEqualTo(size.jobs());
    assertThat(replicas).allMatch(ReplicaProcess::isAlive);
  }

  /** {@return a measurement of what happens from now on; it ends earlier ones} */
  Measure measure() {
    replicas.forEach(ReplicaProcess::resetCpu);
    cpuOfKilled = Duration.ZERO;
    return new Measure(Instant.now(), started(), server.cpu(), server.requests());
  }

  /** What happens from now on. */
  final class Measure {
    private final Instant start;
    private final int startsBefore;
    private final Duration cpu;
    private final Map<String, Long> requests;

    private Measure(Instant start, int startsBefore, Duration cpu, Map<String, Long> requests) {
      this.start = start;
      this.startsBefore = startsBefore;
      this.cpu = cpu;
      this.requests = requests;
    }

    private static double seconds(Duration time) {
      return time.toMillis() / 1e3;
    }

    @Override
    public String toString() {
      double seconds = seconds(Duration.between(start, Instant.now()));
      double jobs = started() - startsBefore;
      Duration ofReplicas =
          replicas.stream().map(ReplicaProcess::cpu).reduce(cpuOfKilled, Duration::plus);
      Map<String, Long> now = new TreeMap<>(server.requests());
      requests.forEach((request, count) -> now.merge(request, -count, Long::sum));
      return String.format(
          Locale.ROOT,
          "%d Jobs on %d queues in %d trees, %d controllers, %d kills, %d cuts, %d faults of the"
              + " server: %.0f started in"
              + " %.1f s, %.1f in a second; processor time for each: controllers %.1f ms, server"
              + " %.1f ms; requests for each: %s",
          size.jobs(),
          size.queues(),
          size.trees(),
          replicas.size(),
          kills,
          cuts,
          serverFaults,
          jobs,
          seconds,
          jobs / seconds,
          1e3 * seconds(ofReplicas) / jobs,
          1e3 * seconds(server.cpu().minus(cpu)) / jobs,
          now.entrySet().stream()
              .filter(entry -> entry.getValue() >= jobs / 20)
              .map(entry ->
                  String.format(Locale.ROOT, "%s %.2f", entry.getKey(), entry.getValue() / jobs))
              .collect(Collectors.joining(", ")));
    }
  }

  @Override
  public void close() throws IOException {
    executor.shutdownNow();
    for (ReplicaProcess replica : replicas) {
      replica.close();
    }
    watch.close();
    client.close();
    server.close();
  }
}
