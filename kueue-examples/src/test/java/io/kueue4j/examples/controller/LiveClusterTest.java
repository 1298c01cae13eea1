package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.Simulation;
import io.kueue4j.examples.snapshot.ClusterSnapshot;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.yaml.Manifest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of a cluster leads to the state that its controller has brought about. */
class LiveClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final ImmutableList<WatchedKind> KINDS = ImmutableList.<WatchedKind>builder()
      .addAll(ServedKinds.BUILT_IN)
      .add(
          queueKind("ResourceFlavor", "resourceflavors", false),
          queueKind("AdmissionCheck", "admissionchecks", false),
          queueKind("ClusterQueue", "clusterqueues", false),
          queueKind("LocalQueue", "localqueues", true),
          queueKind("WorkloadPriorityClass", "workloadpriorityclasses", false))
      .build();
  private static final WatchedKind WORKLOADS = queueKind("Workload", "workloads", true);

  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot},
       spec: {nodeLabels: {cloud: spot}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: fixed},
       spec: {nodeLabels: {cloud: fixed}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 100}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
       spec: {controllerName: example.com/budget},
       status: {conditions: [{type: Active, status: "True", reason: Active, message: "", lastTransitionTime: "2026-01-31T12:00:00Z"}]}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: spot, resources: [{name: cpu, nominalQuota: 2}]}
          - {name: fixed, resources: [{name: cpu, nominalQuota: 2}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: checked}
      spec:
        namespaceSelector: {}
        admissionChecksStrategy: {admissionChecks: [{name: budget}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: research, namespace: default},
       spec: {clusterQueue: research}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: checked, namespace: default},
       spec: {clusterQueue: checked}}
      """;

  private ApiServer server;
  private KubernetesClient client;

  private static WatchedKind queueKind(String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        "kueue.x-k8s.io", "v1beta2", kind, plural, namespaced, GenericKubernetesResource.class);
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.ofItsOwn();
    KINDS.stream().filter(kind -> !ServedKinds.BUILT_IN.contains(kind)).forEach(server::serve);
    server.serve(WORKLOADS);
    client = server.client();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private void create(String yaml) {
    for (Manifest manifest :
        ManifestReader.create().read(ManifestSource.of("x", yaml)).items()) {
      GenericKubernetesResource object = manifest.as(GenericKubernetesResource.class);
      WatchedKind kind = KINDS.stream()
          .filter(known -> known.isOf(ObjectKey.of(object)))
          .findFirst()
          .orElseThrow();
      Resource<GenericKubernetesResource> created = kind.namespaced()
          ? client
              .genericKubernetesResources(kind.context())
              .inNamespace(manifest.namespace().orElseThrow())
              .resource(object)
          : client.genericKubernetesResources(kind.context()).resource(object);
      GenericKubernetesResource stored = created.create();
      if (object.getAdditionalProperties().get("status") != null) {
        stored.setAdditionalProperty("status", object.getAdditionalProperties().get("status"));
        GenericKubernetesResource unused =
            client.genericKubernetesResources(kind.context()).resource(stored).updateStatus();
      }
    }
  }

  private void createJob(String name, String queue, int cores, String labels) {
    String job = """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s%s}}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: i, resources: {requests: {cpu: %d}}}]
        """.formatted(name, queue, labels, cores);
    Job unused = client
        .resource(ManifestReader.create()
            .read(ManifestSource.of("x", job))
            .items()
            .get(0)
            .as(Job.class))
        .create();
  }

  private static void await(String what, Callable<Boolean> condition) {
    Instant end = Instant.now().plus(DEADLINE);
    try {
      while (!condition.call()) {
        assertThat(Instant.now()).as("deadline for: %s", what).isBefore(end);
        Thread.sleep(20);
      }
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }

  private static void awaitState(Controller controller, String job, JobState state) {
    await(
        job + " becomes " + state,
        () -> controller
            .view()
            .filter(view -> view.jobs().stream()
                .anyMatch(known -> known.name().equals(job) && known.state() == state))
            .isPresent());
  }

  private void complete(String name) {
    await("end of " + name, () -> {
      try {
        Job job =
            client.batch().v1().jobs().inNamespace("default").withName(name).get();
        Job unused = client.resource(Statuses.completed(job, Instant.now())).updateStatus();
        return true;
      } catch (KubernetesClientException e) {
        assertThat(e.getCode()).isEqualTo(409);
        return false;
      }
    });
  }

  /** Jobs that run on either flavor, wait, were preempted, and have finished. */
  private ControllerView play() throws Exception {
    create(QUEUES);
    try (KubernetesClient own = server.client();
        Controller controller = Controller.builder(own)
            .options(ControllerOptions.defaults())
            .kinds(KINDS)
            .lease(new LeaseName("default", "kueue4j", "one"))
            .port(0)
            .build()) {
      CompletableFuture<Void> run = CompletableFuture.runAsync(
          () -> {
            try {
              controller.run();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          },
          task -> new Thread(task, "controller").start());
      createJob("finished", "research", 2, "");
      awaitState(controller, "finished", JobState.ADMITTED);
      createJob("on-fixed", "research", 2, "");
      awaitState(controller, "on-fixed", JobState.ADMITTED);
      complete("finished");
      awaitState(controller, "finished", JobState.FINISHED);
      createJob("preempted", "research", 2, "");
      awaitState(controller, "preempted", JobState.ADMITTED);
      createJob("urgent", "research", 2, ", kueue.x-k8s.io/priority-class: high");
      awaitState(controller, "urgent", JobState.ADMITTED);
      createJob("waiting", "research", 1, "");
      awaitState(controller, "waiting", JobState.PENDING);
      ControllerView view = controller.view().orElseThrow();
      await("the end", () -> controller.stop(DEADLINE));
      run.join();
      return view;
    }
  }

  private static Phase admit(Manifests manifests) {
    Simulation simulation =
        Simulation.of(manifests, Settings.defaults(), false, new RecordedNotes());
    simulation.jobs().forEach(simulation::create);
    return simulation.phase("all");
  }

  private static Map<String, String> states(Phase phase) {
    Map<String, String> states = new TreeMap<>();
    for (JobReport job : phase.jobs()) {
      boolean reserved =
          job.status().toString().equals("Admitted") && !job.reasons().isEmpty();
      states.put(job.job().name(), reserved ? "Reserved" : job.status().toString());
    }
    return states;
  }

  @Test
  void theEngineAgreesWithTheControllerOnEveryJob() throws Exception {
    ControllerView view = play();
    Map<String, String> expected = new TreeMap<>();
    view.jobs().forEach(job -> expected.put(job.name(), job.state().toString()));
    assertThat(expected.values()).contains("Finished", "Admitted", "Pending").hasSize(5);

    LiveCluster.Listing listing = server.hasUsers()
        ? LiveCluster.list(client, JobKinds.all(), "kueue-system")
        : LiveCluster.list(
            client,
            ImmutableList.<WatchedKind>builder().addAll(KINDS).add(WORKLOADS).build(),
            "kueue-system");
    assertThat(listing.refused()).isEmpty();
    Manifests live = ManifestFiles.read(listing.objects(), ImmutableList.of()).manifests();
    ClusterSnapshot snapshot = ClusterSnapshot.of(ClusterObjects.of(live, new RecordedNotes()));

    for (String text : ImmutableList.of(snapshot.toYaml(), snapshot.toJson())) {
      Phase phase = admit(ManifestReader.create().read(ManifestSource.of("snapshot", text)));
      assertThat(states(phase)).isEqualTo(expected);
      assertThat(phase.events()).isEmpty();
      assertThat(phase.job("on-fixed").orElseThrow().podSets().get(0).flavors())
          .containsEntry("cpu", "fixed");
    }
    assertThat(states(admit(live))).isEqualTo(expected);
    Phase hashed = admit(ManifestReader.create()
        .read(ManifestSource.of("hashed", snapshot.withHashedNames("salt").toYaml())));
    assertThat(states(hashed).values()).containsExactlyInAnyOrderElementsOf(expected.values());
    assertThat(hashed.events()).isEmpty();
  }

  @Test
  void whatTheClusterRefusesIsNamed() {
    server.forbid(request -> request.equals("GET clusterqueues"));
    try (KubernetesClient user = server.clientAs("guest")) {
      LiveCluster.Listing listing = LiveCluster.list(user, KINDS, "kueue-system");
      assertThat(listing.refused()).contains("list clusterqueues.kueue.x-k8s.io");
      assertThat(listing.objects().isEmpty()).isEqualTo(server.hasUsers());
    }
  }
}
