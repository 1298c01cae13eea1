package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The quota of pods that have finished is given to others. Pods that run again without it would
 * exceed the quota, as after a tenant has deleted a Job of a JobSet, which creates it anew.
 */
class ReclaimedPodsTest {
  private static final ObjectKey SET = new ObjectKey("jobset.x-k8s.io", "JobSet", "default", "set");

  private static Scene withJobSet() {
    Scene scene = Scene.create();
    scene.cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse("""
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "set", "namespace": "default",
               "labels": {"kueue.x-k8s.io/queue-name": "queue"}},
             "spec": {"suspend": true, "replicatedJobs": [
               {"name": "a", "replicas": 4, "template": {"spec": {
                 "parallelism": 1, "completions": 1, "template": {"spec": {
                   "restartPolicy": "Never", "containers": [{"name": "main", "image": "sleep:1",
                     "resources": {"requests": {"cpu": "1"}}}]}}}}}]}}
            """)));
    scene.settle();
    assertThat(runs(scene)).isTrue();
    setSucceeded(scene, 0);
    return scene;
  }

  private static boolean runs(Scene scene) {
    return !Objects.requireNonNull(scene.cluster.tree(SET)).at("/spec/suspend").asBoolean();
  }

  private static void setSucceeded(Scene scene, int count) {
    scene.cluster.edit(
        "jobset-controller",
        ApiWrite.Verb.REPLACE_STATUS,
        SET,
        tree -> Trees.child(tree, "status")
            .putArray("replicatedJobsStatus")
            .addObject()
            .put("name", "a")
            .put("ready", 4 - count)
            .put("succeeded", count)
            .put("failed", 0)
            .put("active", 4 - count)
            .put("suspended", 0));
  }

  @Test
  void theQuotaOfFinishedPodsIsGivenToOthersAndStaysTheirs() {
    Scene scene = withJobSet();
    scene.createJob("other", 2);
    scene.settle();
    assertThat(scene.runs("other")).isFalse();
    setSucceeded(scene, 2);
    scene.settle();
    assertThat(scene.runs("other")).isTrue();
    scene.restart();
    scene.settle();

    assertThat(scene.runs("other")).isTrue();
    assertThat(runs(scene)).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void theQuotaOfFinishedPodsIsHeldUntilThatIsRecorded() {
    Scene scene = withJobSet();
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
    }));
    setSucceeded(scene, 2);
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(4000);
    scene.restart();
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(2000);
  }

  @Test
  void aJobWhoseRecordedPastIsWrongHoldsItsQuotaUntilItStops() {
    Scene scene = withJobSet();
    scene.cluster.edit(
        "other",
        ApiWrite.Verb.REPLACE_STATUS,
        scene.cluster.keys(key -> key.kind().equals("Workload")).get(0),
        tree -> Trees.child(tree, "status")
            .putArray("reclaimablePods")
            .addObject()
            .put("name", "a")
            .put("count", 7));
    scene.restart();
    scene.work();
    assertThat(runs(scene)).isFalse();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobWhoseFinishedPodsRunAgainIsStopped(boolean isAway) {
    Scene scene = withJobSet();
    setSucceeded(scene, 2);
    scene.createJob("other", 2);
    scene.settle();
    assertThat(scene.runs("other")).isTrue();
    setSucceeded(scene, 0);
    if (isAway) {
      scene.restart();
    }
    scene.settle();

    assertThat(scene.runs("other")).isTrue();
    assertThat(runs(scene)).isFalse();
    assertThat(scene.events("set")).contains("Stopped");
  }
}
