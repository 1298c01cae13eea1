package io.kueue4j.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A real API server with the guard, and users of different rights: a tenant, who may edit
 * everything in all namespaces, even the status of Workloads, but has no right of the guard; the
 * controller; the Job controller.
 */
final class GuardedServer implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  static final String QUEUE = "kueue.x-k8s.io/queue-name";
  static final String GATE = "kueue.x-k8s.io/admission";
  static final String NOTE = "kueue4j.io/admission";
  static final String ORIGINAL = "kueue4j.io/original";
  static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";
  static final WatchedKind TRAINING = new WatchedKind(
      "kubeflow.org", "v1", "PyTorchJob", "pytorchjobs", true, GenericKubernetesResource.class);
  static final WatchedKind RAY_SERVICE = new WatchedKind(
      "ray.io", "v1", "RayService", "rayservices", true, GenericKubernetesResource.class);
  static final WatchedKind RAY_CLUSTER = new WatchedKind(
      "ray.io", "v1", "RayCluster", "rayclusters", true, GenericKubernetesResource.class);
  private static final WatchedKind WORKLOAD = new WatchedKind(
      "kueue.x-k8s.io", "v1beta2", "Workload", "workloads", true, GenericKubernetesResource.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final KubernetesClient admin;
  final KubernetesClient tenant;
  final KubernetesClient controller;
  final KubernetesClient jobController;
  private final ApiServer server;

  private GuardedServer(ApiServer server) {
    this.server = server;
    admin = server.client();
    tenant = user("tenant");
    controller = user("system:serviceaccount:kueue4j-system:kueue4j-controller");
    jobController = user("system:serviceaccount:kube-system:job-controller");
  }

  /** Starts a server, and waits until it uses the guard. */
  static GuardedServer start() throws Exception {
    ApiServer server = ApiServer.ofItsOwn();
    ImmutableList.of(TRAINING, RAY_SERVICE, RAY_CLUSTER, WORKLOAD).forEach(server::serve);
    GuardedServer guarded = new GuardedServer(server);
    try {
      guarded.applyGuard();
      return guarded;
    } catch (Exception | Error e) {
      guarded.close();
      throw e;
    }
  }

  private void applyGuard() throws Exception {
    for (HasMetadata object : DeployManifests.of(DeployManifests.ROOT.resolve("guard"))) {
      admin.resource(object).create();
    }
    for (HasMetadata refused : ImmutableList.of(
        job("probe", false),
        pod("probe", false),
        deployment("probe", false),
        annotated(job("probe", true), NOTE),
        workload("probe"))) {
      awaitRefusal(() -> tenant.resource(refused).dryRun().create());
    }
  }

  @Override
  public void close() throws IOException {
    for (KubernetesClient client : ImmutableList.of(admin, tenant, controller, jobController)) {
      client.close();
    }
    server.close();
  }

  /** {@return a client of a user who may do everything that the guard does not refuse} */
  private KubernetesClient user(String name) {
    admin
        .resource(new ClusterRoleBuilder()
            .withNewMetadata()
            .withName("edit-all")
            .endMetadata()
            .addNewRule()
            .withApiGroups("", "batch", "apps", "kubeflow.org", "ray.io", "kueue.x-k8s.io")
            .withResources("*")
            .withVerbs("*")
            .endRule()
            .build())
        .serverSideApply();
    bind("edit-all", name);
    return server.clientAs(name);
  }

  private void bind(String role, String user) {
    admin
        .resource(new ClusterRoleBindingBuilder()
            .withNewMetadata()
            .withName(role + "-" + NUMBER.incrementAndGet())
            .endMetadata()
            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
            .addNewSubject("rbac.authorization.k8s.io", "User", user, null)
            .build())
        .create();
  }

  /** The API server takes a moment to compile new policies. */
  private static void awaitRefusal(ThrowingCallable request) throws Exception {
    Instant end = Instant.now().plus(DEADLINE);
    while (Instant.now().isBefore(end)) {
      try {
        request.call();
      } catch (KubernetesClientException e) {
        if (String.valueOf(e.getMessage()).contains("ValidatingAdmissionPolicy")) {
          return;
        }
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      Thread.sleep(100);
    }
    throw new AssertionError("the guard refuses nothing after " + DEADLINE);
  }

  /** {@return a name that no other object has} */
  static String name() {
    return "n" + NUMBER.incrementAndGet();
  }

  static Job job(String name, boolean suspended) {
    Job job = Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          parallelism: 2
          suspend: %s
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox}]
        """.formatted(name, suspended), Job.class);
    return job;
  }

  static Pod pod(String name, boolean gated) {
    Pod pod = Serialization.unmarshal("""
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          containers: [{name: main, image: busybox}]
        """.formatted(name), Pod.class);
    return gated ? pod.edit().editSpec().addNewSchedulingGate(GATE).endSpec().build() : pod;
  }

  static Deployment deployment(String name, boolean gated) {
    Deployment deployment = Serialization.unmarshal("""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers: [{name: main, image: busybox}]
        """.formatted(name), Deployment.class);
    return gated
        ? new DeploymentBuilder(deployment)
            .editSpec()
            .editTemplate()
            .editSpec()
            .addNewSchedulingGate(GATE)
            .endSpec()
            .endTemplate()
            .endSpec()
            .build()
        : deployment;
  }

  static GenericKubernetesResource custom(WatchedKind kind, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: %s/%s
        kind: %s
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec: %s
        """.formatted(kind.group(), kind.version(), kind.kind(), name(), spec),
        GenericKubernetesResource.class);
  }

  static <T extends HasMetadata> T annotated(T object, String annotation) {
    object.getMetadata().setAnnotations(new HashMap<>(Map.of(annotation, "x")));
    return object;
  }

  static OwnerReference owner(String apiVersion, String kind) {
    return new OwnerReferenceBuilder()
        .withApiVersion(apiVersion)
        .withKind(kind)
        .withName("a")
        .withUid("b")
        .withController(true)
        .build();
  }

  /** {@return a job that the controller has started} */
  Job started(String name) {
    admin.resource(job(name, true)).create();
    return edit(controller, job(name, true), job -> suspend(job, false));
  }

  static Job suspend(Job job, boolean suspended) {
    return new JobBuilder(job).editSpec().withSuspend(suspended).endSpec().build();
  }

  static <T extends HasMetadata> T edit(
      KubernetesClient client, T object, UnaryOperator<T> change) {
    return client.resource(client.resource(object).get()).edit(change);
  }

  static void assertRefused(ThrowingCallable request, String... words) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isIn(403, 422))
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
  }

  /** A Workload as the controller writes it. */
  static GenericKubernetesResource workload(String name) {
    return Serialization.unmarshal("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/job-uid: a}
          annotations: {kueue4j.io/original: "{}"}
          finalizers: [kueue.x-k8s.io/resource-in-use]
          ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a, uid: a, controller: true}]
        spec:
          active: true
          queueName: queue
          podSets: [{name: main, count: 3, template: {spec: {containers: [{name: main}]}}}]
        """.formatted(name), GenericKubernetesResource.class);
  }
}
