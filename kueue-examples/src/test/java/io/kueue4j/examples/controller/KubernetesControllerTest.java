package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobSet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The controller with a real client, including informers and leases. */
final class KubernetesControllerTest {
  private static final ImmutableList<WatchedKind> KINDS = ImmutableList.<WatchedKind>builder()
      .addAll(RunningController.KINDS)
      .add(
          new WatchedKind("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true, JobSet.class),
          queueKind("ResourceFlavor", "resourceflavors", false),
          queueKind("ClusterQueue", "clusterqueues", false),
          queueKind("LocalQueue", "localqueues", true))
      .build();

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.ofItsOwn();
    KINDS.stream().filter(kind -> !ServedKinds.BUILT_IN.contains(kind)).forEach(server::serve);
    client = server.client();
  }

  private static WatchedKind queueKind(String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        "kueue.x-k8s.io", "v1beta1", kind, plural, namespaced, GenericKubernetesResource.class);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private RunningController startController(String identity, boolean queuesFromFiles)
      throws IOException {
    Manifests queues = TutorialManifests.read("001-tpu-multislice-jobset", "10-kueue.yaml");
    return RunningController.start(server.client(), builder -> {
      builder
          .options(ControllerOptions.defaults().withLegacyQueueAnnotation(true))
          .kinds(KINDS)
          .lease(new LeaseName("default", "kueue4j", identity))
          .port(0);
      return queuesFromFiles ? builder.queues(queues) : builder;
    });
  }

  private static int get(RunningController running, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(
                    "http://localhost:" + running.controller().port().orElseThrow() + path))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  private Resource<GenericKubernetesResource> resource(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    WatchedKind kind =
        KINDS.stream().filter(known -> known.isOf(key)).findFirst().orElseThrow();
    GenericKubernetesResource generic = Json.as(Json.tree(object), GenericKubernetesResource.class);
    return kind.namespaced()
        ? client
            .genericKubernetesResources(kind.context())
            .inNamespace(object.getMetadata().getNamespace())
            .resource(generic)
        : client.genericKubernetesResources(kind.context()).resource(generic);
  }

  private void create(HasMetadata object) {
    resource(object).create();
  }

  private boolean runs(JobSet jobSet) {
    JobSet stored = stored(jobSet);
    return Boolean.FALSE.equals(stored.getSpec().suspend())
        && client
            .genericKubernetesResources(ServedKinds.WORKLOAD.context())
            .inAnyNamespace()
            .list()
            .getItems()
            .stream()
            .filter(object ->
                WorkloadObjects.ownerUids(object).contains(stored.getMetadata().getUid()))
            .anyMatch(WorkloadObjects::isAdmitted);
  }

  private JobSet stored(JobSet jobSet) {
    return (JobSet)
        KINDS.get(RunningController.KINDS.size()).read(resource(jobSet).get());
  }

  private List<Job> jobs(boolean suspended) {
    return client.batch().v1().jobs().inAnyNamespace().list().getItems().stream()
        .filter(job -> job.getSpec().getSuspend() == suspended)
        .toList();
  }

  @Test
  void gkeBatchJobs() throws Exception {
    TutorialManifests.objects(
            "000-gke-batch-jobs",
            "00-namespaces.yaml",
            "10-flavors.yaml",
            "20-cluster-queue.yaml",
            "30-local-queues.yaml")
        .forEach(this::create);
    ImmutableList<HasMetadata> jobs = TutorialManifests.objects(
        "000-gke-batch-jobs", "40-job-team-a.yaml", "41-job-team-b.stand-in.yaml");
    try (RunningController running = startController("one", false)) {
      for (int i = 0; i < 2; i++) {
        jobs.forEach(this::create);
      }
      Await.until("three jobs run", () -> jobs(false).size() == 3);
      Await.until("ready", () -> get(running, "/readyz") == 200);
      assertThat(get(running, "/healthz")).isEqualTo(200);
      assertThat(jobs(true)).hasSize(1);
      Await.until(
          "one waits",
          () -> running
              .controller()
              .view()
              .filter(view -> view.jobs().stream()
                  .anyMatch(job -> job.state() == JobState.PENDING
                      && view.reasons(job).toString().contains("nvidia.com/gpu")))
              .isPresent());

      Job first = jobs(false).get(0);
      Statuses.complete(
          client, first.getMetadata().getNamespace(), first.getMetadata().getName());
      Await.until("the fourth runs", () -> jobs(true).isEmpty());
      Await.until(
          "events",
          () -> client.v1().events().inAnyNamespace().list().getItems().stream()
                  .filter(event -> event.getReason().equals("Started"))
                  .count()
              == 4);
    }
  }

  @Test
  void anotherLeaderGoesOnWhereTheFirstHasStopped() throws Exception {
    List<HasMetadata> jobSets =
        TutorialManifests.objects("001-tpu-multislice-jobset", "20-jobsets-autopilot.yaml");
    JobSet one = (JobSet) inDefault(jobSets.get(0));
    JobSet two = (JobSet) inDefault(jobSets.get(1));
    JobSet three = (JobSet) inDefault(jobSets.get(2));
    try (RunningController first = startController("one", true)) {
      create(three);
      Await.until("3slice runs", () -> runs(three));
      try (RunningController second = startController("two", true)) {
        Await.until("waits for the lease", () -> get(second, "/readyz") == 200);
        assertThat(second.controller().view()).isEmpty();
        assertThat(first.controller().stop(Await.DEADLINE)).isTrue();
        create(two);
        create(one);
        Await.until("leads", () -> second.controller().view().isPresent());
        Await.until(
            "both wait",
            () -> second.controller().view().orElseThrow().jobs().stream()
                    .filter(job -> job.state() == JobState.PENDING)
                    .count()
                == 2);
        assertThat(runs(one)).isFalse();

        resource(stored(three)
                .withStatus(new JobSet.JobSetStatus(
                    List.of(new ConditionBuilder()
                        .withType("Completed")
                        .withStatus("True")
                        .build()),
                    List.of(),
                    Map.of())))
            .updateStatus();
        Await.until("the others run", () -> runs(one) && runs(two));
      }
    }
  }

  private static HasMetadata inDefault(HasMetadata object) {
    HasMetadata copy = JobAnnotations.copy(object);
    copy.setMetadata(
        new ObjectMetaBuilder(copy.getMetadata()).withNamespace("default").build());
    return copy;
  }
}
