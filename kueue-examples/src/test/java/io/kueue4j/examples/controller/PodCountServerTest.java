package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Throwables;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.state.JobState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A tenant who wants to run more than the 10 CPUs of a queue, on a real API server with the
 * controllers of Jobs and JobSets and without the guard. Each attack prints the largest excess, and
 * how long there was one; docs/operations.md has them.
 */
@EnabledIf("io.kueue4j.examples.controller.cluster.ApiServer#hasControllers")
@SuppressWarnings("try") // A controller works until it is closed.
class PodCountServerTest {
  private static final String QUEUES =
      TenantServer.QUEUES.replace("nominalQuota: 4", "nominalQuota: 10");

  private static TenantServer server;
  private static KubernetesClient tenant;

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(TenantServer.role("tenant", """
        {apiGroups: ["", batch, jobset.x-k8s.io], resources: ["*"], verbs: ["*"]}""", "tenant"), "pods");
    server.startControllerManager();
    server.startJobSetController();
    tenant = server.tenant();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @AfterEach
  void deleteAll() {
    server
        .admin()
        .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
        .inNamespace("default")
        .delete();
    Await.until("everything is gone", PodCountServerTest::isDeleted);
  }

  /** Workloads may change meanwhile. */
  private static boolean isDeleted() {
    try {
      server.deleteJobs("default");
    } catch (KubernetesClientException e) {
      return false;
    }
    server.admin().pods().inNamespace("default").withGracePeriod(0).delete();
    return pods().isEmpty() && server.workloads("default").isEmpty();
  }

  private static List<Pod> pods() {
    return server.admin().pods().inNamespace("default").list().getItems();
  }

  private static List<Pod> podsOf(String job) {
    return server
        .admin()
        .pods()
        .inNamespace("default")
        .withLabel("batch.kubernetes.io/job-name", job)
        .list()
        .getItems();
  }

  private static void createJob(String name, int cpus, int parallelism, boolean indexed) {
    Job job = TenantServer.newJob("default", name, cpus, true);
    tenant
        .resource(new JobBuilder(job)
            .editSpec()
            .withParallelism(parallelism)
            .withCompletions(indexed ? 1 : null)
            .withCompletionMode(indexed ? "Indexed" : null)
            .endSpec()
            .build())
        .create();
  }

  private static void createMember(String name, String cpus) {
    tenant
        .resource(Serialization.unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: queue, kueue.x-k8s.io/pod-group-name: group}
              annotations:
                kueue.x-k8s.io/pod-group-total-count: "2"
                kueue.x-k8s.io/role-hash: forged
            spec:
              restartPolicy: Never
              schedulingGates: [{name: kueue.x-k8s.io/admission}]
              containers: [{name: main, image: busybox, resources: {requests: {cpu: "%s"}}}]
            """.formatted(name, cpus), Pod.class))
        .create();
  }

  private static GenericKubernetesResource createJobSet(boolean isQueued, String jobLabels) {
    return tenant
        .resource(Serialization.unmarshal(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: set
              namespace: default
              labels: {%s}
            spec:
              suspend: %s
              replicatedJobs:
              - name: main
                replicas: 1
                template:
                  metadata: {labels: {%s}}
                  spec:
                    parallelism: 1
                    completions: 1
                    template:
                      spec:
                        containers:
                        - {name: main, image: busybox, resources: {requests: {cpu: "10"}}}
            """.formatted(isQueued ? "kueue.x-k8s.io/queue-name: queue" : "", isQueued, jobLabels),
            GenericKubernetesResource.class))
        .create();
  }

  /** {@return a Job that names a JobSet as its controller} */
  private static Job forgedPart(GenericKubernetesResource set) {
    ObjectMeta metadata = set.getMetadata();
    Job forged = new JobBuilder(server.job("set-main-0"))
        .withStatus(null)
        .editMetadata()
        .withName("set-main-1")
        .withUid(null)
        .withResourceVersion(null)
        .withOwnerReferences(new OwnerReferenceBuilder()
            .withApiVersion("jobset.x-k8s.io/v1alpha2")
            .withKind("JobSet")
            .withName("set")
            .withUid(metadata.getUid())
            .withController(true)
            .build())
        .endMetadata()
        .build();
    forged.getSpec().setSelector(null);
    forged.getSpec().setSuspend(false);
    forged
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getLabels()
        .keySet()
        .removeIf(key -> key.contains("controller-uid") || key.contains("job-name"));
    request("42", forged.getSpec().getTemplate().getSpec());
    return forged;
  }

  private static void request(String cpus, PodSpec spec) {
    spec.getContainers().get(0).getResources().setRequests(Map.of("cpu", new Quantity(cpus)));
  }

  private static void resize(String job) {
    Pod pod = podsOf(job).get(0);
    Pod resized = new PodBuilder(pod).build();
    request("50", resized.getSpec());
    tenant
        .pods()
        .inNamespace("default")
        .withName(pod.getMetadata().getName())
        .subresource("resize")
        .patch(resized);
  }

  /** The controllers write, too. */
  private static void edit(String job, UnaryOperator<Job> change) {
    Await.until("an edit without conflict", () -> {
      try {
        server.edit(job, change);
        return true;
      } catch (KubernetesClientException e) {
        if (e.getCode() == 409) {
          return false;
        }
        throw e;
      }
    });
  }

  private static void enlarge(String job, int pods) {
    edit(
        job,
        old -> new JobBuilder(old)
            .editSpec()
            .withParallelism(pods)
            .withCompletions(pods)
            .endSpec()
            .build());
  }

  private static void disown(String job) {
    edit(
        job,
        stored -> new JobBuilder(stored)
            .editMetadata()
            .withOwnerReferences()
            .endMetadata()
            .build());
  }

  private static void disown(Pod pod) {
    server
        .tenant()
        .resource(pod)
        .edit(known -> new PodBuilder(known)
            .editMetadata()
            .withOwnerReferences()
            .withLabels(Map.of())
            .endMetadata()
            .build());
  }

  /** {@return whether pods of a job were created and none is gated} */
  private static boolean runsPods(String job, int count) {
    return podsOf(job).stream().filter(PodMeter::runs).count() == count;
  }

  @Test
  void aForgedRoleHashStartsNothing() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createMember("a-small", "1");
      createMember("b-large", "500");
      Await.until(
          "the small one runs",
          () -> pods().stream()
              .anyMatch(
                  pod -> pod.getMetadata().getName().equals("a-small") && PodMeter.runs(pod)));
      meter.assertBounded("role hash of a group forged");
      assertThat(meter.greatestCpus()).isLessThanOrEqualTo(10);
    }
  }

  @Test
  void aLargerReplacementOfAPodDoesNotStart() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createMember("a", "5");
      createMember("b", "5");
      Await.until("both run", () -> pods().stream().filter(PodMeter::runs).count() == 2);
      Pod unused = server
          .admin()
          .pods()
          .inNamespace("default")
          .withName("b")
          .editStatus(pod ->
              new PodBuilder(pod).editStatus().withPhase("Failed").endStatus().build());
      createMember("c", "500");
      Await.until(
          "it is deleted",
          () -> pods().stream().noneMatch(pod -> pod.getMetadata().getName().equals("c")));
      meter.assertBounded("failed pod of a group replaced by a larger one");
      assertThat(meter.greatestCpus()).isLessThanOrEqualTo(10);
    }
  }

  @Test
  void anOrphanedJobHoldsItsQuota() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      for (int i = 0; i < 2; i++) {
        createJob("orphan" + i, 10, 1, false);
      }
      Await.until("the first runs", () -> runsPods("orphan0", 1));
      tenant
          .batch()
          .v1()
          .jobs()
          .inNamespace("default")
          .withName("orphan0")
          .withPropagationPolicy(DeletionPropagation.ORPHAN)
          .delete();
      Await.until("it is gone", () -> server.job("orphan0") == null);
      meter.assertBounded("job deleted with --cascade=orphan");
      assertThat(meter.greatestCpus()).isEqualTo(10);
      podsOf("orphan0")
          .forEach(pod -> server.admin().resource(pod).withGracePeriod(0).delete());
      Await.until("the second runs", () -> runsPods("orphan1", 1));
    }
  }

  @Test
  void podsWithoutOwnerAndLabelsCount() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createJob("job", 1, 10, false);
      Await.until("it runs", () -> runsPods("job", 10));
      podsOf("job").forEach(PodCountServerTest::disown);
      meter.assertBounded("pods relabelled and orphaned");
    }
  }

  @Test
  void moreCompletionsStopTheJob() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createJob("indexed", 10, 10, true);
      Await.until("it runs", () -> runsPods("indexed", 1));
      enlarge("indexed", 10);
      meter.assertBounded("completions of an Indexed Job raised");
    }
  }

  @Test
  void anEnlargedChildStopsTheJobSet() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      GenericKubernetesResource unused = createJobSet(true, "");
      Await.until("it runs", () -> runsPods("set-main-0", 1));
      enlarge("set-main-0", 5);
      meter.assertBounded("child Job of a JobSet enlarged");
    }
  }

  @Test
  void aDisownedChildThatIsEnlargedStopsTheJobSet() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      GenericKubernetesResource unused = createJobSet(true, "");
      Await.until("it runs", () -> runsPods("set-main-0", 1));
      disown("set-main-0");
      Await.until(
          "its owner is gone",
          () -> server.job("set-main-0").getMetadata().getOwnerReferences().isEmpty());
      enlarge("set-main-0", 5);
      Await.until("it is suspended", () -> server.job("set-main-0").getSpec().getSuspend());
      meter.assertBounded("child Job of a JobSet disowned and enlarged");
    }
  }

  @Test
  void aJobThatPretendsToBelongToAJobSetStopsIt() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      GenericKubernetesResource set = createJobSet(true, "");
      Await.until("it runs", () -> runsPods("set-main-0", 1));
      tenant.resource(forgedPart(set)).create();
      meter.assertBounded("Job with a forged reference to a JobSet");
    }
  }

  @Test
  void childrenThatNameAQueueDoNotStartWithoutEnd() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      GenericKubernetesResource unused = createJobSet(false, "kueue.x-k8s.io/queue-name: queue");
      // It runs if the JobSet controller is so slow that the part is admitted before.
      Await.until(
          "the part is refused, or runs",
          () -> Set.of(JobState.REFUSED, JobState.ADMITTED).contains(running.state("set-main-0")));
      meter.assertBounded("JobSet without queue whose children name one");
      assertThat(meter.created()).as("pods").isLessThan(5);
    }
  }

  @Test
  void aResizedPodIsStopped() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createJob("job", 10, 1, false);
      Await.until("it runs", () -> runsPods("job", 1));
      resize("job");
      meter.assertBounded("pod resized");
    }
  }

  /** Without the guard and a queue it runs uncounted; the controller can only tell. */
  @Test
  void aJobTakenOutOfItsQueueAndStartedIsShown() throws Exception {
    try (RunningController running = server.startController(QUEUES);
        PodMeter meter = PodMeter.start(server.admin(), 10)) {
      createJob("job", 50, 1, false);
      Await.until("it waits", () -> running.state("job") == JobState.PENDING);
      edit(
          "job",
          job -> new JobBuilder(job)
              .editMetadata()
              .withLabels(Map.of())
              .endMetadata()
              .build());
      edit(
          "job",
          job -> new JobBuilder(job).editSpec().withSuspend(false).endSpec().build());
      Await.until("it runs", () -> runsPods("job", 1));
      Await.until("it is shown", () -> isShown(running, "runs beyond all quotas"));
      assertThat(running.state("job")).isEqualTo(JobState.UNMANAGED);
      Await.until("it is told", () -> server.hasEvent("job", "AdmissionRefused"));
      assertThat(server.isSuspended("job")).isFalse();
      assertThat(meter.greatestCpus()).isEqualTo(50);
    }
  }

  private static boolean isShown(RunningController running, String reason) {
    return running.controller().view().orElseThrow().refusedAdmissions().stream()
        .anyMatch(refused -> refused.reason().contains(reason));
  }

  @Test
  void theGuardRefusesWhatItCan() throws Exception {
    List<HasMetadata> guard = DeployManifests.of(DeployManifests.ROOT.resolve("guard"));
    guard.forEach(object -> server.admin().resource(object).create());
    try (RunningController running =
        server.startController(QUEUES, builder -> builder.guard(Duration.ofMillis(200)))) {
      Await.until("the guard is seen", () -> running.controller().guardWarning().isEmpty());
      Await.until("the guard works", PodCountServerTest::isGuarded);
      GenericKubernetesResource set = createJobSet(true, "");
      Await.until("it runs", () -> runsPods("set-main-0", 1));
      assertThat(isRefused("kueue4j-parts", () -> enlarge("set-main-0", 5))).isTrue();
      assertThat(
              isRefused("kueue4j-parts", () -> tenant.resource(forgedPart(set)).create()))
          .isTrue();
      assertThat(isRefused("kueue4j-parts", () -> disown("set-main-0"))).isTrue();
      assertThat(isRefused("kueue4j-resize", () -> resize("set-main-0"))).isTrue();
      server
          .admin()
          .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
          .inNamespace("default")
          .delete();
      createJob("indexed", 10, 10, true);
      Await.until("it runs", () -> runsPods("indexed", 1));
      assertThat(isRefused("kueue4j-jobs", () -> enlarge("indexed", 10))).isTrue();
    } finally {
      guard.forEach(object -> server.admin().resource(object).delete());
    }
  }

  /** {@return whether the server uses all policies, which come into force one after another} */
  private static boolean isGuarded() {
    Job part = new JobBuilder(TenantServer.newJob("default", "probe", 1, true))
        .editMetadata()
        .withLabels(Map.of())
        .withOwnerReferences(new OwnerReferenceBuilder()
            .withApiVersion("jobset.x-k8s.io/v1alpha2")
            .withKind("JobSet")
            .withName("probe")
            .withUid("probe")
            .withController(true)
            .build())
        .endMetadata()
        .build();
    Pod managed = new PodBuilder()
        .withNewMetadata()
        .withName("probe")
        .withNamespace("default")
        .withLabels(Map.of("kueue.x-k8s.io/podset", "main"))
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("busybox")
        .endContainer()
        .endSpec()
        .build();
    if (server.admin().pods().resource(managed).get() == null) {
      server.admin().resource(managed).create();
    }
    return isRefused("kueue4j-parts", () -> tenant.resource(part).dryRun().create())
        && isRefused(
            "kueue4j-resize",
            () -> tenant
                .pods()
                .resource(managed)
                .subresource("resize")
                .patch(server.admin().pods().resource(managed).get()));
  }

  private static boolean isRefused(String policy, Runnable request) {
    try {
      request.run();
      return false;
    } catch (KubernetesClientException | AssertionError e) {
      return Throwables.getStackTraceAsString(e)
          .contains("ValidatingAdmissionPolicy '" + policy + "'");
    }
  }
}
