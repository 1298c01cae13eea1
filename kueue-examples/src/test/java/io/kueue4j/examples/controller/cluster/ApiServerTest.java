package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of jobs with a controller, through a client, on any API server. */
class ApiServerTest {
  private static final String POOL = "kueue4j.io/test-pool";

  private final String namespace = "kueue4j-" + UUID.randomUUID().toString().substring(0, 8);
  private static final ResourceDefinitionContext WORKLOADS = new ResourceDefinitionContext.Builder()
      .withGroup("kueue.x-k8s.io")
      .withVersion("v1beta2")
      .withKind("Workload")
      .withPlural("workloads")
      .withNamespaced(true)
      .build();

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void startServer() throws Exception {
    server = ApiServer.choose();
    server.serveWorkloads();
    client = server.client();
    client
        .resource(new NamespaceBuilder()
            .withNewMetadata()
            .withName(namespace)
            .endMetadata()
            .build())
        .create();
    client
        .resource(new PriorityClassBuilder()
            .withNewMetadata()
            .withName(namespace)
            .endMetadata()
            .withValue(1000)
            .build())
        .create();
  }

  @AfterEach
  void stopServer() throws Exception {
    client.scheduling().v1().priorityClasses().withName(namespace).delete();
    client.namespaces().withName(namespace).delete();
    client.close();
    server.close();
  }

  /** {@return a controller whose queues are in a file} */
  private RunningController start(String identity) throws IOException {
    return RunningController.start(
        server.client(),
        builder -> builder
            .kinds(RunningController.KINDS)
            .namespaces(List.of(namespace))
            .lease(new LeaseName(namespace, "controller", identity))
            .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", queues()))));
  }

  private String queues() {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: pool-a}
        spec: {nodeLabels: {%s: a}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cluster-queue}
        spec:
          namespaceSelector: {}
          preemption: {withinClusterQueue: LowerPriority}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: pool-a
              resources: [{name: cpu, nominalQuota: 1m}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: queue, namespace: %s}
        spec: {clusterQueue: cluster-queue}
        """.formatted(POOL, namespace);
  }

  private Job create(String name, boolean important) {
    return client
        .resource(new JobBuilder(QueuedJobs.job(name, "queue"))
            .editMetadata()
            .withNamespace(namespace)
            .endMetadata()
            .editSpec()
            .editTemplate()
            .editSpec()
            .withPriorityClassName(important ? namespace : null)
            .editFirstContainer()
            .withImage("registry.k8s.io/pause:3.10")
            .withNewResources()
            .addToRequests("cpu", new Quantity("1m"))
            .endResources()
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build())
        .create();
  }

  private Job get(String name) {
    return client.batch().v1().jobs().inNamespace(namespace).withName(name).get();
  }

  private boolean runs(String name) {
    Job job = get(name);
    return !job.getSpec().getSuspend() && !admission(name).isEmpty();
  }

  /** {@return the recorded admission of a Job as text, empty if there is none} */
  private String admission(String name) {
    return client
        .genericKubernetesResources(WORKLOADS)
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .filter(workload -> workload.getMetadata().getName().startsWith("job-" + name + "-"))
        .map(workload -> workload.get("status", "admission"))
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.joining());
  }

  private static boolean isActive(Job job) {
    return job.getStatus() != null && job.getStatus().getActive() != null;
  }

  /** Writes the status that a Job controller would write, if there is none. */
  private void playJobController() {
    for (Job job : client.batch().v1().jobs().inNamespace(namespace).list().getItems()) {
      boolean started = job.getStatus() != null && job.getStatus().getStartTime() != null;
      boolean active = isActive(job);
      if (!job.getSpec().getSuspend() && !(started && active)) {
        writeStatus(job.toBuilder()
            .editOrNewStatus()
            .withStartTime(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .withActive(1)
            .withReady(1)
            .endStatus()
            .build());
      } else if (job.getSpec().getSuspend() && active) {
        writeStatus(job.toBuilder()
            .editStatus()
            .withActive(null)
            .withReady(null)
            .endStatus()
            .build());
      }
    }
  }

  private void writeStatus(Job job) {
    try {
      client.resource(job).updateStatus();
    } catch (KubernetesClientException e) {
      // Another version exists by now, which will be seen next time.
      assertThat(e.getCode()).isIn(404, 409);
    }
  }

  private void await(String what, BooleanSupplier condition) {
    Await.until(what + ", on " + server, () -> {
      if (!server.runsJobs()) {
        playJobController();
      }
      return condition.getAsBoolean();
    });
  }

  @Test
  @SuppressWarnings("try") // the controller works while it is open
  void jobsAreStartedPreemptedRestoredAndTakenOver() throws Exception {
    Job first = create("first", false);
    try (RunningController one = start("one")) {
      await("first runs", () -> runs("first"));
      assertThat(get("first").getSpec().getTemplate().getSpec().getNodeSelector())
          .isEqualTo(Map.of(POOL, "a"));
      await("first has pods", () -> isActive(get("first")));

      create("second", false);
      create("important", true);
      await("important runs in place of first", () -> runs("important"));

      assertThat(admission("first")).isEmpty();
      assertThat(get("first").getSpec().getSuspend()).isTrue();
      assertThat(get("first").getSpec().getTemplate()).isEqualTo(first.getSpec().getTemplate());
      assertThat(runs("second")).isFalse();
    }
    String admission = admission("important");
    try (RunningController two = start("two")) {
      await("it leads", () -> two.controller().view().isPresent());
      await(
          "everything is known",
          () -> two.controller().view().orElseThrow().jobs().size() == 3);
      assertThat(admission("important")).isEqualTo(admission);
      assertThat(runs("first") || runs("second")).isFalse();

      client.batch().v1().jobs().inNamespace(namespace).withName("important").delete();
      await("another runs", () -> runs("first") || runs("second"));
      assertThat(runs("first") && runs("second")).isFalse();
    }
  }
}
