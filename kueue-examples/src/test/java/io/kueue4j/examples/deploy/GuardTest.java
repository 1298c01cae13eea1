package io.kueue4j.examples.deploy;

import static io.kueue4j.examples.deploy.GuardedServer.GATE;
import static io.kueue4j.examples.deploy.GuardedServer.QUEUE;
import static io.kueue4j.examples.deploy.GuardedServer.RAY_CLUSTER;
import static io.kueue4j.examples.deploy.GuardedServer.RAY_SERVICE;
import static io.kueue4j.examples.deploy.GuardedServer.TRAINING;
import static io.kueue4j.examples.deploy.GuardedServer.assertRefused;
import static io.kueue4j.examples.deploy.GuardedServer.custom;
import static io.kueue4j.examples.deploy.GuardedServer.deployment;
import static io.kueue4j.examples.deploy.GuardedServer.edit;
import static io.kueue4j.examples.deploy.GuardedServer.job;
import static io.kueue4j.examples.deploy.GuardedServer.name;
import static io.kueue4j.examples.deploy.GuardedServer.owner;
import static io.kueue4j.examples.deploy.GuardedServer.pod;
import static io.kueue4j.examples.deploy.GuardedServer.suspend;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guard refuses of jobs, pods and services. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class GuardTest {
  private static GuardedServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;
  private static KubernetesClient controller;
  private static KubernetesClient jobController;

  @BeforeAll
  static void start() throws Exception {
    server = GuardedServer.start();
    admin = server.admin;
    tenant = server.tenant;
    controller = server.controller;
    jobController = server.jobController;
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
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
    Job job = server.started(name());
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
    Job job = server.started(name());
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
    Job job = server.started(name());
    assertRefused(
        () -> edit(tenant, job, known -> {
          known.getMetadata().setAnnotations(Map.of("kueue.x-k8s.io/elastic-job", "true"));
          return new JobBuilder(known).editSpec().withParallelism(3).endSpec().build();
        }),
        "cannot get more pods while it runs: 2 were admitted");
  }

  @Test
  void aTenantStopsItsJob() {
    Job job = server.started(name());
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
}
