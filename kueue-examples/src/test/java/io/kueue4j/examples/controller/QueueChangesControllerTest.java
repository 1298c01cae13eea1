package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose queue is deleted, broken, stopped or drained, and comes back. */
final class QueueChangesControllerTest {
  private final Scene scene = Scene.create();

  @Test
  void aQueueThatIsDeletedLetsGoOnWhatRunsAndNothingElse() {
    scene.createJob("one", 2);
    scene.settle();
    scene.deleteClusterQueue();
    scene.createJob("two", 2);
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.view().problems().toString())
        .contains("ClusterQueue research", "still needed");

    scene.createClusterQueue();
    scene.settle();
    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.view().problems()).isEmpty();
  }

  @Test
  void anUnusedQueueIsGone() {
    scene.createJob("one", 2);
    scene.settle();
    scene.deleteClusterQueue();
    scene.settle();
    scene.finish("one");
    scene.settle();
    scene.work();

    assertThat(scene.view().engine().clusterQueues()).isEmpty();
    assertThat(scene.view().problems()).isEmpty();
  }

  @Test
  void whatRunsWithoutItsQueueIsCountedAgainWhenThatComesBack() {
    scene.createJob("one", 3);
    scene.settle();
    scene.deleteClusterQueue();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    scene.createJob("two", 3);
    scene.createClusterQueue();
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.writes("one")).isEqualTo(1);
  }

  @Test
  void aBrokenQueueIsNotAppliedAndSaidSo() {
    scene.editQueue("resourceGroups", List.of(Map.of("coveredResources", "cpu")));
    scene.createJob("one", 2);
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.view().problems()).containsOnlyKeys("ClusterQueue research");
  }

  @Test
  void aDrainedQueueStopsWhatRunsUntilItIsOpenedAgain() {
    scene.createJob("one", 2);
    scene.settle();
    scene.editQueue("stopPolicy", "HoldAndDrain");
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.pods()).isEmpty();

    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();

    scene.editQueue("stopPolicy", "None");
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void whatAQueueStopsIsStoppedWhateverElseIsReportedMeanwhile() {
    Scene scene = new Scene(ControllerOptions.defaults()
        .withSettings(Settings.builder().podsReady(PodsReadyPolicy.defaults()).build()));
    String queue = """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
         "metadata": {"name": "other", "namespace": "default"},
         "spec": {"clusterQueue": "research"}}
        """;
    scene.cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(queue)));
    scene.createJob("one", 2);
    scene.createJob("two", 2, Scene.withLabel("kueue.x-k8s.io/queue-name", "other"));
    scene.settle();
    assertThat(scene.runs("two")).isTrue();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("kueue.x-k8s.io", "LocalQueue", "default", "other"),
        tree -> Trees.child(tree, "spec").put("stopPolicy", "HoldAndDrain"));
    // An event of one job makes the controller call the engine, whose decisions concern all jobs.
    scene.edit("one", job -> job.getMetadata().getLabels().put("a", "b"));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
  }
}
