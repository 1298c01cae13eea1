package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.RestartHistory;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that are repeatedly preempted shortly after their start. */
class RestartBackoffTest {
  private static final Duration LONG_RUN = Duration.ofMinutes(2);

  /** A job of high priority takes the whole quota, and is deleted. */
  private static void preempt(Scene scene) {
    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();
    assertThat(scene.runs("victim")).isFalse();
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "high"));
    scene.settle();
    scene.cluster.collectGarbage();
    scene.settle();
  }

  private static Scene withVictim(ControllerOptions options) {
    Scene scene = new Scene(options);
    scene.createJob("victim", 2);
    scene.settle();
    return scene;
  }

  private static Scene withPreemptions(ControllerOptions options, int count) {
    Scene scene = withVictim(options);
    for (int i = 0; i < count; i++) {
      preempt(scene);
    }
    return scene;
  }

  @Test
  void afterThreeShortRunsAJobWaitsLongerEachTime() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 3);
    assertThat(scene.runs("victim")).isTrue();

    preempt(scene);
    Instant preempted = scene.clock.instant();
    assertThat(scene.runs("victim")).isFalse();
    assertThat(scene.state("victim")).isEqualTo(JobState.PENDING);
    assertThat(scene.view().reasons(scene.view("victim")))
        .containsExactly("preempted 4 times in a row as soon as it had started; queued again at "
            + preempted.plusSeconds(10));
    assertThat(scene.view("victim").delayed().map(Workload::id))
        .isEqualTo(scene.view("victim").workload());
    assertThat(scene.work()).isEqualTo(preempted.plusSeconds(10));

    scene.clock.advance(Duration.ofSeconds(9));
    scene.settle();
    assertThat(scene.runs("victim")).isFalse();
    scene.clock.advance(Duration.ofSeconds(1));
    scene.settle();
    assertThat(scene.runs("victim")).isTrue();
    assertThat(scene.view("victim").delayed()).isEmpty();

    preempt(scene);
    assertThat(scene.work()).isEqualTo(scene.clock.instant().plusSeconds(20));
  }

  @Test
  void whoComesLaterTakesThePlaceMeanwhile() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 4);
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void anotherControllerKeepsTheWait() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 4);
    Instant due = scene.work();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("victim")).isFalse();
    assertThat(scene.work()).isEqualTo(due);
    scene.clock.advance(Duration.between(scene.clock.instant(), due));
    scene.settle();
    assertThat(scene.runs("victim")).isTrue();
  }

  @Test
  void aWaitThatEndsWithoutAControllerEnds() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 4);
    scene.clock.advance(Duration.between(scene.clock.instant(), scene.work()));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("victim")).isTrue();
  }

  @Test
  void onlyPreemptionsDelayAJob() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 3);
    for (int i = 0; i < 3; i++) {
      scene.editQueue("stopPolicy", "HoldAndDrain");
      scene.settle();
      assertThat(scene.runs("victim")).isFalse();
      scene.editQueue("stopPolicy", "None");
      scene.settle();
      assertThat(scene.runs("victim")).isTrue();
    }
  }

  @Test
  void aLongRunMakesAllForgotten() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 3);
    scene.clock.advance(LONG_RUN);
    preempt(scene);
    assertThat(scene.runs("victim")).isTrue();
    assertThat(JobAnnotations.get(scene.job("victim"), JobAnnotations.RESTARTS)).isEmpty();
    for (int i = 0; i < 3; i++) {
      preempt(scene);
      assertThat(scene.runs("victim")).isTrue();
    }
  }

  @Test
  void removingTheAnnotationEndsTheWait() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 4);
    scene.edit("victim", job -> job.getMetadata().getAnnotations().remove(JobAnnotations.RESTARTS));
    scene.settle();
    assertThat(scene.runs("victim")).isTrue();
  }

  @Test
  void anUnreadableAnnotationPutsNothingOff() {
    Scene scene = withVictim(ControllerOptions.defaults());
    scene.edit(
        "victim", job -> job.getMetadata().getAnnotations().put(JobAnnotations.RESTARTS, "[]"));
    preempt(scene);
    assertThat(scene.runs("victim")).isTrue();
    assertThat(JobAnnotations.get(scene.job("victim"), JobAnnotations.RESTARTS))
        .isEqualTo("{\"shortRuns\":1}");
  }

  @Test
  void aJobThatWaitsMayBeEditedAndDeleted() {
    Scene scene = withPreemptions(ControllerOptions.defaults(), 4);
    scene.edit("victim", job -> job.getSpec().setParallelism(2));
    scene.settle();
    assertThat(scene.runs("victim")).isFalse();
    assertThat(scene.view("victim").delayed()).isPresent();
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "victim"));
    scene.settle();
    assertThat(scene.view().jobs()).isEmpty();
  }

  @Test
  void withoutBackoffNoneWaits() {
    Scene scene = withPreemptions(ControllerOptions.defaults().withRestartBackoff(false), 10);
    assertThat(scene.runs("victim")).isTrue();
  }

  @Test
  void delaysDoubleUpToTheLongest() {
    assertThat(delay(3)).isEmpty();
    assertThat(delay(4)).hasValue(Duration.ofSeconds(10));
    assertThat(delay(9)).hasValue(Duration.ofSeconds(320));
    assertThat(delay(10)).hasValue(Duration.ofMinutes(10));
    assertThat(delay(Integer.MAX_VALUE)).hasValue(Duration.ofMinutes(10));
  }

  /** {@return the delay after that many short runs} */
  private static Optional<Duration> delay(int runs) {
    return new RestartHistory(runs - 1, Optional.empty())
        .withRun(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH)
        .waitUntil()
        .map(until -> Duration.between(Instant.EPOCH, until));
  }
}
