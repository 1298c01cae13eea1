package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Writes that change nothing, or are changed back, do not go on without a pause. */
class WritesWithoutEffectTest {
  private static final Duration TIME = Duration.ofMinutes(10);

  private static final String POOL = """
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: WorkloadPriorityClass
      metadata: {name: low}
      value: 1
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: p}
      spec:
        cohort: pool
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: spot
            resources: [{name: cpu, nominalQuota: 2}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        cohort: pool
        namespaceSelector: {}
        preemption:
          withinClusterQueue: LowerPriority
          reclaimWithinCohort: Any
          borrowWithinCohort: {policy: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: spot
            resources: [{name: cpu, nominalQuota: 2}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: p, namespace: default}
      spec: {clusterQueue: p}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: q, namespace: default}
      spec: {clusterQueue: q}
      """;

  private final Scene scene = Scene.create();
  private int writes;

  private void pass() {
    Instant end = scene.clock.instant().plus(TIME);
    while (scene.clock.instant().isBefore(end)) {
      scene.settle();
      scene.clock.advance(Duration.ofMillis(500));
    }
  }

  @Test
  void aJobThatSeemsToBeStoppingIsQueued() {
    scene.createJob(
        "job",
        2,
        job -> job.getMetadata()
            .setAnnotations(new HashMap<>(Map.of("kueue.x-k8s.io/stopping", "true"))));
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getMetadata().getAnnotations())
        .doesNotContainKey("kueue.x-k8s.io/stopping");
  }

  @Test
  void aServerThatIgnoresAWriteIsAskedLessAndLessOften() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      @SuppressWarnings("unchecked")
      public <T extends HasMetadata> T replace(T object) {
        if (object instanceof Job) {
          writes++;
          return (T) scene.job(object.getMetadata().getName());
        }
        return super.replace(object);
      }
    });
    scene.createJob("job", 2, job -> job.getSpec().setSuspend(false));
    pass();
    assertThat(writes).isBetween(5, 20);
  }

  @Test
  void aJobThatIsChangedBackIsWrittenLessThanTwicePerSecond() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        T stored = super.replace(object);
        if (object instanceof Job) {
          writes++;
          scene.edit("job", job -> job.getSpec().setSuspend(false));
        }
        return stored;
      }
    });
    scene.createJob("job", 2, job -> job.getSpec().setSuspend(false));
    pass();
    assertThat(writes).isBetween(30, 2 * (int) TIME.toSeconds());
  }

  @Test
  void jobsThatPreemptEachOtherBeforeTheyStartPause() {
    List.of(POOL.split("---"))
        .forEach(text -> scene.cluster.create(
            StrictCluster.USER, Serialization.unmarshal(text, GenericKubernetesResource.class)));
    scene.createJob("l2", 4, withLabels("p", "high"));
    scene.createJob("h1", 2, withLabels("q", "low"));
    scene.createJob("h2", 4, withLabels("q", "high"));
    int before = scene.cluster.log().size();
    pass();
    assertThat(scene.cluster.log().size() - before).isBetween(9, 200);
  }

  private static Consumer<Job> withLabels(String queue, String priority) {
    return job -> job.getMetadata()
        .getLabels()
        .putAll(
            Map.of("kueue.x-k8s.io/queue-name", queue, "kueue.x-k8s.io/priority-class", priority));
  }
}
