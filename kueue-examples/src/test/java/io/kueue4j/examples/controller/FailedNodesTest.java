package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failed nodes of jobs with placed pods. Rules: T-79, T-80, T-86. */
class FailedNodesTest {
  private static final String TOPOLOGY_GATE = "kueue.x-k8s.io/topology";
  private static final String HOST = "kubernetes.io/hostname";

  private final Scene scene = Scene.create();

  private void create(String yaml) {
    scene.cluster.create(
        StrictCluster.USER, Serialization.unmarshal(yaml, GenericKubernetesResource.class));
  }

  private void createNode(String name) {
    scene.cluster.create(
        StrictCluster.USER, Trees.toObject(Trees.parse("""
            {"apiVersion": "v1", "kind": "Node",
             "metadata": {"name": "%s", "labels": {"kubernetes.io/hostname": "%s", "pool": "tas"}}}
            """.formatted(name, name))));
    editNode(name, ApiWrite.Verb.REPLACE_STATUS, node -> {
      Trees.child(node, "status", "allocatable").put("cpu", "1").put("pods", "10");
      setReady(node, "True");
    });
  }

  private static void setReady(ObjectNode node, String status) {
    Trees.child(node, "status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", status);
  }

  private void editNode(String name, ApiWrite.Verb verb, Consumer<ObjectNode> change) {
    scene.cluster.edit("kubelet", verb, Scene.key("Node", "", name), change);
  }

  private void setReady(String name, String status) {
    editNode(name, ApiWrite.Verb.REPLACE_STATUS, node -> setReady(node, status));
    scene.settle();
  }

  private void deleteNode(String name) {
    scene.cluster.delete(StrictCluster.USER, Scene.key("Node", "", name));
    scene.settle();
  }

  private void createJob(int nodes) {
    create("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: Topology
        metadata: {name: hosts}
        spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
        """);
    create("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: tas}
        spec: {nodeLabels: {pool: tas}, topologyName: hosts}
        """);
    scene.setQuota("tas", 4);
    for (int i = 0; i < nodes; i++) {
      createNode("n" + i);
    }
    scene.createJob("job", 1, job -> {
      job.getSpec().setParallelism(2);
      job.getSpec().setCompletions(2);
      job.getSpec().getTemplate().getSpec().setNodeSelector(null);
      job.getSpec()
          .getTemplate()
          .getMetadata()
          .setAnnotations(Map.of("kueue.x-k8s.io/podset-unconstrained-topology", "true"));
    });
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
  }

  private static String host(Pod pod) {
    return Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.<String, String>of())
        .getOrDefault(HOST, "");
  }

  private List<String> livePlaces() {
    return scene.pods().stream()
        .filter(pod -> !JobParts.hasEnded(pod))
        .map(FailedNodesTest::host)
        .sorted()
        .toList();
  }

  private ImmutableList<String> recordedHosts() {
    ImmutableList.Builder<String> hosts = ImmutableList.builder();
    for (JsonNode slice :
        scene.record("job").at("/status/admission/podSetAssignments/0/topologyAssignment/slices")) {
      JsonNode levels = slice.path("valuesPerLevel");
      JsonNode values = levels.path(levels.size() - 1);
      if (values.has("universal")) {
        hosts.add(values.path("universal").asText());
      }
      values
          .at("/individual/roots")
          .forEach(root -> hosts.add(values.at("/individual/prefix").asText()
              + root.asText()
              + values.at("/individual/suffix").asText()));
    }
    return hosts.build();
  }

  /** The scheduler binds pods that have only one possible node. */
  private void bind() {
    for (Pod pod : scene.pods()) {
      if (pod.getSpec().getNodeName() == null && !host(pod).isEmpty()) {
        scene.cluster.bind(ObjectKey.of(pod), host(pod));
      }
    }
    scene.settle();
  }

  @Test
  void podsThatWaitForANodeThatIsGoneGoElsewhere() {
    createJob(3);
    assertThat(livePlaces()).containsExactly("n0", "n1");
    deleteNode("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n2");
    assertThat(livePlaces()).containsExactly("n0", "n2");
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.events("job")).doesNotContain("Stopped");
  }

  @Test
  void theNewPlaceIsWrittenDownBeforeAPodGoesThere() {
    createJob(3);
    int before = scene.log().size();
    deleteNode("n1");
    List<ApiWrite> writes = scene.log().subList(before, scene.log().size());
    int recorded = indexOf(
        writes,
        write -> write.key().kind().equals("Workload") && write.actor().equals("controller"));
    int placed = indexOf(
        writes,
        write -> write.key().kind().equals("Pod")
            && write
                .object()
                .at("/spec/nodeSelector/kubernetes.io~1hostname")
                .asText()
                .equals("n2"));
    assertThat(recorded).isNotNegative().isLessThan(placed);
  }

  private static int indexOf(List<ApiWrite> writes, Predicate<ApiWrite> wanted) {
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i).after() != null && wanted.test(writes.get(i))) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void withoutAnotherPlaceTheJobStopsAndWaits() {
    createJob(2);
    deleteNode("n1");
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
    assertThat(scene.events("job")).contains("Stopped");
    createNode("n3");
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
    assertThat(livePlaces()).containsExactly("n0", "n3");
  }

  @Test
  void podsOnANodeThatIsNotReadyAreWaitedFor() {
    createJob(3);
    bind();
    setReady("n1", "False");
    assertThat(recordedHosts()).containsExactly("n0", "n1");
    // The cluster deletes the pod after some time.
    deletePodsOf("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n2");
    assertThat(livePlaces()).containsExactly("n0", "n2");
  }

  @Test
  void aNodeThatIsReadyAgainInTimeChangesNothing() {
    createJob(3);
    bind();
    setReady("n1", "Unknown");
    setReady("n1", "True");
    assertThat(recordedHosts()).containsExactly("n0", "n1");
    assertThat(scene.writes("job")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatHasRecoveredDoesNotCountWithTheNextThatFails(boolean restarts) {
    scene.restart(ControllerOptions.defaults()
        .withSettings(Settings.builder()
            .putFeatureGates(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST, false)
            .build()));
    createJob(2);
    bind();
    setReady("n1", "False");
    deletePodsOf("n1");
    if (restarts) {
      scene.restart();
    }
    setReady("n1", "True");
    createNode("n3");
    deleteNode("n0");
    assertThat(recordedHosts()).containsExactly("n1", "n3");
    assertThat(scene.events("job")).doesNotContain("Stopped");
  }

  private void taint(String node, String effect) {
    editNode(
        node,
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "spec")
            .putArray("taints")
            .addObject()
            .put("key", "broken")
            .put("effect", effect));
    scene.settle();
  }

  private void deletePodsOf(String node) {
    scene.pods().stream()
        .filter(pod -> host(pod).equals(node))
        .forEach(pod -> scene.cluster.delete("node-controller", ObjectKey.of(pod)));
    scene.settle();
  }

  @Test
  void aTaintThatPodsDoNotTolerateCountsWhenNoneIsLeftThere() {
    createJob(3);
    bind();
    taint("n1", "NoSchedule");
    assertThat(recordedHosts()).containsExactly("n0", "n1");
    deletePodsOf("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n2");
  }

  @Test
  void aTaintThatOnlyAsksForOtherNodesDoesNotCount() {
    createJob(3);
    bind();
    taint("n1", "PreferNoSchedule");
    deletePodsOf("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n1");
  }

  @Test
  void aNodeThatDoesNotSayWhetherItIsReadyHasFailed() {
    createJob(3);
    bind();
    editNode(
        "n1",
        ApiWrite.Verb.REPLACE_STATUS,
        node -> Trees.child(node, "status").putArray("conditions"));
    scene.settle();
    assertThat(recordedHosts()).containsExactly("n0", "n2");
  }

  @Test
  void aPodThatIsBeingDeletedIsNotWaitedFor() {
    createJob(3);
    bind();
    setReady("n1", "False");
    for (Pod pod : scene.pods()) {
      if (host(pod).equals("n1")) {
        scene.cluster.edit(
            StrictCluster.USER,
            ApiWrite.Verb.REPLACE,
            ObjectKey.of(pod),
            tree -> Trees.child(tree, "metadata").putArray("finalizers").add("example.com/keep"));
      }
    }
    deletePodsOf("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n2");
  }

  @Test
  void aPodOnANodeThatIsGoneIsLeftToTheCluster() {
    createJob(3);
    bind();
    deleteNode("n1");
    assertThat(recordedHosts()).containsExactly("n0", "n2");
    assertThat(scene.pods())
        .filteredOn(pod -> host(pod).equals("n1"))
        .singleElement()
        .matches(pod -> !JobParts.hasEnded(pod) && !JobParts.isDeleted(pod));
  }

  @Test
  void twoNodesAtATimeStopTheJob() {
    createJob(4);
    scene.cluster.delete(StrictCluster.USER, Scene.key("Node", "", "n0"));
    deleteNode("n1");
    assertThat(scene.events("job")).contains("Stopped");
    assertThat(scene.runs("job")).isTrue();
    assertThat(livePlaces()).containsExactly("n2", "n3");
  }

  @Test
  void anotherControllerSeesWhatFailedMeanwhile() {
    createJob(3);
    scene.cluster.delete(StrictCluster.USER, Scene.key("Node", "", "n1"));
    scene.restart();
    scene.settle();
    assertThat(recordedHosts()).containsExactly("n0", "n2");
    assertThat(livePlaces()).containsExactly("n0", "n2");
  }

  @Test
  void podsCreatedAtPlacementWaitByTheGate() {
    createJob(2);
    assertThat(scene.pods())
        .allSatisfy(pod -> assertThat(pod.getSpec().getSchedulingGates())
            .noneMatch(gate -> gate.getName().equals(TOPOLOGY_GATE)));
  }
}
