package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What a controller answers to Prometheus, at two moments.
 *
 * @param before the earlier answer
 * @param after the later answer
 */
public record RecordedMetrics(String before, String after) {
  private static final Path TUTORIAL = Path.of("src/main/resources/manifests/000-gke-batch-jobs");

  /**
   * A cohort that lends, a queue that is full, one that is stopped, one that breaks rules, and one
   * that promises starts.
   */
  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: vision}
      spec:
        cohortName: research
        namespaceSelector: {}
        preemption: {reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: default-flavor
            resources:
            - {name: nvidia.com/gpu, nominalQuota: 4}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: language}
      spec:
        cohortName: research
        namespaceSelector: {}
        preemption: {reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: default-flavor
            resources:
            - {name: nvidia.com/gpu, nominalQuota: 4}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: stopped}
      spec:
        stopPolicy: Hold
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: default-flavor
            resources:
            - {name: nvidia.com/gpu, nominalQuota: 4}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: broken}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: default-flavor
            resources:
            - {name: nvidia.com/gpu, nominalQuota: -4}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: vision, namespace: default}
      spec: {clusterQueue: vision}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: language, namespace: default}
      spec: {clusterQueue: language}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: promised}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: default-flavor
            resources:
            - {name: nvidia.com/gpu, nominalQuota: 1}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: promised, namespace: default}
      spec: {clusterQueue: promised}
      """;

  /**
   * {@return the metrics of a controller that plays a tutorial and, beside it, preempts: before and
   * after the preemption}
   */
  public static RecordedMetrics busy() throws IOException, InterruptedException {
    try (Played played = new Played(ManifestSource.of("queues.yaml", QUEUES))) {
      played.start();
      for (int i = 0; i < 4; i++) {
        played.create("tutorial-" + i, "team-a", "lq-team-a", 3);
      }
      played.create("borrower", "default", "vision", 6);
      played.await("kueue_admitted_active_workloads{cluster_queue=\"cluster-queue\"", 3);
      played.await("kueue_admitted_active_workloads{cluster_queue=\"vision\"", 1);
      played.create("limited", "default", "promised", 1);
      played.await("kueue_admitted_active_workloads{cluster_queue=\"promised\"", 1);
      played.create("waits", "default", "promised", 1);
      played.await("kueue4j_promised_workloads{cluster_queue=\"promised\"", 1);
      String before = played.scrape();
      played.complete("limited", "default");
      played.await("kueue4j_promised_starts_total{cluster_queue=\"promised\",result=\"kept\"", 1);
      played.complete("waits", "default");
      played.await("kueue_finished_workloads_total{cluster_queue=\"promised\",", 2);
      played.create("owner", "default", "language", 4);
      played.await("kueue_admitted_active_workloads{cluster_queue=\"language\"", 1);
      played.create("lender", "default", "language", 4);
      played.await("kueue_admitted_active_workloads{cluster_queue=\"language\"", 2);
      played.complete("tutorial-0", "team-a");
      played.await("kueue_finished_workloads_total{cluster_queue=\"cluster-queue\",", 1);
      played.await("kueue_admitted_workloads_total{cluster_queue=\"cluster-queue\",", 4);
      played.create("tutorial-4", "team-a", "lq-team-a", 1);
      played.await("kueue_admitted_workloads_total{cluster_queue=\"cluster-queue\",", 5);
      played.create("tutorial-5", "team-a", "lq-team-a", 3);
      played.await("kueue4j_controller_jobs{state=\"pending\"}", 2);
      return new RecordedMetrics(before, played.scrape());
    }
  }

  /** {@return the metrics of a controller with the queues of the tutorial and no job} */
  public static RecordedMetrics quiet() throws IOException, InterruptedException {
    try (Played played = new Played()) {
      played.start();
      played.await(
          "kueue_cluster_queue_status{cluster_queue=\"cluster-queue\"," + "status=\"active\"}", 1);
      String answer = played.scrape();
      return new RecordedMetrics(answer, answer);
    }
  }

  /** {@return the metrics of a controller that waits for the lease} */
  public static RecordedMetrics following() throws IOException, InterruptedException {
    try (Played played = new Played()) {
      String answer = played.scrape();
      return new RecordedMetrics(answer, answer);
    }
  }

  /** A controller and its cluster. */
  private static final class Played implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final ControllerPages pages;
    private final StrictMockServer server;
    private final KubernetesClient client;
    private final Controller controller;
    private Optional<RunningController> running = Optional.empty();

    Played(ManifestSource... queues) throws IOException {
      pages = new ControllerPages(InstantSource.system(), Optional.of("kueue4j-controller"));
      server = StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
      try (KubernetesClient plain = server.client()) {
        client = new KubernetesClientBuilder()
            .withConfig(plain.getConfiguration())
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("request-counter", pages.requests()))
            .build();
      }
      client
          .resource(new NamespaceBuilder()
              .withNewMetadata()
              .withName("team-a")
              .endMetadata()
              .build())
          .create();
      ImmutableList.Builder<ManifestSource> sources = ImmutableList.builder();
      for (String file :
          ImmutableList.of("10-flavors.yaml", "20-cluster-queue.yaml", "30-local-queues.yaml")) {
        sources.add(ManifestSource.of(file, Files.readString(TUTORIAL.resolve(file))));
      }
      sources.add(queues);
      Manifests manifests = ManifestReader.create().read(sources.build());
      controller = Controller.builder(client)
          .kinds(RunningController.KINDS)
          .options(ControllerOptions.defaults()
              .withSettings(Settings.builder().backfill(Backfill.ofDepth(1)).build()))
          .queues(manifests)
          .metrics(pages.metrics())
          .port(0)
          .handlers(pages::handlers)
          .build();
    }

    void start() {
      running = Optional.of(RunningController.start(controller));
    }

    /** Creates a Job with pods of one GPU each, which runs for an hour in the queue promised. */
    void create(String name, String namespace, String queue, int pods) {
      client
          .resource(new JobBuilder()
              .withNewMetadata()
              .withName(name)
              .withNamespace(namespace)
              .addToLabels("kueue.x-k8s.io/queue-name", queue)
              .addToLabels(
                  queue.equals("promised")
                      ? ImmutableMap.of("kueue.x-k8s.io/max-exec-time-seconds", "3600")
                      : ImmutableMap.of())
              .endMetadata()
              .withNewSpec()
              .withSuspend(true)
              .withParallelism(pods)
              .withCompletions(pods)
              .withNewTemplate()
              .withNewSpec()
              .withRestartPolicy("Never")
              .addNewContainer()
              .withName("main")
              .withImage("image")
              .withNewResources()
              .withRequests(ImmutableMap.of("nvidia.com/gpu", new Quantity("1")))
              .withLimits(ImmutableMap.of("nvidia.com/gpu", new Quantity("1")))
              .endResources()
              .endContainer()
              .endSpec()
              .endTemplate()
              .endSpec()
              .build())
          .create();
    }

    void complete(String name, String namespace) {
      Statuses.complete(client, namespace, name);
    }

    String scrape() throws IOException, InterruptedException {
      URI uri = URI.create("http://localhost:" + controller.port().orElseThrow() + "/metrics");
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }

    /** Waits until a series has a value; {@code series} is the beginning of its name. */
    void await(String series, double value) {
      Await.until(
          series + " is " + value,
          () -> scrape()
              .lines()
              .filter(line -> line.startsWith(series))
              .anyMatch(
                  line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) == value));
    }

    @Override
    public void close() {
      running.ifPresent(RunningController::stop);
      controller.close();
      client.close();
      server.close();
    }
  }
}
