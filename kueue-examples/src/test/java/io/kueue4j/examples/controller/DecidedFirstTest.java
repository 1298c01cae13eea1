package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions and starts come before what only users wait for; no tenant waits for another. */
class DecidedFirstTest {
  private final Scene scene = Scene.create();

  private void createJobs(String prefix, int cpus) {
    createJobs(prefix, cpus, 200);
  }

  private void createJobs(String prefix, int cpus, int count) {
    IntStream.range(0, count).forEach(number -> scene.createJob(prefix + number, cpus));
  }

  /** {@return the number of jobs that the engine knows} */
  private long queued() {
    return scene.view().jobs().stream()
        .filter(job -> job.workload().isPresent())
        .count();
  }

  private long workloads() {
    return scene.cluster.keys(key -> key.kind().equals("Workload")).size();
  }

  @Test
  void aJobStartsBeforeTheWorkloadsOfOthersAreWritten() {
    createJobs("job", 4);
    int before = scene.cluster.log().size();
    scene.work();
    List<String> writes =
        scene.cluster.log().stream().skip(before).map(ApiWrite::toString).toList();
    assertThat(writes.get(2)).contains("REPLACE jobs.batch \"job0\"");
    assertThat(workloads()).as("a step ends early").isLessThan(100);
    scene.settle();
    assertThat(workloads()).isEqualTo(200);
    assertThat(scene.view("job199").state()).isEqualTo(JobState.PENDING);
  }

  /** Thousands wait when the controller starts. */
  @Test
  void theFirstJobStartsBeforeAllOthersAreRead() {
    createJobs("job", 4, 2000);
    int before = scene.cluster.log().size();
    List<Long> queuedAtStart = new ArrayList<>();
    scene.cluster.watch(write -> {
      if (write.toString().contains("REPLACE jobs.batch")) {
        queuedAtStart.add(queued());
      }
    });
    scene.restart();
    scene.work();
    List<String> writes =
        scene.cluster.log().stream().skip(before).map(ApiWrite::toString).toList();
    assertThat(writes).as("a step ends early").hasSizeLessThan(100);
    assertThat(writes.get(2)).contains("REPLACE jobs.batch \"job0\"");
    assertThat(queuedAtStart).hasSize(1);
    assertThat(queuedAtStart.get(0)).isLessThan(1000);
    scene.work();
    assertThat(queued()).as("the others follow").isEqualTo(2000);
  }

  private void createOtherTenant() {
    scene.cluster.create(
        StrictCluster.USER,
        new NamespaceBuilder().withNewMetadata().withName("other").endMetadata().build());
    scene.cluster.create(
        StrictCluster.USER, Serialization.unmarshal("""
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: LocalQueue
            metadata: {name: queue, namespace: other}
            spec: {clusterQueue: research}
            """, GenericKubernetesResource.class));
  }

  @Test
  void theJobOfATenantStartsAmongManyOfAnother() {
    createOtherTenant();
    createJobs("job", 0);
    scene.work();
    scene.createJob("late", 0, job -> job.getMetadata().setNamespace("other"));
    scene.work();
    scene.work();
    Optional<ApiWrite> start = scene.cluster.log().stream()
        .filter(write -> write.toString().contains("REPLACE jobs.batch \"late\""))
        .findFirst();
    assertThat(start).isPresent();
    assertThat(workloads()).as("most of the others wait").isLessThan(100);
    scene.settle();
    assertThat(scene.runs("job199")).isTrue();
  }

  /**
   * All jobs of the burst may start at once. The job of the other tenant comes after so many steps.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aBurstOfATenantDelaysTheJobOfAnotherByAFewSteps(int steps) {
    createOtherTenant();
    createJobs("job", 0, 1000);
    IntStream.range(0, steps).forEach(step -> scene.work());
    int before = scene.cluster.log().size();
    scene.createJob("late", 0, job -> job.getMetadata().setNamespace("other"));
    scene.work();
    List<String> writes =
        scene.cluster.log().stream().skip(before).map(ApiWrite::toString).toList();
    assertThat(writes)
        .as("a step ends early, with most jobs of the burst still to start")
        .hasSizeLessThan(100);
    assertThat(writes.subList(0, 10).toString())
        .as("at most two jobs of the burst start before")
        .contains("REPLACE jobs.batch \"late\"");
  }

  @Test
  void whatCannotBeStoredLeavesTheQuotaToOthers() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T create(T object) {
        if (object.getMetadata().getName().startsWith("job-first-")) {
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "a webhook fails");
        }
        return super.create(object);
      }
    });
    scene.createJob("first", 4);
    scene.createJob("second", 4);
    scene.settle();
    assertThat(scene.runs("second")).isTrue();
    assertThat(scene.runs("first")).isFalse();
  }
}
