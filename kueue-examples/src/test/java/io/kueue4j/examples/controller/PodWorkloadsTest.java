package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Event;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods whose admissions are recorded in Workload objects, and tenants who edit them. */
class PodWorkloadsTest {
  private final WorkloadScene workloads = new WorkloadScene();
  private final Scene scene = workloads.scene;
  private final PodScene pods = new PodScene(scene);

  @Test
  void aPodWhoseGateATenantRemovesIsDeleted() {
    scene.createJob("first", 3);
    scene.settle();
    pods.createPod("pod", 3, tree -> {});
    assertThat(pods.isGated("pod")).isTrue();
    pods.edit("pod", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("pod")).isEmpty();
    workloads.assertRunningIsCounted("first");
  }

  /** A group that is not complete is not queued, but its pods wait. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPodOfAnIncompleteGroupWithoutItsGateIsDeleted(boolean another) {
    pods.createMember("group", "pod", 1, 3);
    if (another) {
      pods.createMember("group", "other", 1, 3);
    }
    pods.edit("pod", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("pod")).isEmpty();
  }

  @Test
  void aPodBeyondTheAdmissionWithoutItsGateIsDeleted() {
    scene.createJob("first", 2);
    for (String name : ImmutableList.of("a", "b", "c")) {
      createServingPod(name, 1);
    }
    assertThat(pods.isGated("c")).isTrue();
    pods.edit("c", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("c")).isEmpty();
    assertThat(pods.find("a")).isPresent();
    assertThat(pods.find("b")).isPresent();
  }

  /** By its name and its owners, the Workload of the group is the one of the pod as well. */
  @Test
  void aPodThatTakesTheRecordOfItsGroupWithItStopsBoth() {
    pods.createMember("pod-a-00000", "a", 1, 2);
    pods.createMember("pod-a-00000", "b", 1, 2);
    assertThat(pods.isGated("a")).isFalse();
    pods.edit("a", tree -> PodScene.annotations(tree).remove(PodScene.GROUP_NAME));
    assertThat(scene.connection().events())
        .extracting(Event::getMessage)
        .contains("the recorded admission cannot be in force");
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.usedMillis()).isZero();
  }

  /** A tenant deletes the Workload of a group while no controller runs, and adds a pod to it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGroupWhoseWorkloadIsGoneDoesNotRunOnUncounted(boolean isMore) {
    pods.createMember("group", "a", 1, 2);
    pods.createMember("group", "b", 1, 2);
    assertThat(pods.isGated("a")).isFalse();
    ObjectKey workload = Scene.key("Workload", "default", "group");
    workloads.edit(
        workload,
        ApiWrite.Verb.REPLACE,
        tree -> Trees.child(tree, "metadata").remove("finalizers"));
    scene.cluster.delete(StrictCluster.USER, workload);
    if (isMore) {
      ObjectNode another =
          Objects.requireNonNull(scene.cluster.tree(Scene.key("Pod", "default", "b")));
      another.remove("status");
      another.putObject("metadata").put("name", "c").put("namespace", "default");
      PodScene.labels(another).put("kueue.x-k8s.io/queue-name", "queue");
      PodScene.annotations(another)
          .put(PodScene.GROUP_NAME, "group")
          .put("kueue.x-k8s.io/pod-group-total-count", "2");
      Trees.child(another, "spec")
          .putArray("schedulingGates")
          .addObject()
          .put("name", "kueue.x-k8s.io/admission");
      scene.cluster.create(StrictCluster.USER, Trees.toObject(another));
    }
    scene.restart();
    scene.settle();

    long running = scene.pods().stream()
        .filter(pod -> !pods.isGated(pod.getMetadata().getName()))
        .count();
    assertThat(scene.usedMillis()).isEqualTo(running * 1000);
  }

  @Test
  void aLargerPodOfAServiceWaits() {
    createServingPod("a", 1);
    createServingPod("b", 1);
    assertThat(pods.runs("b")).isTrue();
    pods.delete("b");
    createServingPod("c", 2);
    assertThat(pods.isGated("c")).isTrue();
    assertThat(pods.runs("a")).isTrue();
  }

  private void createServingPod(String name, int cpus) {
    pods.createPod(
        name,
        cpus,
        tree -> PodScene.annotations(tree)
            .put(PodScene.GROUP_NAME, "group")
            .put("kueue.x-k8s.io/pod-group-total-count", "2")
            .put("kueue.x-k8s.io/pod-group-serving", "true"));
  }
}
