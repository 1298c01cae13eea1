package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.ClusterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** News of one kind that come later than news of other kinds. */
class LateNewsTest {
  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  /** A Job is deleted as {@code kubectl delete --cascade=orphan} does, before its pods are seen. */
  @Test
  void podsThatAreSeenAfterTheEndOfTheirJobCount() {
    scene.createJob("left", 3);
    scene.work();
    scene.runPods();
    String uid = scene.job("left").getMetadata().getUid();
    ObjectKey pod = PodScene.key(pods.names().get(0));
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, pod, tree -> {
      Trees.child(tree, "metadata").remove("ownerReferences");
      PodScene.labels(tree).put("batch.kubernetes.io/controller-uid", uid);
    });
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "left"));
    Job next = scene.createJob("next", 3);
    List<ClusterEvent> late = new ArrayList<>();
    scene.work(event -> {
      if (!(event.object() instanceof Pod)) {
        return event;
      }
      late.add(event);
      return ClusterEvent.changed(next);
    });
    scene.clock.advance(Duration.ofSeconds(4));
    scene.work();
    late.forEach(scene.loop()::accept);
    scene.settle();
    assertThat(pods.find(pod.name())).isPresent();
    assertThat(scene.runs("next")).isFalse();
    scene.clock.advance(Duration.ofSeconds(1));
    pods.setPhase(pod.name(), "Succeeded");
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void theQuotaOfAJobThatNeverHadPodsIsFreeAfterFiveSeconds() {
    scene.createJob("left", 3);
    scene.work();
    assertThat(scene.runs("left")).isTrue();
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "left"));
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
    scene.clock.advance(Duration.ofSeconds(5));
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
  }
}
