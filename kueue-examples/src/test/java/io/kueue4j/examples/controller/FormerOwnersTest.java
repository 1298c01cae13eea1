package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parts of admitted jobs whose owner references a tenant has removed. */
final class FormerOwnersTest {
  private static final ObjectKey WHOLE =
      new ObjectKey("kubeflow.org", "PyTorchJob", "default", "whole");

  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;
  private final ObjectNode whole = pods.createServing(
      "kubeflow.org/v1",
      "PyTorchJob",
      "whole",
      "{runPolicy: {suspend: true}, pytorchReplicaSpecs: {Master: {replicas: 3, template: {spec: "
          + "{containers: [{name: pytorch, image: busybox, resources: {requests: {cpu: 1}}}]}}}}}");

  /** Creates a Job of one pod with a CPU that runs as a part of the admitted job. */
  private void createPart(Map<String, String> labels) {
    scene.createJob("part", 1, part -> {
      part.getMetadata()
          .setOwnerReferences(List.of(new OwnerReferenceBuilder()
              .withApiVersion("kubeflow.org/v1")
              .withKind("PyTorchJob")
              .withName("whole")
              .withUid(uid())
              .withController(true)
              .build()));
      part.getMetadata().setLabels(labels);
      part.getSpec().setSuspend(false);
      part.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("pool", "spot"));
    });
    scene.settle();
    assertThat(scene.state("whole")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.pods()).hasSize(1);
  }

  private String uid() {
    return whole.at("/metadata/uid").asText();
  }

  private void deleteWhole() {
    scene.cluster.delete(StrictCluster.USER, WHOLE);
    scene.settle();
  }

  private void deletePod() {
    scene.cluster.delete(StrictCluster.USER, PodScene.key(pods.names().get(0)));
    scene.work();
  }

  private void disown(String job) {
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        Scene.key("Job", "default", job),
        tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    scene.settle();
  }

  private void enlarge(int parallelism) {
    scene.edit("part", job -> {
      job.getSpec().setParallelism(parallelism);
      job.getSpec().setCompletions(null);
    });
    scene.settle();
  }

  private boolean isSuspended(String job) {
    return Boolean.TRUE.equals(scene.job(job).getSpec().getSuspend());
  }

  @Test
  void thePodsThatADisownedPartCreatesLaterCount() {
    createPart(Map.of());
    disown("part");
    enlarge(5);
    assertThat(scene.events("whole")).contains("Stopped");
    assertThat(isSuspended("part")).isTrue();
    assertThat(scene.events("part")).contains("Suspended");
    assertThat(scene.pods()).isEmpty();
  }

  @Test
  void aLaterControllerKnowsADisownedPartByTheUidInItsLabels() {
    createPart(Map.of("jobset.sigs.k8s.io/jobset-uid", uid()));
    disown("part");
    scene.restart();
    scene.settle();
    enlarge(5);
    assertThat(isSuspended("part")).isTrue();
  }

  @Test
  void aDisownedPartOfAnInvalidJobDoesNotStart() {
    createPart(Map.of());
    disown("part");
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        WHOLE,
        tree -> PodScene.labels(tree).put("kueue.x-k8s.io/max-exec-time-seconds", "many"));
    enlarge(5);
    assertThat(scene.state("whole")).isEqualTo(JobState.INVALID);
    scene.edit("part", job -> job.getSpec().setSuspend(false));
    scene.settle();
    assertThat(isSuspended("part")).isTrue();
    assertThat(scene.pods()).isEmpty();
  }

  @Test
  void aLaterControllerKnowsAPodThatARunningJobHasLost() {
    createPart(Map.of());
    pods.edit(pods.names().get(0), tree -> {
      Trees.child(tree, "metadata").remove("ownerReferences");
      Trees.child(tree, "metadata").remove("labels");
    });
    assertThat(scene.pods()).hasSize(2);
    assertThat(scene.state("whole")).isEqualTo(JobState.ADMITTED);
    scene.restart();
    scene.settle();
    enlarge(3);
    assertThat(scene.events("whole")).contains("Stopped");
  }

  /** Else anyone could have the quota of another's job used up by a label. */
  @Test
  void aJobWithAQueueIsNoPartByALabel() {
    scene.settle();
    scene.createJob(
        "other",
        1,
        job -> job.getMetadata()
            .setLabels(Map.of(
                "kueue.x-k8s.io/queue-name", "queue", "jobset.sigs.k8s.io/jobset-uid", uid())));
    scene.settle();
    assertThat(scene.runs("other")).isTrue();
    assertThat(scene.state("whole")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aDisownedPartHoldsTheQuotaWhileItHasNoPods() {
    createPart(Map.of());
    disown("part");
    deleteWhole();
    deletePod();
    scene.createJob("next", 3);
    scene.work();
    assertThat(scene.view().jobs())
        .anySatisfy(job -> assertThat(job.messages().toString()).contains("may start its pods"));
    assertThat(scene.runs("next")).isFalse();
    scene.finish("part");
    scene.clock.advance(Duration.ofSeconds(5));
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aDisownedPartWithoutPodsStopsForOthers() {
    createPart(Map.of());
    disown("part");
    deleteWhole();
    deletePod();
    scene.createHigh(4);
    scene.settle();
    scene.clock.advance(Duration.ofSeconds(5));
    scene.settle();
    assertThat(isSuspended("part")).isTrue();
    assertThat(scene.state("high")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }
}
