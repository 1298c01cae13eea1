package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.controller.Scene.Mode;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A controller that records admissions elsewhere than the one before it. */
class ModeChangeTest {
  private static long running(Scene scene) {
    return Scene.runningMillis(scene.job("one")) + Scene.runningMillis(scene.job("two"));
  }

  /** Works one step at a time, and checks after each that what runs is within the quota. */
  private static void settleWithinQuota(Scene scene) {
    for (int step = 0; step < 30; step++) {
      scene.work();
      assertThat(running(scene)).isLessThanOrEqualTo(4000);
      scene.runPods();
      scene.cluster.collectGarbage();
    }
    scene.settle();
  }

  private static void assertOneRuns(Scene scene) {
    assertThat(scene.runs("one")).isNotEqualTo(scene.runs("two"));
    assertThat(running(scene)).isEqualTo(3000);
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SEALED", "UNSEALED"})
  void notesAreNotBelievedWhereWorkloadsAreServed(Mode before) {
    Scene scene = new Scene(ControllerOptions.defaults(), before);
    scene.createJob("one", 3);
    scene.settle();
    scene.createJob("two", 3);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();

    scene.restart(Mode.WORKLOADS);
    settleWithinQuota(scene);
    assertThat(scene.events("one")).contains("Suspended");
    assertOneRuns(scene);
    assertThat(scene.workload("one")).isPresent();
    assertThat(scene.workload("two")).isPresent();
  }

  @Test
  void workloadsAreNotReadWhereTheyAreNotServed() {
    Scene scene = Scene.inWorkloads();
    scene.createJob("one", 3);
    scene.settle();
    scene.createJob("two", 3);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    scene.cluster.keys(key -> key.kind().equals("Workload")).forEach(key -> {
      scene.cluster.get(key, GenericKubernetesResource.class).ifPresent(object -> {
        object.getMetadata().setFinalizers(List.of());
        scene.cluster.replace(StrictCluster.USER, object);
      });
      scene.cluster.delete(StrictCluster.USER, key);
    });

    scene.restart(Mode.SEALED);
    settleWithinQuota(scene);
    assertThat(scene.events("one")).contains("Suspended");
    assertOneRuns(scene);
  }

  /** What a start has added to a job is known from its record only. */
  @Test
  void aJobWhoseRecordIsNotReadKeepsWhatItsStartHasAdded() {
    Scene scene = Scene.create();
    scene.createJob("one", 3);
    scene.settle();
    scene.restart(Mode.WORKLOADS);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, Scene.key("LocalQueue", "default", "queue"));
    scene.restart(Mode.WORKLOADS);
    scene.settle();
    assertThat(scene.job("one").getSpec().getTemplate().getSpec().getNodeSelector())
        .isEqualTo(Map.of("zone", "a", "pool", "spot"));
  }

  @Test
  void aJobThatWasDrainedBeforeIsWhatItWas() {
    Scene scene = Scene.create();
    scene.createJob("one", 3);
    scene.settle();
    scene.editQueue("stopPolicy", "HoldAndDrain");
    scene.settle();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    assertThat(scene.job("one").getSpec().getTemplate().getSpec().getNodeSelector())
        .isEqualTo(Map.of("zone", "a"));
    scene.restart(Mode.WORKLOADS);
    scene.settle();
    scene.editQueue("stopPolicy", "None");
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }
}
