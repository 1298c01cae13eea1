package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What names a queue does not run without an admission. */
class UnadmittedJobsTest {
  @Test
  void aJobThatViolatesRulesIsSuspended() {
    Scene scene = Scene.create();
    scene.createJob("invalid", 9, job -> {
      job.getMetadata()
          .setAnnotations(new HashMap<>(Map.of("kueue.x-k8s.io/job-min-parallelism", "none")));
      job.getSpec().setSuspend(false);
    });
    scene.settle();
    assertThat(scene.state("invalid")).isEqualTo(JobState.INVALID);
    assertThat(scene.job("invalid").getSpec().getSuspend()).isTrue();
    assertThat(scene.pods()).isEmpty();
  }

  @Test
  void aQueuedPodWhoseGateIsRemovedIsDeleted() {
    Scene scene = Scene.create();
    PodScene pods = new PodScene(scene);
    pods.createPod("pod", 9, tree -> {});
    assertThat(pods.isGated("pod")).isTrue();
    pods.edit("pod", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("pod")).isEmpty();
  }

  @Test
  void aQueuedPodWhoseGateIsRemovedIsDeletedByTheNext() {
    Scene scene = Scene.create();
    PodScene pods = new PodScene(scene);
    pods.createPod("pod", 9, tree -> {});
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        PodScene.key("pod"),
        tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    scene.restart();
    scene.settle();
    assertThat(pods.find("pod")).isEmpty();
  }

  @Test
  void aQueuedGroupOfWhichATenantRemovesAGateDoesNotRun() {
    Scene scene = Scene.create();
    PodScene pods = new PodScene(scene);
    pods.createMember("group", "a", 9, 2);
    pods.createMember("group", "b", 9, 2);
    pods.edit("a", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("a")).isEmpty();
    assertThat(pods.isGated("b")).isTrue();
  }

  @Test
  void aQueuedPodWhoseWorkloadWasTakenAwayAsWellIsDeleted() {
    Scene scene = Scene.create();
    PodScene pods = new PodScene(scene);
    pods.createPod("pod", 9, tree -> {});
    for (ObjectNode workload : scene.cluster.trees("Workload")) {
      scene.cluster.edit(
          StrictCluster.USER,
          ApiWrite.Verb.REPLACE,
          ObjectKey.of(workload),
          tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    }
    scene.settle();
    assertThat(pods.isGated("pod")).isTrue();
    pods.edit("pod", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.find("pod")).isEmpty();
  }

  @Test
  void aPodWhoseWorkloadLostItsOwnerIsDeletedByTheNext() {
    Scene scene = Scene.create();
    PodScene pods = new PodScene(scene);
    pods.createPod("pod", 2, tree -> {});
    assertThat(pods.isGated("pod")).isFalse();
    for (ObjectNode workload : scene.cluster.trees("Workload")) {
      scene.cluster.edit(
          StrictCluster.USER,
          ApiWrite.Verb.REPLACE,
          ObjectKey.of(workload),
          tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    }
    scene.restart();
    scene.settle();
    assertThat(pods.find("pod")).isEmpty();
  }
}
