package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a running controller shows over HTTP. */
class ControllerPagesTest {
  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ResourceFlavor
      metadata: {name: any}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: any
            resources:
            - {name: cpu, nominalQuota: 4}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: team, namespace: default}
      spec: {clusterQueue: research}
      """;

  private final HttpClient http = HttpClient.newHttpClient();

  private static void createJob(KubernetesClient client, String name) {
    client
        .resource(new JobBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace("default")
            .addToLabels("kueue.x-k8s.io/queue-name", "team")
            .endMetadata()
            .withNewSpec()
            .withSuspend(true)
            .withNewTemplate()
            .withNewSpec()
            .withRestartPolicy("Never")
            .addNewContainer()
            .withName("main")
            .withImage("image")
            .withNewResources()
            .withRequests(ImmutableMap.of("cpu", new Quantity("3")))
            .endResources()
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build())
        .create();
  }

  private String get(Controller controller, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:" + controller.port().orElseThrow() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private void await(Controller controller, String path, String text) {
    Await.until(text, () -> get(controller, path).contains(text));
  }

  private static Controller controller(KubernetesClient client, ControllerPages pages)
      throws IOException {
    return Controller.builder(client)
        .kinds(RunningController.KINDS)
        .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES)))
        .metrics(pages.metrics())
        .port(0)
        .handlers(pages::handlers)
        .build();
  }

  @Test
  void metricsAndPageShowWhatTheControllerDecides() throws Exception {
    ControllerPages pages = new ControllerPages(InstantSource.system(), Optional.empty());
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client();
        Controller controller = controller(client, pages)) {
      assertThat(get(controller, "/"))
          .as("before it works")
          .contains("This controller shows no jobs")
          .doesNotContain("research");
      client
          .resource(new NodeBuilder()
              .withNewMetadata()
              .withName("broken")
              .endMetadata()
              .withNewStatus()
              .addToAllocatable("cpu", new Quantity("-1"))
              .endStatus()
              .build())
          .create();
      createJob(client, "first");
      createJob(client, "second");
      RunningController running = RunningController.start(controller);
      String admitted = "kueue_admitted_active_workloads{cluster_queue=\"research\"} 1";
      await(controller, "/metrics", admitted);
      await(controller, "/", "2 more needed");

      assertThat(get(controller, "/metrics"))
          .contains(
              "kueue_pending_workloads{", "kueue_admission_attempts_total{", "kueue_build_info{");
      assertThat(get(controller, "/"))
          .contains("Problems of configuration", "<bdi>Node broken</bdi>")
          .contains("research", "<bdi>first</bdi>", "<bdi>second</bdi>")
          .doesNotContain("job-first", "job-second", "This controller shows no jobs");
      assertThat(get(controller, "/?job=Job+default/second"))
          .contains("Would be admitted if", "Job default/first stops");

      Statuses.complete(client, "default", "first");
      await(
          controller,
          "/metrics",
          "kueue_finished_workloads_total{cluster_queue=\"research\",priority_class=\"\"} 1");
      assertThat(get(controller, "/metrics"))
          .contains("kueue_execution_time_seconds_count{cluster_queue=\"research\"} 1");

      running.stop();
    }
  }

  @Test
  void aReplicaThatDoesNotLeadSaysSoAndShowsNoQueues() throws Exception {
    ControllerPages pages =
        new ControllerPages(InstantSource.system(), Optional.of("kueue4j-controller"));
    String leads = "leader_election_master_status{name=\"kueue4j-controller\"} ";
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client();
        Controller controller = controller(client, pages)) {
      assertThat(get(controller, "/metrics"))
          .contains(leads + "0.0", "kueue_build_info{")
          .doesNotContain("research");
      createJob(client, "first");
      RunningController running = RunningController.start(controller);
      await(controller, "/metrics", leads + "1.0");
      await(
          controller, "/metrics", "kueue_admitted_active_workloads{cluster_queue=\"research\"} 1");
      await(controller, "/metrics", "kueue4j_controller_jobs{state=\"admitted\"} 1.0");

      running.stop();
      assertThat(get(controller, "/metrics"))
          .contains(leads + "0.0", "kueue4j_controller_jobs{state=\"admitted\"} 0.0")
          .doesNotContain("research");
    }
  }

  @Test
  void problemsOfTheConfigurationAreCountedAndShown() throws Exception {
    ControllerPages pages = new ControllerPages(InstantSource.system(), Optional.empty());
    String invalid = QUEUES.replace("nominalQuota: 4", "nominalQuota: -4");
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client();
        Controller controller = Controller.builder(client)
            .kinds(RunningController.KINDS)
            .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", invalid)))
            .metrics(pages.metrics())
            .port(0)
            .handlers(pages::handlers)
            .build()) {
      assertThat(get(controller, "/metrics"))
          .contains("kueue4j_controller_configuration_problems 0.0");
      RunningController running = RunningController.start(controller);
      await(controller, "/metrics", "kueue4j_controller_configuration_problems 2.0");
      assertThat(get(controller, "/metrics")).contains("kueue4j_controller_refused_admissions 0.0");
      assertThat(get(controller, "/")).contains("<bdi>ClusterQueue research</bdi>", "nominalQuota");
      running.stop();
    }
  }
}
