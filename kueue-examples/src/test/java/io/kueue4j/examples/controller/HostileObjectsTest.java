package io.kueue4j.examples.controller;

import static com.google.common.base.Preconditions.checkState;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a tenant writes, the controller goes on with the jobs of others. */
class HostileObjectsTest {
  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  private void change(ObjectKey key, Consumer<ObjectNode> change) {
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, key, change);
  }

  private void assertOthersStart() {
    scene.createJob("other", 1);
    scene.settle();
    assertThat(scene.runs("other")).isTrue();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("other")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"before\": {\"podSets\": [{\"name\": \"main\", \"labels\": {\"app\": 1}}]}}",
        "{\"before\": {\"podSets\": [{\"name\": \"main\", \"tolerations\": [null]}]}}",
        "{\"before\": {\"podSets\": [], \"present\": [1]}}",
        "{\"before\": {\"podSets\": [], \"fields\": {\"field\": null}}}"
      })
  void anOriginalFormThatIsNoneEndsNothing(String original) {
    scene.createJob("job", 1);
    scene.settle();
    ObjectKey workload =
        scene.cluster.keys(key -> key.kind().equals("Workload")).get(0);

    change(workload, tree -> PodScene.annotations(tree).put("kueue4j.io/original", original));
    scene.settle();

    assertOthersStart();
  }

  @Test
  void aWorkloadOfAnotherShapeEndsNothing() {
    scene.createJob("job", 1);
    scene.settle();
    ObjectKey workload =
        scene.cluster.keys(key -> key.kind().equals("Workload")).get(0);

    change(workload, tree -> Trees.child(tree, "spec").put("podSets", 1.5));
    scene.settle();

    assertOthersStart();
  }

  @Test
  void ownersInACircleEndNothing() {
    scene.createJob("left", 3);
    scene.settle();
    Job circle = scene.createJob("circle", 0, job -> {
      job.getMetadata().setLabels(Map.of());
      job.getSpec().setSuspend(false);
      job.getSpec().setParallelism(0);
    });
    scene.edit("circle", job -> UnqueuedJobsTest.own(circle, job));
    String pod = scene.pods().get(0).getMetadata().getName();

    change(
        PodScene.key(pod),
        tree -> ((ObjectNode) tree.at("/metadata/ownerReferences/0"))
            .put("name", "circle")
            .put("uid", circle.getMetadata().getUid()));
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "left"));
    scene.settle();

    assertOthersStart();
  }

  @Test
  void aDefectOfWhatIsWrittenBehindEndsNothing() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T create(T object) {
        checkState(!object.getMetadata().getName().startsWith("job-waits-"), "a defect");
        return super.create(object);
      }
    });
    scene.createJob("waits", 100);
    scene.settle();
    assertThat(scene.view("waits").messages().toString()).contains("cannot be dealt with");

    assertOthersStart();
  }
}
