package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.job.ElasticPods;
import io.kueue4j.examples.controller.object.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Elastic jobs on a real API server with the guard. The controller has the rights of its manifests,
 * a tenant may do everything with jobs and pods, and the test is the Job controller.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // A controller works until it is closed.
class ElasticServerTest {
  private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
  private static final String QUEUES =
      TenantServer.QUEUES.replace("nominalQuota: 4", "nominalQuota: 3");
  private static final String ROLES = TenantServer.role("tenant", """
      {apiGroups: [batch], resources: [jobs], verbs: ["*"]},
      {apiGroups: [""], resources: [pods], verbs: ["*"]}""", "tenant", JOB_CONTROLLER);

  private static TenantServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;
  private static KubernetesClient jobController;

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(ROLES, "pods");
    admin = server.admin();
    tenant = server.tenant();
    jobController = server.clientAs(JOB_CONTROLLER);
    DeployManifests.of(DeployManifests.ROOT.resolve("guard"))
        .forEach(object -> admin.resource(object).create());
    Await.until("the guard", () -> {
      try {
        tenant.resource(job("unguarded", false)).dryRun().create();
        return false;
      } catch (KubernetesClientException e) {
        return String.valueOf(e.getMessage()).contains("must be created suspended");
      }
    });
  }

  @AfterAll
  static void stop() throws IOException {
    jobController.close();
    server.close();
  }

  @AfterEach
  void deleteJobs() {
    admin.batch().v1().jobs().inNamespace("default").delete();
    admin.pods().inNamespace("default").withGracePeriod(0).delete();
  }

  private static Job job(String name, boolean suspended) {
    Job job = TenantServer.newJob("default", name, 1, suspended);
    return new JobBuilder(job)
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/elastic-job", "true")
        .endMetadata()
        .editSpec()
        .editTemplate()
        .editSpec()
        .addNewSchedulingGate("kueue.x-k8s.io/elastic-job")
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static RunningController startController() throws IOException {
    return server.startController(QUEUES);
  }

  private static Job stored() {
    return server.job("elastic");
  }

  private static void resize(int parallelism) {
    server.edit("elastic", job -> {
      job.getSpec().setParallelism(parallelism);
      return job;
    });
  }

  /** What the Job controller does: as many pods as the job is to have, from its template. */
  private static void syncPods() {
    Job job = stored();
    for (int i = pods().size(); i < job.getSpec().getParallelism(); i++) {
      jobController
          .resource(new PodBuilder()
              .withMetadata(new ObjectMetaBuilder(job.getSpec().getTemplate().getMetadata())
                  .withGenerateName("elastic-")
                  .withNamespace("default")
                  .withOwnerReferences(new OwnerReferenceBuilder()
                      .withApiVersion("batch/v1")
                      .withKind("Job")
                      .withName("elastic")
                      .withUid(job.getMetadata().getUid())
                      .withController(true)
                      .build())
                  .build())
              .withSpec(job.getSpec().getTemplate().getSpec())
              .build())
          .create();
    }
    pods().stream()
        .skip(job.getSpec().getParallelism())
        .forEach(pod -> jobController.resource(pod).withGracePeriod(0).delete());
  }

  private static List<Pod> pods() {
    return admin.pods().inNamespace("default").list().getItems();
  }

  private static void awaitRunning(int count) {
    Await.until(count + " pods run", () -> ElasticPods.running(pods()) == count);
  }

  private static List<GenericKubernetesResource> workloads() {
    String uid = stored().getMetadata().getUid();
    return server.workloads("default").stream()
        .filter(
            object -> object.getMetadata().getOwnerReferences().get(0).getUid().equals(uid))
        .toList();
  }

  @Test
  void aJobIsScaledWhileItRuns() throws Exception {
    try (RunningController first = startController()) {
      tenant.resource(job("elastic", true)).create();
      Await.until("it runs", () -> !stored().getSpec().getSuspend());
      syncPods();
      awaitRunning(1);

      resize(2);
      syncPods();
      awaitRunning(2);
      Await.until("an event says so", () -> server.hasEvent("elastic", "Grown"));

      resize(5);
      syncPods();
      Await.until(
          "an event says why it waits", () -> server.hasEvent("elastic", "WaitingForQuota"));
      Pod waiting = pods().stream()
          .filter(pod -> !pod.getSpec().getSchedulingGates().isEmpty())
          .findFirst()
          .orElseThrow();
      assertThatThrownBy(() -> tenant
              .pods()
              .inNamespace("default")
              .withName(waiting.getMetadata().getName())
              .edit(pod -> new PodBuilder(pod)
                  .editSpec()
                  .withSchedulingGates(List.of())
                  .endSpec()
                  .build()))
          .hasMessageContaining("only the controller of its queue removes the scheduling gate");
    }
    resize(3);
    try (RunningController second = startController()) {
      syncPods();
      awaitRunning(3);
      resize(1);
      syncPods();
      awaitRunning(1);
      Await.until(
          "the quota of the others is free",
          () -> second
                  .controller()
                  .engine()
                  .orElseThrow()
                  .view()
                  .clusterQueue("research")
                  .orElseThrow()
                  .usage()
                  .get(0)
                  .used()
              == 1000);
      assertThat(stored().getSpec().getSuspend()).isFalse();
      assertThat(server.hasEvent("elastic", "Stopped")).isFalse();
      assertThat(workloads()).hasSize(3);
      assertThat(workloads().stream()
              .filter(object -> Json.text(Json.tree(object.get("status", "conditions")))
                  .contains("WorkloadSliceReplaced")))
          .hasSize(2);
    }
  }
}
