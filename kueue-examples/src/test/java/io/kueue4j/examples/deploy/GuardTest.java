package io.kueue4j.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
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
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.WatchedKind;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.guard.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real API server with the guard, and users of different rights: a tenant, who may edit
 * everything in all namespaces, even the status of Workloads, but has no right of the guard; the
 * controller; the Job controller.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class GuardTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final String GATE = "kueue.x-k8s.io/admission";
  private static final String NOTE = "kueue4j.io/admission";
  private static final String ORIGINAL = "kueue4j.io/original";
  private static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";
  private static final WatchedKind TRAINING = new WatchedKind(
      "kubeflow.org", "v1", "PyTorchJob", "pytorchjobs", true, GenericKubernetesResource.class);
  private static final WatchedKind RAY_SERVICE = new WatchedKind(
      "ray.io", "v1", "RayService", "rayservices", true, GenericKubernetesResource.class);
  private static final WatchedKind RAY_CLUSTER = new WatchedKind(
      "ray.io", "v1", "RayCluster", "rayclusters", true, GenericKubernetesResource.class);
  private static final WatchedKind WORKLOAD = new WatchedKind(
      "kueue.x-k8s.io", "v1beta2", "Workload", "workloads", true, GenericKubernetesResource.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static ApiServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;
  private static KubernetesClient controller;
  private static KubernetesClient jobController;

  @BeforeAll
  static void start() throws Exception {
    server = ApiServer.ofItsOwn();
    admin = server.client();
    server.serve(TRAINING);
    server.serve(RAY_SERVICE);
    server.serve(RAY_CLUSTER);
    server.serve(WORKLOAD);
    tenant = user("tenant");
    controller = user("system:serviceaccount:kueue4j-system:kueue4j-controller");
    jobController = user("system:serviceaccount:kube-system:job-controller");
    for (HasMetadata object : DeployManifests.of(DeployManifests.ROOT.resolve("guard"))) {
      admin.resource(object).create();
    }
    awaitRefusal(() -> tenant.resource(job("probe", false)).dryRun().create());
    awaitRefusal(() -> tenant.resource(pod("probe", false)).dryRun().create());
    awaitRefusal(() -> tenant.resource(deployment("probe", false)).dryRun().create());
    awaitRefusal(
        () -> tenant.resource(annotated(job("probe", true), NOTE)).dryRun().create());
    awaitRefusal(() -> tenant.resource(workload("probe")).dryRun().create());
  }

  @AfterAll
  static void stop() throws Exception {
    for (KubernetesClient client : ImmutableList.of(admin, tenant, controller, jobController)) {
      client.close();
    }
    server.close();
  }

  /** {@return a client of a user who may do everything that the guard does not refuse} */
  private static KubernetesClient user(String name) {
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

  private static void bind(String role, String user) {
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

  private static String name() {
    return "n" + NUMBER.incrementAndGet();
  }

  private static Job job(String name, boolean suspended) {
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

  private static Pod pod(String name, boolean gated) {
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

  private static Deployment deployment(String name, boolean gated) {
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

  private static GenericKubernetesResource custom(WatchedKind kind, String spec) {
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

  private static <T extends HasMetadata> T annotated(T object, String annotation) {
    object.getMetadata().setAnnotations(new HashMap<>(Map.of(annotation, "x")));
    return object;
  }

  private static OwnerReference owner(String apiVersion, String kind) {
    return new OwnerReferenceBuilder()
        .withApiVersion(apiVersion)
        .withKind(kind)
        .withName("a")
        .withUid("b")
        .withController(true)
        .build();
  }

  private static Job started(String name) {
    admin.resource(job(name, true)).create();
    return edit(controller, job(name, true), job -> suspend(job, false));
  }

  private static Job suspend(Job job, boolean suspended) {
    return new JobBuilder(job).editSpec().withSuspend(suspended).endSpec().build();
  }

  private static <T extends HasMetadata> T edit(
      KubernetesClient client, T object, UnaryOperator<T> change) {
    return client.resource(client.resource(object).get()).edit(change);
  }

  private static void assertRefused(ThrowingCallable request, String... words) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isIn(403, 422))
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
  }

  @Test
  void aJobIsCreatedSuspended() {
    String name = name();
    assertRefused(
        () -> tenant.resource(job(name, false)).create(),
        "Job " + name + " names the queue queue and must be created suspended",
        "set spec.suspend to true");
    assertThatCode(() -> tenant.resource(job(name, true)).create()).doesNotThrowAnyException();
  }

  @Test
  void onlyTheControllerStartsAJob() {
    String name = name();
    Job job = tenant.resource(job(name, true)).create();
    assertRefused(
        () -> edit(tenant, job, known -> suspend(known, false)),
        "only the controller of its queue starts Job " + name);
    assertThat(edit(controller, job, known -> suspend(known, false)).getSpec().getSuspend())
        .isFalse();
  }

  @Test
  void aJobCannotLoseItsQueueWhileItIsStarted() {
    Job job = tenant.resource(job(name(), true)).create();
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().getLabels().remove(QUEUE);
          return suspend(known, false);
        }),
        "only the controller");
  }

  @Test
  void theQueueOfARunningJobCannotChange() {
    Job job = started(name());
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().getLabels().put(QUEUE, "other");
          return known;
        }),
        "cannot change while it runs: it is \"queue\"");
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().getLabels().remove(QUEUE);
          return known;
        }),
        "cannot change while it runs");
    assertThat(edit(tenant, job, known -> {
              known.getMetadata().getLabels().put(QUEUE, "other");
              return suspend(known, true);
            })
            .getSpec()
            .getSuspend())
        .isTrue();
  }

  @Test
  void aRunningJobGetsNoMorePods() {
    Job job = started(name());
    assertRefused(
        () -> edit(
            tenant,
            job,
            known ->
                new JobBuilder(known).editSpec().withParallelism(3).endSpec().build()),
        "cannot get more pods while it runs: 2 were admitted");
    assertThat(edit(
                tenant,
                job,
                known -> new JobBuilder(known)
                    .editSpec()
                    .withParallelism(1)
                    .endSpec()
                    .build())
            .getSpec()
            .getParallelism())
        .isEqualTo(1);
  }

  @Test
  void anElasticJobGrowsByPodsWithAGate() {
    Job ungated = elastic(name(), List.of());
    admin.resource(ungated).create();
    edit(controller, ungated, known -> suspend(known, false));
    UnaryOperator<Job> grow =
        known -> new JobBuilder(known).editSpec().withParallelism(3).endSpec().build();
    assertRefused(
        () -> edit(tenant, ungated, grow), "cannot get more pods while it runs: 2 were admitted");
    Job gated = elastic(name(), List.of(new PodSchedulingGate("kueue.x-k8s.io/elastic-job")));
    admin.resource(gated).create();
    edit(controller, gated, known -> suspend(known, false));
    assertThat(edit(tenant, gated, grow).getSpec().getParallelism()).isEqualTo(3);
  }

  /** The controller removes another gate without a look at the number of pods. */
  @Test
  void anotherGateIsNotEnoughToGrow() {
    Job job = elastic(name(), List.of(new PodSchedulingGate("kueue.x-k8s.io/topology")));
    admin.resource(job).create();
    edit(controller, job, known -> suspend(known, false));
    assertRefused(
        () -> edit(
            tenant,
            job,
            known ->
                new JobBuilder(known).editSpec().withParallelism(3).endSpec().build()),
        "or create it with the annotation kueue.x-k8s.io/elastic-job: \"true\" and the scheduling"
            + " gate kueue.x-k8s.io/elastic-job in its pod template");
  }

  @Test
  void aJobThatGrowsStaysElastic() {
    Job job = elastic(name(), List.of(new PodSchedulingGate("kueue.x-k8s.io/elastic-job")));
    admin.resource(job).create();
    edit(controller, job, known -> suspend(known, false));
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().setAnnotations(Map.of());
          return new JobBuilder(known).editSpec().withParallelism(3).endSpec().build();
        }),
        "cannot get more pods while it runs: 2 were admitted");
  }

  private static Job elastic(String name, List<PodSchedulingGate> gates) {
    return new JobBuilder(job(name, true))
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/elastic-job", "true")
        .endMetadata()
        .editSpec()
        .editTemplate()
        .editSpec()
        .withSchedulingGates(gates)
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** The pods of a job need not name its queue. */
  @ParameterizedTest
  @ValueSource(strings = {"kueue.x-k8s.io/elastic-job", "kueue.x-k8s.io/topology"})
  void onlyTheControllerRemovesOtherGates(String gate) {
    Pod given = pod(name(), false);
    given.getMetadata().setLabels(Map.of());
    given.getSpec().setSchedulingGates(List.of(new PodSchedulingGate(gate)));
    Pod pod = tenant.resource(given).create();
    UnaryOperator<Pod> start = known -> new PodBuilder(known)
        .editSpec()
        .withSchedulingGates(List.of())
        .endSpec()
        .build();
    assertRefused(
        () -> edit(tenant, pod, start),
        "only the controller of its queue removes the scheduling gate " + gate);
    assertThat(edit(controller, pod, start).getSpec().getSchedulingGates()).isEmpty();
  }

  /** Otherwise its pods would start without a gate. */
  @Test
  void aRunningJobDoesNotBecomeElastic() {
    Job job = started(name());
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().setAnnotations(Map.of("kueue.x-k8s.io/elastic-job", "true"));
          return new JobBuilder(known).editSpec().withParallelism(3).endSpec().build();
        }),
        "cannot get more pods while it runs: 2 were admitted");
  }

  @Test
  void aTenantStopsItsJob() {
    Job job = started(name());
    assertThat(edit(tenant, job, known -> suspend(known, true)).getSpec().getSuspend())
        .isTrue();
  }

  @Test
  void jobsWithoutAQueueAreLeftAlone() {
    Job job = job(name(), false);
    job.getMetadata().setLabels(Map.of());
    assertThatCode(() -> tenant.resource(job).create()).doesNotThrowAnyException();
  }

  @Test
  void theFlagOfOtherKindsIsFound() {
    assertRefused(
        () -> tenant.resource(custom(TRAINING, "{pytorchReplicaSpecs: {}}")).create(),
        "set spec.runPolicy.suspend to true");
    GenericKubernetesResource training =
        tenant.resource(custom(TRAINING, "{runPolicy: {suspend: true}}")).create();
    assertRefused(
        () -> edit(tenant, training, known -> {
          known.setAdditionalProperty("spec", Map.of("runPolicy", Map.of("suspend", false)));
          return known;
        }),
        "leave spec.runPolicy.suspend at true");
    assertRefused(
        () -> tenant.resource(custom(RAY_SERVICE, "{rayClusterConfig: {}}")).create(),
        "set spec.rayClusterConfig.suspend to true");
    assertThatCode(() -> tenant
            .resource(custom(RAY_SERVICE, "{rayClusterConfig: {suspend: true}}"))
            .create())
        .doesNotThrowAnyException();
  }

  @Test
  void whatAnOperatorCreatesForAJobMayRun() {
    GenericKubernetesResource part = custom(RAY_CLUSTER, "{}");
    part.addOwnerReference(owner("ray.io/v1", "RayJob"));
    assertRefused(() -> tenant.resource(part).create(), "must be created suspended");
    assertThatCode(() -> jobController.resource(part).create()).doesNotThrowAnyException();
  }

  @Test
  void podsWaitForTheController() {
    String name = name();
    assertRefused(
        () -> tenant.resource(pod(name, false)).create(),
        "pod " + name + " names the queue queue",
        "the scheduling gate " + GATE);
    Pod pod = tenant.resource(pod(name, true)).create();
    Consumer<KubernetesClient> start = client -> edit(
        client,
        pod,
        known -> new PodBuilder(known)
            .editSpec()
            .withSchedulingGates(List.of())
            .endSpec()
            .build());
    assertRefused(() -> start.accept(tenant), "only the controller of its queue removes");
    assertThatCode(() -> start.accept(controller)).doesNotThrowAnyException();
    assertRefused(
        () -> edit(tenant, pod, known -> {
          known.getMetadata().getLabels().put(QUEUE, "other");
          return known;
        }),
        "queue and group of pod " + name + " cannot change");
  }

  @Test
  void thePodsOfAnAdmittedJobMayRun() {
    Pod pod = pod(name(), false);
    pod.addOwnerReference(owner("batch/v1", "Job"));
    assertRefused(() -> tenant.resource(pod).create(), "scheduling gate");
    assertThatCode(() -> jobController.resource(pod).create()).doesNotThrowAnyException();

    Pod replica = pod(name(), false);
    replica.addOwnerReference(owner("apps/v1", "ReplicaSet"));
    assertRefused(() -> jobController.resource(replica).create(), "scheduling gate");
  }

  @Test
  void theTemplateOfAServiceHasTheGate() {
    String name = name();
    assertRefused(
        () -> tenant.resource(deployment(name, false)).create(),
        "Deployment " + name + " names a queue",
        GATE);
    Deployment deployment = tenant.resource(deployment(name, true)).create();
    assertRefused(
        () -> edit(
            tenant,
            deployment,
            known -> new DeploymentBuilder(known)
                .editSpec()
                .editTemplate()
                .editSpec()
                .withSchedulingGates(List.of())
                .endSpec()
                .endTemplate()
                .endSpec()
                .build()),
        GATE);
  }

  @Test
  void onlyTheControllerWritesRecords() {
    assertRefused(
        () -> tenant.resource(annotated(job(name(), true), NOTE)).create(),
        "only the controller of queues writes the annotation " + NOTE);
    Job job = tenant.resource(job(name(), true)).create();
    assertRefused(() -> edit(tenant, job, known -> annotated(known, NOTE)), NOTE);
    Job noted = edit(controller, job, known -> annotated(known, NOTE));
    assertRefused(
        () -> edit(tenant, noted, known -> {
          known.getMetadata().setAnnotations(Map.of());
          return known;
        }),
        NOTE);
    // Users may set this one, and whatever does not begin with the prefix.
    assertThatCode(() -> edit(tenant, noted, known -> {
          known.getMetadata().getAnnotations().put("kueue4j.io/active", "false");
          known.getMetadata().getAnnotations().put("example.com/kueue4j.io", "x");
          return known;
        }))
        .doesNotThrowAnyException();
  }

  // ----- records in Workloads

  /** A Workload as the controller writes it. */
  private static GenericKubernetesResource workload(String name) {
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

  private static GenericKubernetesResource recorded() {
    GenericKubernetesResource created = controller.resource(workload(name())).create();
    created.setAdditionalProperty(
        "status",
        new HashMap<>(Map.of(
            "admission", Map.of("clusterQueue", "research"),
            "admissionChecks", List.of(Map.of("name", "budget", "state", "Pending")))));
    return controller.resource(created).updateStatus();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(GenericKubernetesResource object, String field) {
    return (Map<String, Object>)
        Objects.requireNonNull(object.getAdditionalProperties().get(field));
  }

  @Test
  void onlyTheControllerCreatesWorkloads() {
    String name = name();
    assertRefused(
        () -> tenant.resource(workload(name)).create(),
        "only the controller of queues creates Workload " + name,
        "create a job that names a queue");
    assertThatCode(() -> controller.resource(workload(name)).create()).doesNotThrowAnyException();
  }

  @Test
  void aTenantStopsAndDeletesAWorkloadButWritesNothingElseOfItsSpec() {
    GenericKubernetesResource known = recorded();
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").put("podSets", List.of());
          return changed;
        }),
        "only the controller of queues writes spec.podSets of Workload "
            + known.getMetadata().getName());
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").put("priority", 1000);
          return changed;
        }),
        "spec.priority");
    assertRefused(
        () -> edit(tenant, known, changed -> {
          part(changed, "spec").remove("queueName");
          return changed;
        }),
        "spec.queueName");
    GenericKubernetesResource stopped = edit(tenant, known, changed -> {
      part(changed, "spec").put("active", false);
      changed.getMetadata().getLabels().put("example.com/team", "a");
      return changed;
    });
    assertThat(part(stopped, "spec")).containsEntry("active", false);
    tenant.resource(known).delete();
    assertThat(admin.resource(known).get().getMetadata().getDeletionTimestamp()).isNotNull();
    assertThatCode(() -> edit(controller, known, changed -> {
          changed.getMetadata().setFinalizers(List.of());
          return changed;
        }))
        .doesNotThrowAnyException();
    assertThat(admin.resource(known).get()).isNull();
  }

  @Test
  void onlyTheControllerWritesWhatTiesAWorkloadToItsJob() {
    GenericKubernetesResource known = recorded();
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().getOwnerReferences().get(0).setUid("b");
          return changed;
        }),
        "the owners of Workload");
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().setFinalizers(List.of("example.com/other"));
          return changed;
        }),
        "removes the finalizer " + FINALIZER);
    assertRefused(
        () -> edit(tenant, known, changed -> annotated(changed, ORIGINAL)),
        "the label or annotation " + ORIGINAL);
    assertRefused(
        () -> edit(tenant, known, changed -> {
          changed.getMetadata().getLabels().remove("kueue.x-k8s.io/job-uid");
          return changed;
        }),
        "the label or annotation kueue.x-k8s.io/job-uid");
    assertThatCode(() -> edit(jobController, known, changed -> {
          changed.getMetadata().setOwnerReferences(List.of());
          return changed;
        }))
        .as("the garbage collector")
        .doesNotThrowAnyException();
  }

  /** Whatever roles give: the right to write the status is that of controllers of checks. */
  @Test
  void whoMayWriteTheStatusOfAWorkloadWritesChecksOnly() {
    GenericKubernetesResource known = recorded();
    GenericKubernetesResource forged = tenant.resource(known).get();
    part(forged, "status").put("admission", Map.of("clusterQueue", "elsewhere"));
    assertRefused(
        () -> tenant.resource(forged).updateStatus(),
        "only the controller of queues writes status.admission of Workload",
        "the controllers of admission checks write status.admissionChecks");
    GenericKubernetesResource answered = tenant.resource(known).get();
    part(answered, "status")
        .put("admissionChecks", List.of(Map.of("name", "budget", "state", "Ready")));
    assertThat(Serialization.asJson(tenant.resource(answered).updateStatus()))
        .contains("\"Ready\"");
  }

  @Test
  void theControllerSeesWhetherTheGuardIsInPlace() {
    try (Guard guard = Guard.watch(controller, Duration.ofMillis(100))) {
      assertThat(guard.warning()).isEmpty();
      ValidatingAdmissionPolicyBinding binding = admin
          .resources(ValidatingAdmissionPolicyBinding.class)
          .withName("kueue4j-pods")
          .get();
      admin
          .resource(new ValidatingAdmissionPolicyBindingBuilder(binding)
              .editSpec()
              .withValidationActions("Audit")
              .endSpec()
              .build())
          .update();
      Await.until(
          "the action is reported",
          () -> guard.warning().orElse("").contains("kueue4j-pods has the actions [Audit]"));
      admin
          .resources(ValidatingAdmissionPolicyBinding.class)
          .withName("kueue4j-pods")
          .edit(changed -> new ValidatingAdmissionPolicyBindingBuilder(changed)
              .withSpec(binding.getSpec())
              .build());
      Await.until("it is in place", () -> guard.warning().isEmpty());
    }
  }

  @Test
  void withoutTheRightTheGuardIsNotSeen() {
    try (Guard guard = Guard.watch(tenant, Duration.ofHours(1))) {
      assertThat(guard.warning().orElseThrow())
          .startsWith("the guard is not in place: ValidatingAdmissionPolicy kueue4j-jobs does not"
              + " exist, or may not be read");
    }
  }

  @Test
  void policiesAndTheirNamesBelongTogether() {
    assertThat(admin.resources(ValidatingAdmissionPolicy.class).list().getItems())
        .extracting(policy -> policy.getMetadata().getName())
        .containsExactlyInAnyOrderElementsOf(Guard.POLICIES);
  }
}
