package io.kueue4j.examples.docs;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.topology.NodeTracker;
import io.kueue4j.k8s.topology.PodPlacer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of the documentation do what it says. */
class SnippetsTest {
  @Test
  void aWorkloadThatIsAdmittedHasACertainStart() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    AdmissionEngine engine = AdmissionEngine.builder().clock(() -> now).build();
    engine.apply(
        ResourceFlavor.of("any"), queue("2"), LocalQueue.of("team-a", "queue", "research"));
    Workload workload = Workload.of(
        "team-a", "first", "queue", PodSet.builder().request("cpu", "2").build());
    engine.submit(workload);
    engine.runCycle();

    assertThat(Snippets.estimate(engine, now, List.of(), List.of(workload.id())))
        .hasEntrySatisfying(
            workload.id(), estimate -> assertThat(estimate.p90()).contains(now));
  }

  @Test
  void callsAreTraced() {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    SdkTracerProvider provider = SdkTracerProvider.builder()
        .addSpanProcessor(SimpleSpanProcessor.create(spans))
        .build();

    Decisions cycle = Snippets.traced(
        OpenTelemetrySdk.builder().setTracerProvider(provider).build(), ResourceFlavor.of("spot"));

    assertThat(cycle.isEmpty()).isTrue();
    assertThat(spans.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactly("kueue.apply", "kueue.cycle");
  }

  @Test
  void metricsAndThePageAreServed() throws Exception {
    HttpServer server = Snippets.monitor(
        Settings.defaults(),
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    server.start();
    try {
      String root = "http://localhost:" + server.getAddress().getPort();
      for (String path : new String[] {"/metrics", "/"}) {
        HttpResponse<String> response = HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(root + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(200);
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void quotaIsWhatNodesOffer() {
    NodeTracker tracker = NodeTracker.create();
    tracker.update(new NodeBuilder()
        .withNewMetadata()
        .withName("a")
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .addToAllocatable("cpu", new Quantity("8"))
        .addToAllocatable("memory", new Quantity("32Gi"))
        .endStatus()
        .build());
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(ResourceFlavor.of("default"));
    ClusterQueue queue = ClusterQueue.builder()
        .name("q")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            "default", ResourceQuota.of("cpu", "1"), ResourceQuota.of("memory", "1Gi"))))
        .build();
    Snippets.quotaOf(tracker, engine, queue, ResourceFlavor.of("default"));
    assertThat(engine.view().clusterQueue("q").orElseThrow().usage())
        .extracting(QuotaUsage::nominal)
        .containsExactly(7200L, 30L << 30);
  }

  @Test
  void theSnippetExplains() {
    AdmissionEngine engine = AdmissionEngine.create();
    ResourceGroup group = ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("cpu", "4")));
    engine.apply(
        ResourceFlavor.of("any"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(group)
            .build(),
        LocalQueue.of("ns", "queue", "research"));
    PodSet pods = PodSet.builder().request("cpu", "3").build();
    AdmissionResult unused =
        engine.tryAdmit(Workload.of("ns", "running", "queue", pods)).result();
    engine.submit(Workload.of("ns", "waiting", "queue", pods));
    engine.runCycle();

    assertThat(Snippets.explain(engine, WorkloadId.of("ns", "waiting")))
        .startsWith("0 workloads before it")
        .anyMatch(line -> line.startsWith("held by ") && line.contains("ns/running"))
        .endsWith("would be admitted if: ClusterQueue research has more nominal quota:"
            + " cpu in flavor any from 4 to 6 (+2)");
  }

  @Test
  void theSnippetAdmitsTheJobsOfAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("all.yaml"), """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: any}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: queue}
        spec: {clusterQueue: research}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: train
          labels: {kueue.x-k8s.io/queue-name: queue, kueue.x-k8s.io/priority-class: high}
        spec:
          parallelism: 2
          template:
            spec:
              containers: [{name: main, resources: {requests: {cpu: 1500m}}}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 10
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: misspelt
          labels: {kueue.x-k8s.io/queue-name: queue, kueue.x-k8s.io/priority-class: none}
        spec:
          template:
            spec:
              containers: [{name: main, resources: {requests: {cpu: 1}}}]
        """);

    List<String> problems = new ArrayList<>();
    List<HasMetadata> started = Snippets.fromManifests(file, problems);

    assertThat(started).singleElement().satisfies(job -> {
      assertThat(job.getMetadata().getName()).isEqualTo("train");
      assertThat(((Job) job).getSpec().getSuspend()).isFalse();
    });
    assertThat(problems)
        .singleElement(as(STRING))
        .contains("all.yaml: document 6, line ", "there is no WorkloadPriorityClass \"none\"");
  }

  @Test
  void whatWasDecidedIsWritten() {
    KubernetesAdmission admission = KubernetesAdmission.create();
    admission
        .engine()
        .apply(ResourceFlavor.of("any"), queue("2"), LocalQueue.of("team-a", "queue", "research"));
    Job job = new JobBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName("train")
        .addToLabels("kueue.x-k8s.io/queue-name", "queue")
        .endMetadata()
        .withNewSpec()
        .withNewTemplate()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToRequests("cpu", new Quantity("1500m"))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    WorkloadId id = admission.apply(job).workloads().get(0);

    List<HasMetadata> writes = Snippets.write(
        admission, id, admission.engine().runCycle(), Instant.parse("2026-01-31T12:00:00Z"));

    assertThat(writes)
        .extracting(HasMetadata::getKind)
        .containsExactly("Workload", "Event", "Event");
    assertThat(ObjectConditions.isTrue((GenericKubernetesResource) writes.get(0), "Admitted"))
        .isTrue();
    assertThat(writes.subList(1, 3))
        .extracting(event -> ((Event) event).getReason())
        .containsExactly("QuotaReserved", "Admitted");
  }

  @Test
  void theStudyAdmitsMoreAndTheEngineDoesNot() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(
        ResourceFlavor.of("any"), queue("1"), LocalQueue.of("team-a", "queue", "research"));
    engine.submit(Workload.of(
        "team-a", "large", "queue", PodSet.builder().request("cpu", "2").build()));

    Decisions studied = Snippets.whatIf(engine, queue("2"));

    assertThat(studied.admitted()).hasSize(1);
    assertThat(engine.runCycle().admitted()).isEmpty();
  }

  private static ClusterQueue queue(String cpu) {
    return ClusterQueue.builder()
        .name("research")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("cpu", cpu))))
        .build();
  }

  @Test
  void podsArePlacedBesideThoseOfOthers() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(
        Topology.of("hosts", Topology.HOSTNAME),
        ResourceFlavor.builder()
            .name("any")
            .topologyName("hosts")
            .putNodeLabels("pool", "p")
            .build(),
        queue("8"),
        LocalQueue.of("ns", "queue", "research"));
    Workload workload =
        Workload.of("ns", "w", "queue", PodSet.builder().request("cpu", "2").build());
    Pod gated = new PodBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName("w-0")
        .addToAnnotations(PodPlacer.WORKLOAD, "w")
        .addToLabels(PodPlacer.POD_SET, "main")
        .endMetadata()
        .withNewSpec()
        .addNewSchedulingGate(PodPlacer.SCHEDULING_GATE)
        .endSpec()
        .build();
    Pod other = new PodBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName("other")
        .endMetadata()
        .withNewSpec()
        .withNodeName("n1")
        .addNewContainer()
        .withNewResources()
        .addToRequests("cpu", new Quantity("1"))
        .endResources()
        .endContainer()
        .endSpec()
        .build();

    assertThat(Snippets.place(
            engine, List.of(node("n1"), node("n2")), List.of(other), workload, List.of(gated)))
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
          assertThat(pod.getSpec().getNodeSelector()).containsEntry(Topology.HOSTNAME, "n2");
        });
  }

  @Test
  void slicesAreGivenWhereThereAreQuotaAndRoom() {
    AdmissionEngine engine = AdmissionEngine.create();
    ResourceGroup chips =
        ResourceGroup.of(FlavorQuotas.of("tpu", ResourceQuota.of("google.com/tpu", "256")));
    engine.apply(
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(chips)
            .build(),
        LocalQueue.of("team-a", "queue", "research"));

    assertThat(Snippets.slices(engine))
        .hasSize(2)
        .allSatisfy(slice -> assertThat(slice.hosts()).hasSize(8));
  }

  private static Node node(String name) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("pool", "p")
        .addToLabels(Topology.HOSTNAME, name)
        .endMetadata()
        .withNewStatus()
        .addToAllocatable("cpu", new Quantity("2"))
        .addToAllocatable("pods", new Quantity("10"))
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }
}
