package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.cli.LiveCluster;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.snapshot.ClusterSnapshot;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of a cluster leads to the state that its controller has brought about. */
class LiveClusterTest {
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

  private LiveScene scene;

  @BeforeEach
  void start() throws IOException {
    scene = LiveScene.start();
  }

  @AfterEach
  void close() throws IOException {
    scene.close();
  }

  private void createJob(String name, String queue, int cores, String labels) {
    scene.create("""
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s%s}}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: i, resources: {requests: {cpu: "%d"}}}]
        """.formatted(name, queue, labels, cores));
  }

  private void complete(String name) {
    scene.setStatus(
        scene.client().batch().v1().jobs().inNamespace("default").withName(name),
        job -> Statuses.completed(job, Instant.now()));
  }

  /** Jobs that run on either flavor, wait, were preempted, and have finished. */
  private ControllerView play() throws Exception {
    scene.create(QUEUES);
    return scene.play(controller -> {
      createJob("finished", "research", 2, "");
      controller.awaitState("finished", JobState.ADMITTED);
      createJob("on-fixed", "research", 2, "");
      controller.awaitState("on-fixed", JobState.ADMITTED);
      complete("finished");
      controller.awaitState("finished", JobState.FINISHED);
      createJob("preempted", "research", 2, "");
      controller.awaitState("preempted", JobState.ADMITTED);
      createJob("urgent", "research", 2, ", kueue.x-k8s.io/priority-class: high");
      controller.awaitState("urgent", JobState.ADMITTED);
      createJob("waiting", "research", 1, "");
      controller.awaitState("waiting", JobState.PENDING);
    });
  }

  @Test
  void theEngineAgreesWithTheControllerOnEveryJob() throws Exception {
    ControllerView view = play();
    Map<String, String> expected = new TreeMap<>();
    view.jobs().forEach(job -> expected.put(job.name(), job.state().toString()));
    assertThat(expected.values()).contains("Finished", "Admitted", "Pending").hasSize(5);

    Manifests live = scene.read();
    ClusterSnapshot snapshot = ClusterSnapshot.of(ClusterObjects.of(live, Settings.defaults()));

    for (String text : ImmutableList.of(snapshot.toYaml(), snapshot.toJson())) {
      Phase phase =
          LiveScene.admit(ManifestReader.create().read(ManifestSource.of("snapshot", text)));
      assertThat(LiveScene.states(phase)).isEqualTo(expected);
      assertThat(phase.events()).isEmpty();
      assertThat(phase.job("on-fixed").orElseThrow().podSets().get(0).flavors())
          .containsEntry("cpu", "fixed");
    }
    assertThat(LiveScene.states(LiveScene.admit(live))).isEqualTo(expected);
    Phase hashed = LiveScene.admit(ManifestReader.create()
        .read(ManifestSource.of("hashed", snapshot.withHashedNames("salt").toYaml())));
    assertThat(LiveScene.states(hashed).values())
        .containsExactlyInAnyOrderElementsOf(expected.values());
    assertThat(hashed.events()).isEmpty();
  }

  @Test
  void whatTheClusterRefusesIsNamed() {
    scene.server().forbid(request -> request.equals("GET clusterqueues"));
    try (KubernetesClient user = scene.server().clientAs("guest")) {
      LiveCluster.Listing listing = LiveCluster.list(user, LiveScene.KINDS, "kueue-system");
      assertThat(listing.refused()).contains("list clusterqueues.kueue.x-k8s.io");
      assertThat(listing.objects().isEmpty()).isEqualTo(scene.server().hasUsers());
    }
  }
}
