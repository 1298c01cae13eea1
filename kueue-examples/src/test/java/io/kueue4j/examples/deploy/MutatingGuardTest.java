package io.kueue4j.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A real API server that corrects what tenants create; the guard then refuses nothing of it. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class MutatingGuardTest {
  private static final String GATE = "kueue.x-k8s.io/admission";

  @Test
  void whatTenantsCreateWaitsForTheController() throws Exception {
    try (ApiServer server = ApiServer.ofItsOwn(
            "--feature-gates=MutatingAdmissionPolicy=true",
            "--runtime-config=admissionregistration.k8s.io/v1beta1=true");
        KubernetesClient admin = server.client();
        KubernetesClient tenant = server.clientAs("tenant")) {
      server.serve(new WatchedKind(
          "kubeflow.org",
          "v1",
          "PyTorchJob",
          "pytorchjobs",
          true,
          GenericKubernetesResource.class));
      server.serve(new WatchedKind(
          "ray.io", "v1", "RayService", "rayservices", true, GenericKubernetesResource.class));
      // A role with all rights would include the right to admit.
      for (HasMetadata object : DeployManifests.objects("""
          apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRole
          metadata: {name: tenant}
          rules:
          - apiGroups: ["", batch, apps, kubeflow.org, ray.io]
            resources: ["*"]
            verbs: ["*"]
          """)) {
        admin.resource(object).create();
      }
      admin
          .resource(new ClusterRoleBindingBuilder()
              .withNewMetadata()
              .withName("tenant")
              .endMetadata()
              .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "tenant")
              .addNewSubject("rbac.authorization.k8s.io", "User", "tenant", null)
              .build())
          .create();
      for (String folder : List.of("guard", "guard-mutating")) {
        for (HasMetadata object : DeployManifests.of(DeployManifests.ROOT.resolve(folder))) {
          admin.resource(object).create();
        }
      }

      assertThat(awaitCorrection(tenant, Job.class, """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: a, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec:
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}
          """).getSpec().getSuspend()).isTrue();
      assertThat(awaitCorrection(tenant, Pod.class, """
          apiVersion: v1
          kind: Pod
          metadata: {name: a, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec: {schedulingGates: [{name: example.com/other}], containers: [{name: main, image: busybox}]}
          """).getSpec().getSchedulingGates())
          .extracting(PodSchedulingGate::getName)
          .containsExactlyInAnyOrder("example.com/other", GATE);
      assertThat(awaitCorrection(tenant, Deployment.class, """
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: a, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec:
            selector: {matchLabels: {app: web}}
            template:
              metadata: {labels: {app: web}}
              spec: {containers: [{name: main, image: busybox}]}
          """)
              .getSpec()
              .getTemplate()
              .getSpec()
              .getSchedulingGates())
          .extracting(PodSchedulingGate::getName)
          .containsExactly(GATE);
      GenericKubernetesResource training =
          awaitCorrection(tenant, GenericKubernetesResource.class, """
          apiVersion: kubeflow.org/v1
          kind: PyTorchJob
          metadata: {name: a, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec: {runPolicy: {cleanPodPolicy: None}}
          """);
      assertThat(training.<Object>get("spec", "runPolicy", "suspend")).isEqualTo(true);
      assertThat(training.<Object>get("spec", "runPolicy", "cleanPodPolicy")).isEqualTo("None");
      GenericKubernetesResource service =
          awaitCorrection(tenant, GenericKubernetesResource.class, """
          apiVersion: ray.io/v1
          kind: RayService
          metadata: {name: a, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec: {rayClusterConfig: {rayVersion: "2"}}
          """);
      assertThat(service.<Object>get("spec", "rayClusterConfig", "suspend")).isEqualTo(true);
      Job elastic = awaitCorrection(tenant, Job.class, """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: elastic
            namespace: default
            labels: {kueue.x-k8s.io/queue-name: queue}
            annotations: {kueue.x-k8s.io/elastic-job: "true"}
          spec:
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}
          """);
      assertThat(elastic.getSpec().getSuspend()).isTrue();
      assertThat(elastic.getSpec().getTemplate().getSpec().getSchedulingGates())
          .extracting(PodSchedulingGate::getName)
          .containsExactly("kueue.x-k8s.io/elastic-job");
    }
  }

  /** Creates an object; until the API server has compiled the policies, the guard may refuse it. */
  private static <T extends HasMetadata> T awaitCorrection(
      KubernetesClient client, Class<T> type, String yaml) throws InterruptedException {
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (true) {
      try {
        // Without the policies it would be accepted as it is.
        T created = client.resource(Serialization.unmarshal(yaml, type)).create();
        if (waits(created) || Instant.now().isAfter(end)) {
          return created;
        }
        client.resource(created).withGracePeriod(0).delete();
      } catch (KubernetesClientException e) {
        if (Instant.now().isAfter(end)) {
          throw e;
        }
      }
      Thread.sleep(100);
    }
  }

  private static boolean waits(HasMetadata object) {
    String json = Serialization.asJson(object);
    return json.contains(GATE) || json.contains("\"suspend\":true");
  }
}
