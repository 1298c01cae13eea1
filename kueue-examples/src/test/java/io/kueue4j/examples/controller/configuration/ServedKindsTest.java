package io.kueue4j.examples.controller.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.examples.cli.LiveCluster;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The controller watches exactly the kinds that the cluster serves. */
final class ServedKindsTest {
  private static final String GROUP = """
      {"kind":"APIGroup","apiVersion":"v1","name":"%1$s",
       "versions":[{"groupVersion":"%1$s/%2$s","version":"%2$s"}],
       "preferredVersion":{"groupVersion":"%1$s/%2$s","version":"%2$s"}}
      """;
  private static final String RESOURCES = """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"%s","resources":[%s]}
      """;
  private static final String RESOURCE =
      "{\"name\":\"%s\",\"kind\":\"%s\",\"namespaced\":%s,\"verbs\":[]}";
  private static final ImmutableMap<String, String> ANSWERS = ImmutableMap.of(
      "/apis/kueue.x-k8s.io",
      GROUP.formatted("kueue.x-k8s.io", "v1beta2"),
      "/apis/kueue.x-k8s.io/v1beta2",
      RESOURCES.formatted(
          "kueue.x-k8s.io/v1beta2",
          String.join(
              ",",
              RESOURCE.formatted("clusterqueues", "ClusterQueue", false),
              RESOURCE.formatted("clusterqueues/status", "ClusterQueue", false),
              RESOURCE.formatted("localqueues", "LocalQueue", true),
              RESOURCE.formatted("workloads", "Workload", true),
              RESOURCE.formatted("multikueueclusters", "MultiKueueCluster", false))),
      "/apis/kueue4j.io",
      GROUP.formatted("kueue4j.io", "v1alpha1"),
      "/apis/kueue4j.io/v1alpha1",
      RESOURCES.formatted(
          "kueue4j.io/v1alpha1", RESOURCE.formatted("capacitywindows", "CapacityWindow", false)),
      "/apis/resource.k8s.io",
      GROUP.formatted("resource.k8s.io", "v1"),
      "/apis/resource.k8s.io/v1",
      RESOURCES.formatted(
          "resource.k8s.io/v1",
          String.join(
              ",",
              RESOURCE.formatted("deviceclasses", "DeviceClass", false),
              RESOURCE.formatted("resourceclaims", "ResourceClaim", true),
              RESOURCE.formatted("resourceclaimtemplates", "ResourceClaimTemplate", true))),
      "/apis/jobset.x-k8s.io",
      GROUP.formatted("jobset.x-k8s.io", "v1alpha2"),
      "/apis/jobset.x-k8s.io/v1alpha2",
      RESOURCES.formatted(
          "jobset.x-k8s.io/v1alpha2", RESOURCE.formatted("jobsets", "JobSet", true)),
      "/apis/trainer.kubeflow.org",
      GROUP.formatted("trainer.kubeflow.org", "v1alpha1"),
      "/apis/trainer.kubeflow.org/v1alpha1",
      RESOURCES.formatted(
          "trainer.kubeflow.org/v1alpha1",
          RESOURCE.formatted("trainingruntimes", "TrainingRuntime", true)));

  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", ServedKindsTest::answer);
    server.start();
    client = new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder()
            .withAutoConfigure(false)
            .withMasterUrl("http://localhost:" + server.getAddress().getPort())
            .build())
        .build();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String answer = ANSWERS.get(exchange.getRequestURI().getPath());
    byte[] body = (answer == null ? "{}" : answer).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void onlyWhatIsServedIsLookedAt() {
    assertThat(ServedKinds.of(client, JobKinds.all(), true))
        .startsWith(ServedKinds.BUILT_IN.toArray(new WatchedKind[0]))
        .filteredOn(kind -> !ServedKinds.BUILT_IN.contains(kind))
        .extracting(WatchedKind::group, WatchedKind::version, WatchedKind::plural)
        .containsExactlyInAnyOrder(
            tuple("kueue.x-k8s.io", "v1beta2", "workloads"),
            tuple("kueue.x-k8s.io", "v1beta2", "clusterqueues"),
            tuple("kueue.x-k8s.io", "v1beta2", "localqueues"),
            tuple("kueue4j.io", "v1alpha1", "capacitywindows"),
            tuple("jobset.x-k8s.io", "v1alpha2", "jobsets"),
            tuple("trainer.kubeflow.org", "v1alpha1", "trainingruntimes"));
  }

  @Test
  void theKindsThatSayWhichDevicesPodsClaimAreKnown() {
    assertThat(LiveCluster.deviceKinds(client))
        .extracting(WatchedKind::group, WatchedKind::version, WatchedKind::plural)
        .containsExactly(
            tuple("resource.k8s.io", "v1", "deviceclasses"),
            tuple("resource.k8s.io", "v1", "resourceclaimtemplates"));
  }

  @Test
  void queuesFromFilesAreNotLookedForInTheCluster() {
    assertThat(ServedKinds.of(client, JobKinds.all(), false))
        .filteredOn(kind -> !ServedKinds.BUILT_IN.contains(kind))
        .filteredOn(kind -> !kind.type().equals(GenericKubernetesResource.class))
        .singleElement()
        .satisfies(kind -> {
          assertThat(kind.type()).isEqualTo(JobSet.class);
          assertThat(kind.namespaced()).isTrue();
        });
    assertThat(ServedKinds.of(client, JobKinds.all(), false))
        .filteredOn(kind -> kind.type().equals(GenericKubernetesResource.class))
        .extracting(WatchedKind::kind)
        .containsExactlyInAnyOrder("Workload", "TrainingRuntime");
  }

  @Test
  void withoutWorkloadsAControllerEndsAndSaysWhatToApply() throws Exception {
    try (StrictMockServer mock =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient own = mock.client();
        Controller controller = Controller.builder(own)
            .lease(new LeaseName("default", "one", "one"))
            .build()) {
      assertThatThrownBy(controller::run)
          .isInstanceOf(MissingDefinitionException.class)
          .hasMessageContaining("Workload of kueue.x-k8s.io/v1beta2")
          .hasMessageContaining("kubectl apply --server-side -f")
          .hasMessageContaining("deploy/definitions/workloads.yaml");
    }
  }
}
