package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quota that was given back once is not taken again by a record of before. */
class FormerRecordsTest {
  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  /** A group of two pods runs. */
  private void createGroup() {
    pods.createMember("group", "a", 2, 2);
    pods.createMember("group", "b", 2, 2);
    assertThat(pods.runs("a") && pods.runs("b")).isTrue();
  }

  private void createNext(int cpus) {
    scene.createJob("next", cpus);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void aFinishedGroupThatGetsAnotherPodWaitsForQuota() {
    createGroup();
    pods.setPhase("a", "Succeeded");
    pods.setPhase("b", "Succeeded");
    createNext(4);
    scene.cluster.delete(StrictCluster.USER, PodScene.key("a"));
    scene.restart();
    pods.createMember("group", "c", 2, 2);
    assertThat(scene.runs("next")).isTrue();
    assertThat(pods.isGated("c")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);

    scene.finish("next");
    scene.settle();
    assertThat(pods.runs("c")).isTrue();
    scene.restart();
    scene.settle();
    assertThat(pods.runs("c")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(2000);
  }

  /** Kueue keeps pods that have succeeded by a finalizer. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPodThatReplacesASucceededOneWaitsForQuota(boolean isUnanswered) {
    createGroup();
    if (isUnanswered) {
      scene.restart(new BeforeEachWrite(scene.connection(), () -> {
        throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
      }));
      pods.setPhase("a", "Succeeded");
      assertThat(scene.usedMillis()).isEqualTo(4000);
      scene.restart();
    }
    pods.setPhase("a", "Succeeded");
    createNext(2);
    pods.delete("a");
    pods.createMember("group", "c", 2, 2);
    scene.restart();
    scene.settle();

    assertThat(scene.runs("next")).isTrue();
    assertThat(pods.isGated("c")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aRecordWithoutOwnerIsOfNoUseWhenItGetsItsOwnerAgain() {
    scene.createJob("one", 4);
    scene.settle();
    ObjectKey workload = Scene.key(
        "Workload", "default", scene.workload("one").orElseThrow().getMetadata().getName());
    JsonNode owners = Objects.requireNonNull(scene.cluster.tree(workload))
        .at("/metadata/ownerReferences")
        .deepCopy();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        workload,
        tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    createNext(4);
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        workload,
        tree -> Trees.child(tree, "metadata").set("ownerReferences", owners));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aJobWhoseLastSliceIsGoneHoldsItsQuotaUntilItStops() {
    ElasticScene elastic = ElasticScene.running(2);
    Scene grown = elastic.scene;
    elastic.scale("elastic", 4);
    for (Pod pod : elastic.pods("elastic")) {
      edit(grown, PodScene.key(pod.getMetadata().getName()), "test/keep");
    }
    grown.createJob("next", 2);
    ObjectKey last = Scene.key(
        "Workload",
        "default",
        elastic.workloads("elastic").get(1).at("/metadata/name").asText());
    edit(grown, last);
    grown.cluster.delete(StrictCluster.USER, last);
    elastic.settle();
    assertThat(elastic.running("elastic")).isEqualTo(4);
    assertThat(grown.runs("next")).isFalse();

    elastic
        .pods("elastic")
        .forEach(pod -> edit(grown, PodScene.key(pod.getMetadata().getName())));
    elastic.settle();
    assertThat(elastic.running("elastic") + (grown.runs("next") ? 2L : 0L)).isBetween(2L, 4L);
  }

  /** A user sets the finalizers of an object. */
  private static void edit(Scene scene, ObjectKey key, String... finalizers) {
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, key, tree -> {
      var all = Trees.child(tree, "metadata").putArray("finalizers");
      for (String finalizer : finalizers) {
        all.add(finalizer);
      }
    });
  }
}
