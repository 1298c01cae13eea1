package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ObjectArrays;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.job.ElasticPods;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A scene with elastic jobs, whose pods are compared with the quota after each write: more than 4
 * CPUs never run.
 */
final class ElasticScene {
  static final String ANNOTATION = "kueue.x-k8s.io/elastic-job";
  private static final int QUOTA = 4;

  final Scene scene;
  private final List<String> violations = new ArrayList<>();

  ElasticScene() {
    scene = Scene.create();
    scene.cluster.watch(this::check);
  }

  private void check(ApiWrite write) {
    if (write.key().kind().equals("Pod")) {
      long running = scene.cluster.trees("Pod").stream()
          .filter(pod -> Trees.at(pod, "status", "phase").asText().matches("Pending|Running")
              && Trees.at(pod, "spec", "schedulingGates").isEmpty())
          .count();
      if (running > QUOTA) {
        violations.add(running + " pods run after " + write);
      }
    }
  }

  /** {@return a scene in which the job {@code elastic} runs with so many pods} */
  static ElasticScene running(int parallelism) {
    ElasticScene elastic = new ElasticScene();
    elastic.create("elastic", parallelism);
    elastic.settle();
    return elastic;
  }

  /** {@return a scene in which the job {@code elastic} runs with 2 pods, {@code other} with 1} */
  static ElasticScene contended() {
    ElasticScene elastic = new ElasticScene();
    elastic.create("elastic", 2);
    elastic.create("other", 1);
    elastic.settle();
    return elastic;
  }

  /** {@return the same, in which {@code elastic} is to have 4 pods, for which there is no room} */
  static ElasticScene waitingToGrow() {
    ElasticScene elastic = contended();
    elastic.scale("elastic", 4);
    return elastic;
  }

  /** {@return a change of a Job to an elastic one, whose pods wait for the controller} */
  static Consumer<Job> elastic(int parallelism) {
    return job -> {
      job.getSpec().setParallelism(parallelism);
      job.getMetadata().setAnnotations(new HashMap<>(Map.of(ANNOTATION, "true")));
      job.getSpec()
          .getTemplate()
          .getSpec()
          .setSchedulingGates(List.of(new PodSchedulingGate(ElasticPods.GATE)));
    };
  }

  void create(String name, int parallelism) {
    scene.createJob(name, 1, elastic(parallelism));
  }

  void resize(String name, int parallelism) {
    scene.edit(name, job -> job.getSpec().setParallelism(parallelism));
  }

  /** Changes the number of pods of a job, and settles. */
  void scale(String name, int parallelism) {
    resize(name, parallelism);
    settle();
  }

  /** Ends a job, and settles. */
  void finish(String name) {
    scene.finish(name);
    settle();
  }

  /** Creates the job {@code high}, which preempts others, and settles; it runs then. */
  void preempt(int cpus) {
    scene.createHigh(cpus);
    settle();
    assertThat(scene.runs("high")).isTrue();
  }

  /** Time passes, so that what has failed is tried again, and all goes on until nothing changes. */
  void settle() {
    scene.settle();
    scene.clock.advance(Duration.ofMinutes(2));
    scene.settle();
  }

  /** {@return the messages of the events of a job, in order} */
  List<String> messages(String job) {
    return scene.connection().events().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(job))
        .map(Event::getMessage)
        .toList();
  }

  /** {@return the number of pods of a job that run} */
  long running(String job) {
    return pods(job).stream()
        .filter(pod -> pod.getSpec().getSchedulingGates() == null
            || pod.getSpec().getSchedulingGates().isEmpty())
        .count();
  }

  /** {@return the number of pods of a job, those included that wait} */
  int podCount(String job) {
    return pods(job).size();
  }

  List<Pod> pods(String job) {
    return scene.pods().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(job + "-"))
        .filter(pod -> !JobParts.hasEnded(pod))
        .toList();
  }

  /** The pods that run are those that are counted, and were never too many. */
  void assertCounted(String... jobs) {
    assertThat(violations).isEmpty();
    long running = ImmutableList.copyOf(jobs).stream().mapToLong(this::running).sum();
    assertThat(scene.usedMillis()).isEqualTo(1000 * running);
  }

  /** The job {@code elastic} runs with so many pods, was never stopped, and is counted. */
  void assertScaled(int pods, String... others) {
    assertThat(running("elastic")).isEqualTo(pods);
    assertThat(wasStopped("elastic")).isFalse();
    assertCounted(ObjectArrays.concat("elastic", others));
  }

  /** {@return whether a job was ever suspended after it had been started} */
  boolean wasStopped(String job) {
    return scene.log().stream()
        .anyMatch(write -> write.key().kind().equals("Job")
            && write.key().name().equals(job)
            && write.before("spec", "suspend").isBoolean()
            && !write.before("spec", "suspend").asBoolean()
            && write.after("spec", "suspend").asBoolean());
  }

  /** {@return the Workloads of a job, oldest first} */
  List<JsonNode> workloads(String job) {
    String uid = scene.job(job).getMetadata().getUid();
    return scene.cluster.keys(key -> key.kind().equals("Workload")).stream()
        .flatMap(key -> scene.cluster.get(key, GenericKubernetesResource.class).stream())
        .filter(object -> WorkloadObjects.ownerUids(object).contains(uid))
        .sorted(Comparator.comparingLong(object -> created(object.getMetadata().getUid())))
        .<JsonNode>map(Json::tree)
        .toList();
  }

  private long created(String uid) {
    return scene.log().stream()
        .filter(write -> write.verb() == ApiWrite.Verb.CREATE && write.uid().equals(uid))
        .mapToLong(ApiWrite::revision)
        .findFirst()
        .orElseThrow();
  }
}
