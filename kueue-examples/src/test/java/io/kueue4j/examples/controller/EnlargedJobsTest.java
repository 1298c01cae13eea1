package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSetSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tenant makes an admitted job larger, in a queue of 10 CPUs. */
class EnlargedJobsTest {
  private static final ObjectKey SET = new ObjectKey("jobset.x-k8s.io", "JobSet", "default", "set");
  private static final ObjectKey CHILD = Scene.key("Job", "default", "set-main-0");
  private static final ObjectKey INDEXED = Scene.key("Job", "default", "indexed");
  private static final List<Duration> GROWING = List.of(
      Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40));

  private final Scene scene = Scene.create();
  private final JobSetSimulator jobSets = new JobSetSimulator(scene.cluster);

  /** When the controller has started the job of a test. */
  private final List<Instant> starts = new ArrayList<>();

  @BeforeEach
  void setQuota() {
    scene.setQuota("spot", 10);
    settle();
  }

  private void noteStartsOf(ObjectKey job) {
    scene.cluster.watch(write -> {
      if (write.key().equals(job) && isSuspended(write.before()) && !isSuspended(write.after())) {
        starts.add(scene.clock.instant());
      }
    });
  }

  private static boolean isSuspended(@Nullable ObjectNode job) {
    return job != null && job.at("/spec/suspend").asBoolean();
  }

  /** {@return the times between the starts} */
  private List<Duration> pauses() {
    List<Duration> pauses = new ArrayList<>();
    for (int i = 1; i < starts.size(); i++) {
      pauses.add(Duration.between(starts.get(i - 1), starts.get(i)));
    }
    return pauses;
  }

  /** Lets all controllers act until nothing changes; what runs is within the quota then. */
  private void settle() {
    int before;
    do {
      before = scene.log().size();
      scene.settle();
      jobSets.sync(SET);
    } while (scene.log().size() > before);
    assertThat(runningCpus()).isLessThanOrEqualTo(10);
  }

  private int runningCpus() {
    return scene.cluster.trees("Pod").stream()
        .filter(pod -> pod.at("/status/phase").asText().matches("Pending|Running"))
        .mapToInt(pod -> pod.at("/spec/containers/0/resources/requests/cpu").asInt())
        .sum();
  }

  private void settleFor(Duration time) {
    for (Instant end = scene.clock.instant().plus(time); scene.clock.instant().isBefore(end); ) {
      scene.clock.advance(Duration.ofSeconds(1));
      settle();
    }
  }

  private void createJobSet() {
    scene.cluster.create(
        StrictCluster.USER, Serialization.unmarshal("""
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: set
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: queue}
            spec:
              suspend: true
              replicatedJobs:
              - name: main
                replicas: 1
                template:
                  spec:
                    parallelism: 1
                    completions: 1
                    template:
                      spec:
                        containers:
                        - {name: main, image: busybox, resources: {requests: {cpu: "10"}}}
            """, GenericKubernetesResource.class));
  }

  /** A user gives an Indexed Job another number of pods. */
  private void resize(ObjectKey job, int pods) {
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        job,
        tree -> Trees.child(tree, "spec").put("parallelism", pods).put("completions", pods));
  }

  private List<String> stops(String job) {
    return scene.connection().events().stream()
        .filter(event ->
            event.getInvolvedObject().getName().equals(job) && event.getReason().equals("Stopped"))
        .map(Event::getMessage)
        .toList();
  }

  @Test
  void aJobSetWithAnEnlargedChildIsStopped() {
    createJobSet();
    settle();
    assertThat(runningCpus()).isEqualTo(10);
    assertThat(scene.usedMillis()).isEqualTo(10_000);
    resize(CHILD, 50);
    scene.runPods();
    assertThat(runningCpus()).isEqualTo(500);
    scene.work();
    assertThat(isSuspended(scene.cluster.tree(SET))).isTrue();
    assertThat(stops("set")).containsExactly("Its pods request 500 of cpu, admitted were 10");
    assertThat(scene.usedMillis()).as("until its pods are gone").isEqualTo(10_000);
    settle();
    assertThat(scene.usedMillis()).isZero();
    scene.createJob("next", 10);
    settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(runningCpus()).isEqualTo(10);
  }

  /** The child stays as large as it was made, so that each start exceeds the quota again. */
  @Test
  void aJobSetWithAnEnlargedChildWaitsLongerEachTime() {
    noteStartsOf(SET);
    createJobSet();
    settle();
    resize(CHILD, 50);
    scene.runPods();
    settle();
    settleFor(Duration.ofSeconds(10 + 20 + 40));
    assertThat(pauses()).isEqualTo(GROWING);
    assertThat(stops("set")).hasSize(GROWING.size() + 1);
    resize(CHILD, 1);
    settleFor(Duration.ofSeconds(80));
    assertThat(runningCpus()).isEqualTo(10);
  }

  private void createIndexed() {
    scene.createJob("indexed", 10, job -> {
      job.getSpec().setCompletions(1);
      job.getSpec().setCompletionMode("Indexed");
    });
  }

  @Test
  void anIndexedJobThatIsEnlargedIsStopped() {
    createIndexed();
    settle();
    assertThat(scene.runs("indexed")).isTrue();
    resize(INDEXED, 10);
    scene.runPods();
    assertThat(runningCpus()).isEqualTo(100);
    scene.work();
    assertThat(scene.job("indexed").getSpec().getSuspend()).isTrue();
    assertThat(stops("indexed")).containsExactly("Its pods request 100 of cpu, admitted were 10");
    settle();
    settleFor(Duration.ofMinutes(2));
    assertThat(scene.runs("indexed")).as("too large for the queue").isFalse();
    assertThat(scene.job("indexed").getSpec().getCompletions()).isEqualTo(10);
  }

  /** The controller hears of the edit before the Job controller does. */
  @Test
  void anIndexedJobThatIsEnlargedIsStoppedBeforeItHasPods() {
    createIndexed();
    settle();
    resize(INDEXED, 10);
    scene.work();
    assertThat(scene.job("indexed").getSpec().getSuspend()).isTrue();
    assertThat(runningCpus()).isEqualTo(10);
    settle();
    assertThat(stops("indexed")).hasSize(1);
    assertThat(runningCpus()).isZero();
  }

  @Test
  void anIndexedJobEnlargedAtEachStartWaitsLongerEachTime() {
    noteStartsOf(INDEXED);
    createIndexed();
    settle();
    while (starts.size() <= GROWING.size()) {
      resize(INDEXED, 10);
      scene.runPods();
      settle();
      assertThat(runningCpus()).isZero();
      resize(INDEXED, 1);
      settle();
      while (!scene.runs("indexed")) {
        settleFor(Duration.ofSeconds(1));
      }
    }
    assertThat(pauses()).isEqualTo(GROWING);
    assertThat(stops("indexed")).hasSize(GROWING.size());
  }

  /** The controller hears of each edit before the pods exist, so nothing runs beyond the quota. */
  @Test
  void anIndexedJobChangedAtEachStartWaitsLongerEachTime() {
    noteStartsOf(INDEXED);
    createIndexed();
    settle();
    while (starts.size() <= GROWING.size()) {
      resize(INDEXED, 10);
      scene.work();
      resize(INDEXED, 1);
      settle();
      while (!scene.runs("indexed")) {
        settleFor(Duration.ofSeconds(1));
      }
    }
    assertThat(pauses()).isEqualTo(GROWING);
  }
}
