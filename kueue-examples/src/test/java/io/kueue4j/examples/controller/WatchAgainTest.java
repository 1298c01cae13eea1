package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.state.JobState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events of an informer that had to list again: it knows only the names of deleted objects. */
final class WatchAgainTest {
  private final Scene scene = Scene.create();

  private static ClusterEvent byName(ClusterEvent event) {
    return event.isDeleted() && event.object() instanceof Pod pod
        ? ClusterEvent.deleted(new PodBuilder()
            .withNewMetadata()
            .withNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .withResourceVersion(pod.getMetadata().getResourceVersion())
            .endMetadata()
            .build())
        : event;
  }

  @Test
  void aRemovedPodOfWhichOnlyTheNameIsKnownLetsItsJobStop() {
    scene.createJob("low", 4);
    scene.settle();
    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.work();
    scene.cluster.edit(
        JobSimulator.ACTOR,
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("Job", "default", "low"),
        job -> Trees.child(job, "status").remove(List.of("active", "ready")));
    scene.work();
    assertThat(scene.state("low")).isEqualTo(JobState.STOPPING);

    scene.cluster.delete(JobSimulator.ACTOR, scene.pods().get(0));
    scene.work(WatchAgainTest::byName);

    assertThat(scene.state("low")).isEqualTo(JobState.PENDING);
    assertThat(scene.runs("high")).isTrue();
  }
}
