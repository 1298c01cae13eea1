package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The tutorials on a real API server, where admissions are recorded in Workload objects: the jobs
 * are created there, a second apart, and the same of them run as in the dry run.
 *
 * <p>With the program of the JobSet controller, JobSets have its definition, its webhooks and the
 * Jobs that it creates; without, they are objects of any content.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class TutorialServerTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final WatchedKind WORKLOAD = new WatchedKind(
      "kueue.x-k8s.io", "v1beta2", "Workload", "workloads", true, GenericKubernetesResource.class);
  private static final WatchedKind JOB_SET =
      new WatchedKind("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true, JobSet.class);

  private static final Map<String, String> TPU_NODES = Map.of(
      "cloud.google.com/gke-tpu-accelerator", "tpu-v5-lite-podslice",
      "cloud.google.com/gke-tpu-topology", "2x4");

  private static ApiServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws IOException {
    server = ApiServer.ofItsOwn();
    client = server.client();
    ApiServer.serveWorkloads(client);
    if (ApiServer.hasJobSetController()) {
      server.startJobSetController();
    } else {
      server.serve(JOB_SET);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  @AfterEach
  void deleteAll() {
    // Before their Jobs, which the JobSet controller would create again.
    client.genericKubernetesResources(JOB_SET.context()).inAnyNamespace().delete();
    client.batch().v1().jobs().inAnyNamespace().delete();
    client.pods().inAnyNamespace().withGracePeriod(0).delete();
    client.nodes().delete();
  }

  private static void create(HasMetadata object) {
    GenericKubernetesResource generic = Json.as(Json.tree(object), GenericKubernetesResource.class);
    if (object instanceof JobSet) {
      client
          .genericKubernetesResources(JOB_SET.context())
          .inNamespace(namespace(object))
          .resource(generic)
          .create();
    } else {
      client.resource(object).inNamespace(namespace(object)).create();
    }
  }

  private static String namespace(HasMetadata object) {
    String given = object.getMetadata().getNamespace();
    return given == null ? "default" : given;
  }

  private static ImmutableList<GenericKubernetesResource> play(
      Manifests queues, List<HasMetadata> objects, int running, int waiting) throws Exception {
    return play(queues, objects, running, waiting, () -> true);
  }

  /**
   * Plays a tutorial, and checks that in the end as many jobs run and wait as given, that exactly
   * the running ones have an admission in a Workload of theirs, and that a condition holds.
   */
  private static ImmutableList<GenericKubernetesResource> play(
      Manifests queues,
      List<HasMetadata> objects,
      int running,
      int waiting,
      BooleanSupplier condition)
      throws Exception {
    for (HasMetadata object : objects) {
      if (client.namespaces().withName(namespace(object)).get() == null) {
        Namespace namespace = new NamespaceBuilder()
            .withNewMetadata()
            .withName(namespace(object))
            .endMetadata()
            .build();
        client.resource(namespace).create();
      }
    }
    objects.stream()
        .filter(object ->
            object instanceof Node || object instanceof Pod || object instanceof PriorityClass)
        .forEach(object -> client.resource(object).create());
    for (Node node : client.nodes().list().getItems()) {
      // The server gives new nodes a taint that the node controller, which is absent, removes.
      client.nodes().withName(node.getMetadata().getName()).edit(stored -> {
        stored
            .getSpec()
            .getTaints()
            .removeIf(taint -> taint.getKey().equals("node.kubernetes.io/not-ready"));
        return stored;
      });
    }
    try (RunningController started = RunningController.start(
        server.client(),
        builder -> builder
            .options(ControllerOptions.defaults().withLegacyQueueAnnotation(true))
            .kinds(ImmutableList.<WatchedKind>builder()
                .addAll(ServedKinds.BUILT_IN)
                .add(WORKLOAD, JOB_SET)
                .build())
            .queues(queues))) {
      for (HasMetadata object : objects) {
        if (JobKinds.standard().find(object).isPresent() && !(object instanceof Pod)) {
          create(object);
          // Creation times have whole seconds.
          Thread.sleep(1100);
        }
      }
      Instant end = Instant.now().plus(DEADLINE);
      while (count(started.controller(), JobState.ADMITTED) != running
          || count(started.controller(), JobState.PENDING) != waiting
          || !condition.getAsBoolean()) {
        assertThat(started.hasEnded()).isFalse();
        assertThat(Instant.now())
            .as(() -> "%s of %s"
                .formatted(started.controller().view().map(ControllerView::jobs), running))
            .isBefore(end);
        Thread.sleep(50);
      }
      ImmutableList<GenericKubernetesResource> admitted = admitted();
      assertThat(admitted).hasSize(running);
      return admitted;
    }
  }

  private static long count(Controller controller, JobState state) {
    return controller.view().stream()
        .flatMap(view -> view.jobs().stream())
        .filter(job -> job.state() == state && !job.kind().equals("Pod"))
        .count();
  }

  /** {@return the Workloads that record an admission, of jobs that exist and run} */
  private static ImmutableList<GenericKubernetesResource> admitted() {
    ImmutableSet.Builder<String> running = ImmutableSet.builder();
    client.batch().v1().jobs().inAnyNamespace().list().getItems().stream()
        .filter(job -> !job.getSpec().getSuspend())
        .forEach(job -> running.add(job.getMetadata().getUid()));
    client.genericKubernetesResources(JOB_SET.context()).inAnyNamespace().list().getItems().stream()
        .filter(job -> !Json.tree(job).at("/spec/suspend").asBoolean())
        .forEach(job -> running.add(job.getMetadata().getUid()));
    ImmutableSet<String> uids = running.build();
    ResourceDefinitionContext context = WORKLOAD.context();
    return client.genericKubernetesResources(context).inAnyNamespace().list().getItems().stream()
        .filter(object -> WorkloadObjects.isAdmitted(object)
            && uids.containsAll(WorkloadObjects.ownerUids(object)))
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * {@return whether the JobSet controller has done as it should to the Jobs of a JobSet, and says
   * so; true without it}
   */
  private static boolean hasJobs(String jobSet, int number, boolean suspended) {
    if (!ApiServer.hasJobSetController()) {
      return true;
    }
    List<Job> jobs = client
        .batch()
        .v1()
        .jobs()
        .inNamespace("default")
        .withLabel("jobset.sigs.k8s.io/jobset-name", jobSet)
        .list()
        .getItems();
    JsonNode stored = Json.tree(client
        .genericKubernetesResources(JOB_SET.context())
        .inNamespace("default")
        .withName(jobSet)
        .get());
    return jobs.size() == number
        && jobs.stream()
            .allMatch(job -> job.getSpec().getSuspend() == suspended
                && TPU_NODES.equals(job.getSpec().getTemplate().getSpec().getNodeSelector()))
        && stored.at("/status/replicatedJobsStatus/0/suspended").asInt() == (suspended ? number : 0)
        && WorkloadScene.isTrue(stored, "Suspended") == suspended;
  }

  @Test
  void gkeBatchJobs() throws Exception {
    play(
        TutorialManifests.read(
            "000-gke-batch-jobs",
            "00-namespaces.yaml",
            "10-flavors.yaml",
            "20-cluster-queue.yaml",
            "30-local-queues.yaml"),
        TutorialManifests.objects(
            "000-gke-batch-jobs",
            "40-job-team-a.yaml",
            "40-job-team-a.yaml",
            "41-job-team-b.stand-in.yaml",
            "41-job-team-b.stand-in.yaml"),
        3,
        1);
  }

  @Test
  void tpuMultisliceJobSets() throws Exception {
    assertThat(play(
            TutorialManifests.read("001-tpu-multislice-jobset", "10-kueue.yaml"),
            TutorialManifests.objects("001-tpu-multislice-jobset", "20-jobsets-autopilot.yaml"),
            2,
            1,
            () -> hasJobs("multislice-1slice", 1, false)
                && hasJobs("multislice-2slice", 2, false)
                && hasJobs("multislice-3slice", 3, true)))
        .extracting(object -> object.getMetadata().getName().replaceFirst("-[0-9a-f]{5}$", ""))
        .containsExactlyInAnyOrder("jobset-multislice-1slice", "jobset-multislice-2slice");
  }

  @Test
  void aTpuMultisliceJobSetIsPreempted() throws Exception {
    List<HasMetadata> objects = TutorialManifests.objects(
        "001-tpu-multislice-jobset",
        "41-priority-class.yaml",
        "20-jobsets-autopilot.yaml",
        "42-jobset-low-priority-autopilot.yaml");
    assertThat(play(
            TutorialManifests.read("001-tpu-multislice-jobset", "40-kueue-preemption.yaml"),
            objects.stream()
                .filter(object -> !List.of("multislice-1slice", "multislice-2slice")
                    .contains(object.getMetadata().getName()))
                .toList(),
            1,
            1,
            () -> hasJobs("low-priority", 1, false) && hasJobs("multislice-3slice", 3, true)))
        .singleElement()
        .satisfies(object ->
            assertThat(object.getMetadata().getName()).startsWith("jobset-low-priority-"));
  }

  @Test
  void kueueOnGke() throws Exception {
    play(
        TutorialManifests.read(
            "002-kueue-v080-gke",
            "00-namespaces.yaml",
            "10-resource-flavor.yaml",
            "20-cluster-queue.yaml",
            "30-local-queues.yaml"),
        TutorialManifests.objects(
            "002-kueue-v080-gke", "40-job-team-a.yaml", "41-job-team-b.yaml", "40-job-team-a.yaml"),
        2,
        1);
  }

  @Test
  void firstSlides() throws Exception {
    play(
        TutorialManifests.read("003-kueue-v010-slides", "10-settings.yaml"),
        TutorialManifests.objects("003-kueue-v010-slides", "20-job.yaml"),
        1,
        0);
  }

  @Test
  void fragmentationKeepsAJobWaiting() throws Exception {
    Manifests topology = TutorialManifests.read("004-gpu-operator-binpack", "60-topology.yaml");
    List<HasMetadata> packed = TutorialManifests.objects(
        "004-gpu-operator-binpack", "60-topology.yaml", "62-pods-packed.yaml", "63-job.yaml");
    assertThat(play(topology, packed, 1, 0))
        .singleElement()
        .satisfies(object -> assertThat(Json.tree(object)
                .at("/status/admission/podSetAssignments/0/topologyAssignment/levels"))
            .isNotEmpty());
  }
}
