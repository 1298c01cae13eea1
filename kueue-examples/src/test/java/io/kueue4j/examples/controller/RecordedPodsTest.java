package io.kueue4j.examples.controller;

import static io.kueue4j.examples.controller.PodScene.labels;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.snapshot.ClusterSnapshot;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Studies of a cluster find what runs by Workloads of pods: nothing that runs is admitted again, or
 * counted twice.
 */
class RecordedPodsTest {
  private static final String TEMPLATE =
      "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";
  private static final String PLACED = """
      {replicas: %d, template: {
        metadata: {annotations: {kueue.x-k8s.io/podset-unconstrained-topology: "true"}},
        spec: {schedulingGates: [{name: kueue.x-k8s.io/topology}],
          containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}""";

  private final Scene scene = Scene.create();
  private final PodScene pods = new PodScene(scene);

  private void createReplicas(ObjectNode set, int count) {
    for (int i = 0; i < count; i++) {
      pods.createPod(
          set.at("/metadata/name").asText() + "-" + i,
          1,
          PodScene.madeBy(set, set.at("/spec/template"), pod -> {}));
    }
  }

  /**
   * {@return the objects of the cluster; pods that may run are on a node}
   *
   * @param edit edits these pods
   */
  private Manifests dump(Consumer<ObjectNode> edit) {
    ObjectNode list = Trees.parse("{\"apiVersion\": \"v1\", \"kind\": \"List\"}");
    ArrayNode items = list.putArray("items");
    items.add(Trees.parse("""
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"},
         "status": {"allocatable": {"cpu": "64", "pods": "100"}}}
        """));
    items.add(Trees.parse("""
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
        """));
    for (ObjectKey key :
        scene.cluster.keys(key -> !key.kind().matches("Namespace|Secret|ReplicaSet"))) {
      ObjectNode tree = Objects.requireNonNull(scene.cluster.tree(key)).deepCopy();
      if (key.kind().equals("Pod")
          && !tree.path("status").path("phase").asText().equals("Failed")
          && !pods.isGated(key.name())) {
        JsonNode selected = tree.at("/spec/nodeSelector").path("kubernetes.io/hostname");
        Trees.child(tree, "spec").put("nodeName", selected.asText("node-1"));
        Trees.child(tree, "status").put("phase", "Running");
        edit.accept(tree);
      }
      items.add(tree);
    }
    return read(list.toString());
  }

  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("cluster", text));
  }

  /** {@return what the controller holds quota for, by workload} */
  private Map<WorkloadId, List<PodSetAssignment>> held() {
    Map<WorkloadId, List<PodSetAssignment>> held = new LinkedHashMap<>();
    scene.view().engine().clusterQueues().stream()
        .flatMap(queue -> queue.admitted().stream())
        .forEach(admission -> held.put(admission.workload(), admission.podSetAssignments()));
    return held;
  }

  private static Map<WorkloadId, List<PodSetAssignment>> held(Phase phase) {
    Map<WorkloadId, List<PodSetAssignment>> held = new LinkedHashMap<>();
    for (JobReport job : phase.jobs()) {
      if (job.status() == JobStatus.ADMITTED) {
        held.put(job.job().workload().id(), job.podSets());
      }
    }
    return held;
  }

  /** Checks that studies hold what the controller holds, and have so many other jobs that wait. */
  private void assertNothingChanges(int waiting) {
    Manifests live = dump(pod -> {});
    ClusterSnapshot snapshot = ClusterSnapshot.of(ClusterObjects.of(live, Settings.defaults()));
    for (Manifests state : List.of(live, read(snapshot.toYaml()), read(snapshot.toJson()))) {
      Phase phase = LiveScene.admit(state);
      assertThat(phase.events()).isEmpty();
      assertThat(held(phase)).isNotEmpty().containsExactlyInAnyOrderEntriesOf(held());
      assertThat(phase.jobs()).hasSize(held().size() + waiting);
    }
    assertThat(ManifestPlayer.of(live, Settings.defaults(), false).warnings()).isEmpty();
    Phase hashed = LiveScene.admit(read(snapshot.withHashedNames("salt").toYaml()));
    assertThat(hashed.events()).isEmpty();
    assertThat(held(hashed)).hasSameSizeAs(held());
    assertThat(hashed.jobs()).hasSize(held().size() + waiting);
  }

  @Test
  void aStatefulSetThatRunsKeepsItsQuota() {
    createReplicas(
        pods.createServing(
            "apps/v1", "StatefulSet", "db", "{replicas: 3, template: " + TEMPLATE + "}"),
        2);
    createReplicas(
        pods.createServing(
            "apps/v1", "StatefulSet", "next", "{replicas: 2, template: " + TEMPLATE + "}"),
        1);
    scene.createJob("last", 2);
    scene.settle();
    assertThat(pods.isGated("db-1")).isFalse();
    assertThat(pods.isGated("next-0")).isTrue();
    assertNothingChanges(2);
  }

  @Test
  void theGroupsOfALeaderWorkerSetThatRunKeepTheirQuota() {
    ObjectNode lws = pods.createServing(
        "leaderworkerset.x-k8s.io/v1",
        "LeaderWorkerSet",
        "lws",
        "{replicas: 3, leaderWorkerTemplate: {size: 2, leaderTemplate: " + TEMPLATE
            + ", workerTemplate: " + TEMPLATE + "}}");
    for (int group = 0; group < 3; group++) {
      for (int index = 0; index < 2; index++) {
        String groupIndex = Integer.toString(group);
        String workerIndex = Integer.toString(index);
        pods.createPod(
            "lws-" + group + "-" + index,
            1,
            PodScene.madeBy(
                lws,
                lws.at("/spec/leaderWorkerTemplate/"
                    + (index == 0 ? "leaderTemplate" : "workerTemplate")),
                pod -> labels(pod)
                    .put("leaderworkerset.sigs.k8s.io/name", "lws")
                    .put("leaderworkerset.sigs.k8s.io/group-index", groupIndex)
                    .put("leaderworkerset.sigs.k8s.io/worker-index", workerIndex)));
      }
    }
    assertThat(pods.names().stream().filter(Predicate.not(pods::isGated))).hasSize(4);
    assertNothingChanges(1);
  }

  @Test
  void thePodsOfADeploymentCountOnce() {
    ObjectNode deployment = pods.createServing(
        "apps/v1", "Deployment", "web", "{replicas: 6, template: " + TEMPLATE + "}");
    // Studies do not read it.
    ObjectNode replicaSet = pods.createServing("apps/v1", "ReplicaSet", "web-5d8c", "{}");
    for (int i = 0; i < 5; i++) {
      pods.createPod(
          "web-5d8c-" + i,
          1,
          PodScene.madeBy(
              replicaSet,
              deployment.at("/spec/template"),
              pod -> labels(pod).put("pod-template-hash", "5d8c")));
    }
    assertThat(pods.names().stream().filter(Predicate.not(pods::isGated))).hasSize(4);
    // The last pod is still to be created.
    assertNothingChanges(2);
  }

  @Test
  void aPodThatRunsKeepsItsQuota() {
    pods.createPod("alone", 3, pod -> {});
    pods.createPod("next", 2, pod -> {});
    assertThat(pods.isGated("alone")).isFalse();
    assertNothingChanges(1);
  }

  @Test
  void aGroupOfPodsThatRunsKeepsItsQuota() {
    pods.createMember("group", "a", 1, 3);
    pods.createMember("group", "b", 1, 3);
    pods.createMember("group", "c", 1, 3);
    pods.createMember("next", "d", 2, 1);
    assertThat(pods.isGated("c")).isFalse();
    assertNothingChanges(1);
  }

  @Test
  void aGroupOfWhichAPodHasFailedKeepsItsQuota() {
    pods.createMember("group", "a", 1, 2);
    pods.createMember("group", "b", 2, 2);
    pods.setPhase("b", "Failed");
    assertThat(pods.isGated("a")).isFalse();
    assertNothingChanges(0);
  }

  private void createNode(String name) {
    scene.cluster.create("admin", Trees.toObject(Trees.parse("""
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s",
              "labels": {"kubernetes.io/hostname": "%1$s", "pool": "placed", "zone": "a"}}}
            """.formatted(name))));
    scene.cluster.edit(
        "kubelet", ApiWrite.Verb.REPLACE_STATUS, Scene.key("Node", "", name), node -> {
          Trees.child(node, "status", "allocatable").put("cpu", "2").put("pods", "10");
          Trees.child(node, "status")
              .putArray("conditions")
              .addObject()
              .put("type", "Ready")
              .put("status", "True");
        });
  }

  @Test
  void podsKeepTheirPlacesAndCountOnceOnTheirNodes() {
    pods.create("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: Topology
        metadata: {name: hosts}
        spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
        """);
    pods.create("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: placed}
        spec: {nodeLabels: {pool: placed}, topologyName: hosts}
        """);
    createNode("host-1");
    createNode("host-2");
    scene.setQuota("placed", 8);
    ObjectNode set = pods.createServing("apps/v1", "StatefulSet", "db", PLACED.formatted(3));
    createReplicas(set, 3);
    assertThat(pods.names()).hasSize(3).noneMatch(pods::isGated);
    assertNothingChanges(0);
    // One CPU is left for jobs without pods so far.
    pods.createServing("apps/v1", "StatefulSet", "last", PLACED.formatted(1));
    pods.createServing("apps/v1", "StatefulSet", "more", PLACED.formatted(1));
    assertThat(LiveScene.admit(dump(pod -> {})).events())
        .extracting(event -> event.type() + " " + event.job().name())
        .containsExactly("Admitted last");
  }
}
