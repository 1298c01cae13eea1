package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Running jobs that are to have more pods, or fewer. */
class ElasticGrowthTest {
  private static ElasticScene grown() {
    ElasticScene elastic = ElasticScene.running(2);
    assertThat(elastic.running("elastic")).isEqualTo(2);
    elastic.scale("elastic", 4);
    elastic.assertScaled(4);
    return elastic;
  }

  @Test
  void aJobGrowsWhileItRuns() {
    ElasticScene elastic = grown();
    assertThat(elastic.scene.events("elastic")).containsExactly("Started", "Grown");
    elastic.scene.createJob("next", 1);
    elastic.settle();
    assertThat(elastic.scene.runs("next")).isFalse();
    elastic.finish("elastic");
    assertThat(elastic.scene.runs("next")).isTrue();
    elastic.assertCounted("next");
  }

  @Test
  void aJobThatDoesNotFitRunsOnAndSaysWhyItWaits() {
    ElasticScene elastic = ElasticScene.waitingToGrow();
    assertThat(elastic.running("elastic")).isEqualTo(2);
    assertThat(elastic.podCount("elastic")).isEqualTo(4);
    assertThat(elastic.scene.events("elastic")).containsExactly("Started", "WaitingForQuota");
    assertThat(elastic.scene.view("elastic").messages())
        .containsExactly(
            "Admitted by clusterQueue research", "waits for quota to run 4 pods instead of 2");
    elastic.assertCounted("elastic", "other");
    elastic.finish("other");
    elastic.assertScaled(4);
  }

  @Test
  void aJobChangesItsMindWhileItWaits() {
    ElasticScene elastic = ElasticScene.contended();
    for (int parallelism : new int[] {4, 5, 6, 4, 2, 5, 1, 4}) {
      elastic.scale("elastic", parallelism);
      assertThat(elastic.running("elastic"))
          .as("%d pods", parallelism)
          .isLessThanOrEqualTo(Math.min(parallelism, 3));
      elastic.assertCounted("elastic", "other");
    }
    elastic.scale("elastic", 3);
    elastic.assertScaled(3, "other");
  }

  @Test
  void quotaIsReleasedWhenThePodsAreGone() {
    ElasticScene elastic = new ElasticScene();
    elastic.create("elastic", 4);
    elastic.scene.createJob("next", 2);
    elastic.settle();
    elastic.resize("elastic", 2);
    elastic.scene.work();
    assertThat(elastic.running("elastic")).isEqualTo(4);
    assertThat(elastic.scene.runs("next")).isFalse();
    elastic.settle();
    assertThat(elastic.running("elastic")).isEqualTo(2);
    assertThat(elastic.scene.runs("next")).isTrue();
    assertThat(elastic.wasStopped("elastic")).isFalse();
    assertThat(elastic.scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void whatWasScaledWhileNoControllerRanIsScaledAfterwards() {
    ElasticScene elastic = new ElasticScene();
    elastic.create("grows", 1);
    elastic.create("shrinks", 2);
    elastic.settle();
    elastic.resize("grows", 3);
    elastic.resize("shrinks", 1);
    elastic.scene.runPods();
    elastic.scene.restart();
    elastic.settle();
    assertThat(elastic.running("grows")).isEqualTo(3);
    assertThat(elastic.running("shrinks")).isEqualTo(1);
    assertThat(elastic.wasStopped("grows")).isFalse();
    assertThat(elastic.wasStopped("shrinks")).isFalse();
    elastic.assertCounted("grows", "shrinks");
  }

  @Test
  void aJobWhosePodsHaveNoGateStartsOver() {
    ElasticScene elastic = new ElasticScene();
    elastic.scene.createJob("elastic", 1, job -> {
      ElasticScene.elastic(2).accept(job);
      job.getSpec().getTemplate().getSpec().setSchedulingGates(null);
    });
    elastic.settle();
    assertThat(elastic.scene.events("elastic")).containsExactly("Started", "CannotGrow");
    elastic.scale("elastic", 4);
    assertThat(elastic.wasStopped("elastic")).isTrue();
    assertThat(elastic.messages("elastic"))
        .contains("The job is to have 4 pods, had 2, and cannot grow while it runs: its pod"
            + " template does not have the scheduling gate kueue.x-k8s.io/elastic-job, so its new"
            + " pods would not wait for quota");
    assertThat(elastic.running("elastic")).isEqualTo(4);
    assertThat(elastic.scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aJobThatIsNotDeclaredElasticStartsOver() {
    ElasticScene elastic = new ElasticScene();
    elastic.scene.createJob("fixed", 1, job -> {
      ElasticScene.elastic(2).accept(job);
      job.getMetadata().setAnnotations(null);
    });
    elastic.settle();
    assertThat(elastic.running("fixed")).as("its gate is removed, too").isEqualTo(2);
    elastic.scale("fixed", 4);
    assertThat(elastic.wasStopped("fixed")).isTrue();
    assertThat(elastic.running("fixed")).isEqualTo(4);
    elastic.assertCounted("fixed");
  }

  @Test
  void aJobIsStoppedIfAUserRemovesTheGateOfItsPods() {
    ElasticScene elastic = ElasticScene.contended();
    elastic.resize("elastic", 3);
    elastic.scene.editQueue("stopPolicy", "Hold");
    elastic.settle();
    elastic
        .pods("elastic")
        .forEach(pod -> elastic.scene.cluster.edit(
            StrictCluster.USER,
            ApiWrite.Verb.REPLACE,
            Scene.key("Pod", "default", pod.getMetadata().getName()),
            tree -> Trees.child(tree, "spec").remove("schedulingGates")));
    assertThat(elastic.running("elastic")).isEqualTo(3);
    elastic.settle();
    assertThat(elastic.wasStopped("elastic")).isTrue();
    assertThat(elastic.running("elastic")).isZero();
    assertThat(elastic.messages("elastic")).contains("Its pods request 3 of cpu, admitted were 2");
    elastic.assertCounted("other");
  }

  /** The server never creates the second Workload, and does not say so. */
  @Test
  void aJobThatGivesUpToGrowIsQueuedAgainAfterItIsStopped() {
    ElasticScene elastic = ElasticScene.running(2);
    AtomicBoolean fails = new AtomicBoolean(true);
    elastic.scene.restart(new InterceptedWrites(elastic.scene.connection()) {
      @Override
      public <T extends HasMetadata> T create(T object) {
        if (fails.get()) {
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
        }
        return super.create(object);
      }
    });
    elastic.scale("elastic", 4);
    fails.set(false);
    elastic.scale("elastic", 2);
    elastic.preempt(4);
    elastic.finish("high");
    elastic.assertCounted("elastic");
    assertThat(elastic.running("elastic")).isEqualTo(2);
  }

  @Test
  void aJobWhoseGrowthIsNotRecordedRunsOnWithThePodsItHas() {
    ElasticScene elastic = ElasticScene.running(2);
    elastic.scene.restart(new InterceptedWrites(elastic.scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (object.toString().contains("count=4")) {
          throw new WriteException(WriteException.Reason.REFUSED, "a webhook said no");
        }
        return super.replaceStatus(object);
      }
    });
    elastic.scale("elastic", 4);
    assertThat(elastic.running("elastic")).isEqualTo(2);
    assertThat(elastic.scene.events("elastic")).contains("WriteRefused").doesNotContain("Grown");
    elastic.assertCounted("elastic");
  }

  @Test
  void aJobThatIsPreemptedStopsWithAllItsPods() {
    ElasticScene elastic = ElasticScene.running(2);
    elastic.scale("elastic", 5);
    elastic.preempt(3);
    assertThat(elastic.podCount("elastic")).isZero();
    assertThat(elastic.scene.usedMillis()).isEqualTo(3000);
    elastic.resize("elastic", 4);
    elastic.finish("high");
    assertThat(elastic.running("elastic")).isEqualTo(4);
    elastic.assertCounted("elastic");
    assertThat(elastic.workloads("elastic")).hasSize(1);
  }

  @Test
  void aJobThatHasGrownIsPreemptedAndStartsAgain() {
    ElasticScene elastic = grown();
    elastic.preempt(1);
    assertThat(elastic.podCount("elastic")).isZero();
    assertThat(elastic.scene.usedMillis()).isEqualTo(1000);
    assertThat(elastic.scene.job("elastic").getSpec().getTemplate().getSpec().getNodeSelector())
        .as("it is what it was before its start")
        .containsOnlyKeys("zone");
    elastic.finish("high");
    assertThat(elastic.running("elastic")).isEqualTo(4);
    elastic.assertCounted("elastic");
  }

  @Test
  void aJobThatEndsWhileItWaitsLeavesNothing() {
    ElasticScene elastic = ElasticScene.running(3);
    elastic.scale("elastic", 5);
    elastic.finish("elastic");
    assertThat(elastic.scene.usedMillis()).isZero();
    elastic.create("next", 4);
    elastic.settle();
    assertThat(elastic.running("next")).isEqualTo(4);
    elastic.assertCounted("next");
    assertThat(elastic.workloads("elastic"))
        .singleElement()
        .matches(workload -> WorkloadScene.isTrue(workload, "Finished"));
    elastic.scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "elastic"));
    elastic.settle();
    assertThat(elastic.scene.cluster.keys(key -> key.kind().equals("Workload"))).hasSize(1);
  }
}
