package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.state.ControllerOptions;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Jobs do not run into the capacity windows of a cluster. */
class CapacityWindowControllerTest {
  private static final ObjectKey WINDOW =
      new ObjectKey("kueue4j.io", "CapacityWindow", "", "maintenance");
  private static final ControllerOptions WITH_BACKFILL = ControllerOptions.defaults()
      .withSettings(Settings.builder().backfill(Backfill.ofDepth(0)).build());

  private final Scene scene = new Scene(WITH_BACKFILL);

  private static Consumer<Job> lasting(int minutes) {
    return Scene.withLabel("kueue.x-k8s.io/max-exec-time-seconds", Integer.toString(minutes * 60));
  }

  /** Keeps all quota, from ten minutes from now for an hour. */
  private static void createWindow(Scene scene) {
    scene.cluster.create(
        StrictCluster.USER,
        Serialization.unmarshal(
            """
            apiVersion: kueue4j.io/v1alpha1
            kind: CapacityWindow
            metadata: {name: maintenance}
            spec:
              start: "%s"
              end: "%s"
              clusterQueue: research
              flavors: [{name: spot, resources: [{name: cpu, amount: 4}]}]
            """.formatted(
                    scene.clock.instant().plus(Duration.ofMinutes(10)),
                    scene.clock.instant().plus(Duration.ofMinutes(70))),
            GenericKubernetesResource.class));
    scene.settle();
  }

  private void createJobs() {
    createWindow(scene);
    scene.createJob("short", 1, lasting(5));
    scene.createJob("long", 1, lasting(20));
    scene.settle();
  }

  @Test
  void aJobThatWouldRunIntoAWindowWaits() {
    createJobs();

    assertThat(scene.runs("short")).isTrue();
    assertThat(scene.runs("long")).isFalse();
    scene.clock.advance(Duration.ofMinutes(70));
    scene.settle();
    assertThat(scene.runs("long")).isTrue();
  }

  @Test
  void theNextControllerKeepsTheWindow() {
    createJobs();
    scene.restart();
    scene.settle();

    assertThat(scene.runs("long")).isFalse();
  }

  @Test
  void aDeletedWindowKeepsNothing() {
    createJobs();
    scene.cluster.delete(StrictCluster.USER, WINDOW);
    scene.settle();

    assertThat(scene.runs("long")).isTrue();
  }

  @Test
  void aDeletedQueueStaysWithoutAdmittingUntilTheWindowGoes() {
    createWindow(scene);
    scene.deleteClusterQueue();
    scene.settle();

    assertThat(scene.view().problems().values())
        .anyMatch(problem -> problem.contains("while CapacityWindow maintenance keeps its quota"));
    scene.cluster.delete(StrictCluster.USER, WINDOW);
    scene.settle();
    assertThat(scene.view().problems().values())
        .noneMatch(problem -> problem.contains("CapacityWindow"));
  }

  @Test
  void withoutBackfillAWindowIsAProblem() {
    Scene without = Scene.create();
    createWindow(without);

    assertThat(without.view().problems().get("CapacityWindow maintenance"))
        .contains("set Settings.backfill (--backfill), 0 is enough");
  }
}
