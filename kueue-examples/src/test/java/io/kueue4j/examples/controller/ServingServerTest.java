package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Deployments and StatefulSets on a real API server with the guard. The controller has the rights
 * of its manifests, and the test makes pods with the rights of Kubernetes' own controllers.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class ServingServerTest {
  private static final String ROLES = TenantServer.role("tenant", """
          {apiGroups: [apps], resources: [deployments, statefulsets], verbs: ["*"]}""", "tenant")
      + TenantServer.role("makers", """
          {apiGroups: [""], resources: [pods], verbs: [create]}""", Maker.DEPLOYMENT.user, Maker.SET.user);

  private static TenantServer server;
  private static KubernetesClient tenant;

  /** The controllers of Kubernetes that make pods. */
  private enum Maker {
    DEPLOYMENT("replicaset-controller"),
    SET("statefulset-controller");

    final String user;

    Maker(String name) {
      user = "system:serviceaccount:kube-system:" + name;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(ROLES, "pods");
    tenant = server.tenant();
    DeployManifests.of(DeployManifests.ROOT.resolve("guard"))
        .forEach(object -> server.admin().resource(object).create());
    Await.until("the guard", ServingServerTest::isGuarded);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static boolean isGuarded() {
    try {
      tenant.resource(service("StatefulSet", "probe", false)).dryRun().create();
      return false;
    } catch (KubernetesClientException e) {
      return String.valueOf(e.getMessage()).contains("ValidatingAdmissionPolicy");
    }
  }

  private static HasMetadata service(String kind, String name, boolean gated) {
    return DeployManifests.objects("""
        apiVersion: apps/v1
        kind: %s
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          replicas: 1
          selector: {matchLabels: {app: %s}}
          template:
            metadata: {labels: {app: %s}}
            spec:
              schedulingGates: %s
              containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
        """.formatted(
                kind, name, name, name, gated ? "[{name: kueue.x-k8s.io/admission}]" : "[]"))
        .get(0);
  }

  private static Deployment deployment(String name) {
    return server
        .admin()
        .apps()
        .deployments()
        .inNamespace("default")
        .withName(name)
        .get();
  }

  private static StatefulSet set(String name) {
    return server
        .admin()
        .apps()
        .statefulSets()
        .inNamespace("default")
        .withName(name)
        .get();
  }

  private static Pod pod(String name) {
    return server.admin().pods().inNamespace("default").withName(name).get();
  }

  /** A controller of Kubernetes makes a pod. */
  private static void make(
      Maker maker, String name, HasMetadata owner, String kind, PodTemplateSpec template) {
    Pod pod = new PodBuilder()
        .withMetadata(template.getMetadata())
        .editMetadata()
        .withName(name)
        .withNamespace("default")
        .withOwnerReferences(new OwnerReferenceBuilder()
            .withApiVersion("apps/v1")
            .withKind(kind)
            .withName(owner.getMetadata().getName())
            .withUid(owner.getMetadata().getUid())
            .withController(true)
            .build())
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
    try (KubernetesClient client = server.clientAs(maker.user)) {
      client.resource(pod).create();
    }
  }

  private static boolean names(PodTemplateSpec template) {
    return Objects.equals(
        "queue", template.getMetadata().getLabels().get("kueue.x-k8s.io/queue-name"));
  }

  private static RunningController startController() throws IOException {
    return server.startController(
        TenantServer.QUEUES,
        builder -> builder.kinds(ServedKinds.of(server.admin(), JobKinds.all(), false)));
  }

  private static boolean runs(String pod) {
    return pod(pod).getSpec().getSchedulingGates().isEmpty();
  }

  @Test
  void thePodsOfADeploymentStart() throws Exception {
    tenant.resource(service("Deployment", "web", true)).create();
    try (RunningController running = startController()) {
      Await.until("its template", () -> names(deployment("web").getSpec().getTemplate()));
      Deployment web = deployment("web");
      make(Maker.DEPLOYMENT, "web-0", web, "ReplicaSet", web.getSpec().getTemplate());
      Await.until("it runs", () -> runs("web-0"));
      assertThat(pod("web-0").getSpec().getNodeSelector()).containsEntry("pool", "spot");
      assertThat(running.controller().view()).isPresent();
    }
  }

  @Test
  void thePodsOfAStatefulSetStart() throws Exception {
    tenant.resource(service("StatefulSet", "db", true)).create();
    StatefulSet before = set("db");
    make(Maker.SET, "db-0", before, "StatefulSet", before.getSpec().getTemplate());
    try (RunningController running = startController()) {
      Await.until("its template", () -> names(set("db").getSpec().getTemplate()));
      Await.until("the pod of the old template is gone", () -> pod("db-0") == null);
      StatefulSet db = set("db");
      make(Maker.SET, "db-0", db, "StatefulSet", db.getSpec().getTemplate());
      Await.until("it runs", () -> runs("db-0"));
      assertThat(running.state("db")).isEqualTo(JobState.UNMANAGED);
    }
  }
}
