package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.write.WriteException;
import io.kueue4j.examples.controller.write.WriteException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that are written again and again until an answer comes. */
final class LateRecordsTest {
  /** What becomes of a record; it is written afterwards unless this throws. */
  private interface Fate {
    void meet(String workload, boolean isAdmitted, Runnable write);
  }

  /** Another controller, whose records meet a fate. */
  private static void restart(Scene scene, Fate fate) {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (object instanceof GenericKubernetesResource workload) {
          fate.meet(
              object.getMetadata().getName(),
              WorkloadObjects.status(workload).containsKey("admission"),
              () -> super.replaceStatus(object));
        }
        return super.replaceStatus(object);
      }
    });
  }

  private static void pass(Scene scene, Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      scene.settle();
      scene.clock.advance(Duration.ofSeconds(1));
    }
    scene.settle();
  }

  /** The record is tried twice: the first write arrives late, and the second is refused. */
  @Test
  void aGrowthDoesNotTakeEffectAfterItsQuotaIsGone() {
    ElasticScene elastic = ElasticScene.running(2);
    Scene scene = elastic.scene;
    String before = scene.workload("elastic").orElseThrow().getMetadata().getName();
    List<Runnable> late = new ArrayList<>();
    restart(scene, (workload, isAdmitted, write) -> {
      if (isAdmitted && workload.startsWith("job-elastic-") && !workload.equals(before)) {
        late.add(write);
        throw new WriteException(late.size() == 1 ? Reason.UNAVAILABLE : Reason.REFUSED, "no");
      }
    });
    elastic.resize("elastic", 4);
    scene.settle();
    scene.createJob("next", 2);
    while (!scene.runs("next")) {
      pass(scene, Duration.ofSeconds(1));
    }
    try {
      late.get(0).run();
    } catch (WriteException e) {
      assertThat(e.reason()).isEqualTo(Reason.CONFLICT);
    }
    scene.restart();
    pass(scene, Duration.ofSeconds(5));

    assertThat(scene.runs("next")).isTrue();
    assertThat(elastic.running("elastic")).isEqualTo(2);
    assertThat(elastic.wasStopped("elastic")).isFalse();
  }

  /** The record of the first run is removed, and the one of the second is tried twice. */
  @Test
  void aRecordThatTheControllerHasRemovedIsNotMissed() {
    Scene scene = Scene.create();
    List<Boolean> unanswered = new ArrayList<>();
    restart(scene, (workload, isAdmitted, write) -> {
      boolean isRemoved = !isAdmitted && unanswered.isEmpty();
      if (workload.startsWith("job-one-")
          && (isRemoved || (isAdmitted && unanswered.equals(List.of(false))))
          && !scene.cluster.keys(key -> key.name().equals("high")).isEmpty()) {
        unanswered.add(isAdmitted);
        if (isRemoved) {
          write.run();
        }
        throw new WriteException(Reason.UNAVAILABLE, "no answer");
      }
    });
    scene.createJob("one", 4);
    scene.settle();
    scene.createHigh(4);
    pass(scene, Duration.ofSeconds(5));
    assertThat(scene.runs("high")).isTrue();
    scene.finish("high");
    pass(scene, Duration.ofSeconds(20));

    assertThat(unanswered).containsExactly(false, true);
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.events("one"))
        .containsExactly("Started", "Stopped", "WaitingForQuota", "Started");
  }
}
