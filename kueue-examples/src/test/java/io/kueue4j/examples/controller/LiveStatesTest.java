package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.snapshot.ClusterSnapshot;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot agrees with the controller on jobs of every kind in every state. */
class LiveStatesTest {
  private static final String TEMPLATE = """
      {metadata: {labels: {app: a}}, spec: {restartPolicy: Never, containers: [
        {name: main, image: i, resources: {requests: {cpu: "1"}}}]}}""";

  private LiveScene scene;

  @BeforeEach
  void start() throws IOException {
    scene = LiveScene.start();
  }

  @AfterEach
  void close() throws IOException {
    scene.close();
  }

  /** A ClusterQueue with its LocalQueue, and so many cores of a flavor. */
  private void createQueue(String name, String flavor, int cores) {
    scene.create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec:
          namespaceSelector: {}
          preemption: {withinClusterQueue: LowerPriority}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: %2$s, resources: [{name: cpu, nominalQuota: %3$d}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: default}
        spec: {clusterQueue: %1$s}
        """.formatted(name, flavor, cores));
  }

  private void createConfiguration() {
    scene.create("""
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: racks},
         spec: {levels: [{nodeLabel: example.com/rack}, {nodeLabel: kubernetes.io/hostname}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot},
         spec: {nodeLabels: {cloud: spot}}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: placed},
         spec: {nodeLabels: {cloud: placed}, topologyName: racks}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 100}
        """);
    for (int i = 1; i <= 4; i++) {
      scene.create("""
          apiVersion: v1
          kind: Node
          metadata:
            name: node-%1$d
            labels: {cloud: placed, example.com/rack: rack-%2$d, kubernetes.io/hostname: node-%1$d}
          status:
            allocatable: {cpu: 2, pods: 10}
            conditions: [{type: Ready, status: "True"}]
          """.formatted(i, i / 3));
      // A real server marks new nodes as not ready.
      scene
          .client()
          .nodes()
          .withName("node-" + i)
          .edit(node ->
              new NodeBuilder(node).editOrNewSpec().withTaints().endSpec().build());
    }
    createQueue("wide", "spot", 20);
    createQueue("narrow", "spot", 2);
    createQueue("racks", "placed", 8);
  }

  private void createJob(String name, String queue, int pods, String labels, String annotations) {
    createJob(name, queue, pods, labels, annotations, TEMPLATE);
  }

  private void createJob(
      String name, String queue, int pods, String labels, String annotations, String template) {
    scene.create("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %1$s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: %2$s%4$s}
          annotations: {%5$s}
          %7$s
        spec:
          suspend: true
          parallelism: %3$d
          completions: %3$d
          template: %6$s
        """.formatted(
            name,
            queue,
            pods,
            labels,
            annotations,
            template,
            name.equals("deleted") ? "finalizers: [example.com/keep]" : ""));
  }

  private Resource<Job> job(String name) {
    return scene.client().batch().v1().jobs().inNamespace("default").withName(name);
  }

  /** Stops a job, as {@code kueuectl stop workload} does. */
  private void deactivate(String name) {
    var workloads = scene
        .client()
        .genericKubernetesResources(ServedKinds.WORKLOAD.context())
        .inNamespace("default");
    for (GenericKubernetesResource workload : workloads.list().getItems()) {
      if (workload.getMetadata().getName().startsWith("job-" + name + "-")) {
        var unused =
            workloads.resource(WorkloadObjects.withActive(workload, false)).update();
      }
    }
  }

  private void createPod(String name, String labels, String annotations) {
    scene.create("""
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: wide, kueue.x-k8s.io/managed: "true"%s}
          annotations: {%s}
        spec:
          restartPolicy: Never
          schedulingGates: [{name: kueue.x-k8s.io/admission}]
          containers: [{name: main, image: i, resources: {requests: {cpu: "1"}}}]
        """.formatted(name, labels, annotations));
  }

  private void setPods(String name, int active, int ready) {
    scene.setStatus(
        job(name),
        job -> new JobBuilder(job)
            .withStatus(new JobStatusBuilder(job.getStatus())
                .withStartTime(Instant.now().toString())
                .withActive(active)
                .withReady(ready)
                .build())
            .build());
  }

  private void fail(String name) {
    scene.setStatus(
        job(name),
        job -> new JobBuilder(Statuses.completed(job, Instant.now()))
            .editStatus()
            .withCompletionTime(null)
            .withConditions()
            .addNewCondition()
            .withType("FailureTarget")
            .withStatus("True")
            .withReason("BackoffLimitExceeded")
            .withLastTransitionTime(Instant.now().toString())
            .endCondition()
            .addNewCondition()
            .withType("Failed")
            .withStatus("True")
            .withReason("BackoffLimitExceeded")
            .withLastTransitionTime(Instant.now().toString())
            .endCondition()
            .endStatus()
            .build());
  }

  private void createPodOf(String job) {
    scene.create("""
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s-0
          namespace: default
          finalizers: [example.com/keep]
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: %1$s, uid: %2$s, controller: true}
        spec:
          restartPolicy: Never
          nodeSelector: {cloud: spot}
          containers: [{name: main, image: i, resources: {requests: {cpu: "1"}}}]
        """.formatted(job, job(job).get().getMetadata().getUid()));
  }

  private ControllerView play() throws Exception {
    createConfiguration();
    String group = ", kueue.x-k8s.io/pod-group-name: group";
    String size = "kueue.x-k8s.io/pod-group-total-count: \"2\"";
    String placed = TEMPLATE.replace(
        "{labels: {app: a}}",
        "{labels: {app: a}, annotations: {kueue.x-k8s.io/podset-required-topology: example.com/rack}}");
    return scene.play(controller -> {
      for (String name : ImmutableList.of("succeeded", "failed", "deleted")) {
        createJob(name, "wide", 1, "", "");
        controller.awaitState(name, JobState.ADMITTED);
      }
      scene.setStatus(job("succeeded"), job -> Statuses.completed(job, Instant.now()));
      controller.awaitState("succeeded", JobState.FINISHED);
      setPods("failed", 1, 1);
      fail("failed");
      controller.awaitState("failed", JobState.FINISHED);
      createJob("some-ready", "wide", 3, "", "");
      controller.awaitState("some-ready", JobState.ADMITTED);
      setPods("some-ready", 3, 1);
      createJob("elastic", "wide", 2, "", "kueue.x-k8s.io/elastic-job: \"true\"");
      controller.awaitState("elastic", JobState.ADMITTED);
      createJob("inactive", "wide", 1, "", "");
      controller.awaitState("inactive", JobState.ADMITTED);
      deactivate("inactive");
      controller.awaitState("inactive", JobState.PENDING);
      createPod("plain", "", "");
      controller.awaitState("plain", JobState.ADMITTED);
      createPod("member-0", group, size);
      createPod("member-1", group, size);
      controller.awaitState("group", JobState.ADMITTED);
      createJob("placed", "racks", 3, "", "", placed);
      controller.awaitState("placed", JobState.ADMITTED);
      createJob("unplaced", "racks", 3, "", "", placed.replace("\"1\"", "\"2\""));
      controller.awaitState("unplaced", JobState.PENDING);
      createJob("stopping", "narrow", 2, "", "");
      controller.awaitState("stopping", JobState.ADMITTED);
      createPodOf("stopping");
      setPods("stopping", 1, 1);
      createJob("urgent", "narrow", 2, ", kueue.x-k8s.io/priority-class: high", "");
      controller.awaitState("stopping", JobState.STOPPING);
      controller.awaitState("urgent", JobState.PENDING);
      List<StatusDetails> unused = job("deleted").delete();
    });
  }

  /** {@return what waits for the pods of others to stop: in a study these stop at once} */
  private static Map<String, String> stopped(Map<String, String> states) {
    Map<String, String> after = new TreeMap<>(states);
    assertThat(after.put("stopping", "Pending")).isEqualTo("Stopping");
    assertThat(after.put("urgent", "Admitted")).isEqualTo("Pending");
    return after;
  }

  @Test
  void everyJobIsAsItsControllerSays() throws Exception {
    ControllerView view = play();
    Map<String, String> controlled = new TreeMap<>();
    view.jobs().forEach(job -> controlled.put(job.name(), job.state().toString()));
    assertThat(controlled).hasSize(12);
    Map<String, String> expected = stopped(controlled);

    Manifests live = scene.read();
    ClusterSnapshot snapshot = ClusterSnapshot.of(ClusterObjects.of(live, Settings.defaults()));
    for (String text : ImmutableList.of(snapshot.toYaml(), snapshot.toJson())) {
      Phase phase =
          LiveScene.admit(ManifestReader.create().read(ManifestSource.of("snapshot", text)));
      assertThat(LiveScene.states(phase)).isEqualTo(expected);
      assertUnchanged(phase, view);
    }
    Phase phase = LiveScene.admit(live);
    assertThat(LiveScene.states(phase)).isEqualTo(expected);
    assertUnchanged(phase, view);
    Phase hashed = LiveScene.admit(ManifestReader.create()
        .read(ManifestSource.of("hashed", snapshot.withHashedNames("salt").toYaml())));
    assertThat(LiveScene.states(hashed).values())
        .containsExactlyInAnyOrderElementsOf(expected.values());
  }

  /** What runs keeps its flavors and places, and nothing happens but the start of one job. */
  private static void assertUnchanged(Phase phase, ControllerView view) {
    assertThat(phase.events())
        .extracting(event -> event.type() + " " + event.job().name())
        .containsExactly("Admitted urgent");
    AdmissionEngine engine = view.engine().whatIf();
    for (JobReport job : phase.jobs()) {
      if (job.status() == JobStatus.ADMITTED && !job.job().isCalled("urgent")) {
        assertThat(job.podSets())
            .as(job.job().name())
            .isEqualTo(
                engine.admission(job.job().workload().id()).orElseThrow().podSetAssignments());
      }
    }
    assertThat(phase.job("placed").orElseThrow().podSets().get(0).topologyAssignment())
        .isPresent();
  }

  @Test
  void everyWorkloadIsAsKueueHasWrittenIt() {
    createConfiguration();
    scene.create("""
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
         spec: {controllerName: example.com/budget},
         status: {conditions: [{type: Active, status: "True", reason: Active, message: "", lastTransitionTime: "2026-01-31T12:00:00Z"}]}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: checked}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: budget}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 20}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: checked, namespace: default}
        spec: {clusterQueue: checked}
        """);
    Map<String, String> expected = new TreeMap<>();
    KueueWorkloads.byState().forEach((state, yaml) -> {
      scene.create(yaml);
      expected.put(yaml.replaceFirst("(?s).*?name: job-([a-z-]+)-abcde.*", "$1"), state);
    });
    // There is room: what may start does, and what has to stop starts again.
    expected.put("untouched", "Admitted");
    assertThat(expected.put("preempted", "Admitted")).isEqualTo("Stopping");

    Manifests live = scene.read();
    String snapshot =
        ClusterSnapshot.of(ClusterObjects.of(live, Settings.defaults())).toYaml();
    for (Manifests manifests : ImmutableList.of(
        live, ManifestReader.create().read(ManifestSource.of("snapshot", snapshot)))) {
      Phase phase = LiveScene.admit(manifests);
      assertThat(LiveScene.states(phase)).isEqualTo(expected);
      assertThat(phase.events())
          .extracting(event -> event.type() + " " + event.job().name())
          .containsExactlyInAnyOrder("Admitted untouched", "Admitted preempted");
      assertThat(phase
              .job("placed")
              .orElseThrow()
              .podSets()
              .get(0)
              .topologyAssignment()
              .orElseThrow()
              .domains())
          .extracting(domain -> domain.values().get(0))
          .containsExactly("node-1", "node-2");
    }
  }
}
