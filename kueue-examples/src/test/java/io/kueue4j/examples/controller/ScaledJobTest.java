package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Jobs that need less than their admission. */
class ScaledJobTest {
  private final Scene scene = Scene.create();

  private static Consumer<Job> pods(int count) {
    return job -> {
      job.getSpec().setParallelism(count);
      job.getSpec().setCompletions(count);
    };
  }

  private static Consumer<Job> elastic(int parallelism) {
    return job -> {
      job.getSpec().setParallelism(parallelism);
      job.getMetadata().setAnnotations(Map.of("kueue.x-k8s.io/elastic-job", "true"));
    };
  }

  private void succeed(String job, int pods) {
    scene.cluster.edit(
        "job-controller",
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("Job", "default", job),
        tree -> Trees.child(tree, "status").put("succeeded", pods));
    scene.settle();
  }

  @Test
  void podsThatHaveSucceededGiveTheirQuotaToOthers() {
    scene.createJob("wide", 1, pods(3));
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("wide")).isTrue();
    assertThat(scene.runs("next")).isFalse();
    succeed("wide", 1);
    assertThat(scene.runs("next")).isFalse();
    succeed("wide", 2);
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.writes("wide")).as("the job itself is as it was").isEqualTo(1);
  }

  @Test
  void anotherControllerCountsThemToo() {
    scene.createJob("wide", 1, pods(3));
    scene.settle();
    succeed("wide", 2);
    scene.restart();
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void ofAWaitingJobOnlyThePodsThatHaveNotEndedNeedQuota() {
    scene.createJob("other", 2);
    scene.createJob("wide", 1, pods(3));
    scene.settle();
    assertThat(scene.runs("wide")).isFalse();
    succeed("wide", 1);
    assertThat(scene.runs("wide")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aJobEditedWithoutAControllerIsCountedUntilItStops() {
    scene.createJob("other", 2);
    scene.createJob("wide", 1, pods(3));
    scene.settle();
    succeed("wide", 1);
    assertThat(scene.runs("wide")).isTrue();
    scene.edit("wide", job -> job.getSpec().setParallelism(1));
    scene.restart();
    scene.work();
    assertThat(scene.job("wide").getSpec().getSuspend()).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aWaitingJobMayHaveFewerPodsThanHadEnded() {
    scene.createJob("other", 4);
    scene.createJob("wide", 1, pods(5));
    scene.settle();
    succeed("wide", 4);
    scene.edit("wide", job -> job.getSpec().setParallelism(3));
    scene.settle();
    assertThat(scene.state("wide")).isEqualTo(JobState.PENDING);
    assertThat(scene.record("wide").at("/status/reclaimablePods/0/count").asInt())
        .isEqualTo(2);
    assertThat(scene.events("wide")).containsExactly("ExceedsMaxQuota");
  }

  @Test
  void anElasticJobThatShrinksRunsOn() {
    scene.createJob("elastic", 1, elastic(3));
    scene.createJob("next", 2);
    scene.settle();
    assertThat(scene.runs("elastic")).isTrue();
    assertThat(scene.runs("next")).isFalse();
    scene.edit("elastic", job -> job.getSpec().setParallelism(2));
    scene.settle();
    assertThat(scene.runs("elastic")).isTrue();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.events("elastic")).doesNotContain("Stopped");
    assertThat(scene.state("elastic")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.record("elastic").at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();
    assertThat(scene.job("elastic").getSpec().getParallelism())
        .as("a stop does not make it larger again")
        .isEqualTo(2);
  }

  @Test
  void anotherControllerKnowsWhatAJobHasShrunkTo() {
    scene.createJob("elastic", 1, elastic(3));
    scene.settle();
    scene.edit("elastic", job -> job.getSpec().setParallelism(1));
    scene.settle();
    scene.restart();
    scene.createJob("next", 3);
    scene.settle();
    assertThat(scene.runs("elastic")).isTrue();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.events("elastic")).doesNotContain("Stopped");
  }

  /** As in Kueue, where a job with another number of pods matches its Workload no longer. */
  @Test
  void aJobThatIsNotElasticStartsOverWhenItShrinks() {
    scene.createJob("fixed", 1, job -> job.getSpec().setParallelism(3));
    scene.settle();
    scene.edit("fixed", job -> job.getSpec().setParallelism(2));
    scene.settle();

    assertThat(scene.runs("fixed")).isTrue();
    assertThat(scene.job("fixed").getSpec().getParallelism()).isEqualTo(2);
    assertThat(scene.events("fixed")).containsExactly("Started", "Stopped", "Started");
    assertThat(scene.usedMillis()).isEqualTo(2000);
  }

  @Test
  void anElasticJobThatGrowsStartsOver() {
    scene.createJob("elastic", 1, elastic(2));
    scene.settle();
    scene.edit("elastic", job -> job.getSpec().setParallelism(4));
    scene.settle();
    assertThat(scene.events("elastic")).contains("Stopped");
    assertThat(scene.runs("elastic")).isTrue();
    scene.createJob("next", 1);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
  }
}
