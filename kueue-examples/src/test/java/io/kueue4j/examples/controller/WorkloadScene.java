package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.object.Json;
import java.util.function.Consumer;

/** A scene whose controller records admissions in Workload objects, and what these say. */
final class WorkloadScene {
  final Scene scene = Scene.create();

  GenericKubernetesResource workload(String job) {
    return scene.workload(job).orElseThrow();
  }

  JsonNode tree(String job) {
    return Json.tree(workload(job));
  }

  ObjectKey key(String job) {
    return Scene.key("Workload", "default", workload(job).getMetadata().getName());
  }

  JsonNode condition(String job, String type) {
    return condition(tree(job), type);
  }

  boolean isTrue(String job, String type) {
    return isTrue(tree(job), type);
  }

  /** {@return a condition of a Workload, an empty object if there is none} */
  static JsonNode condition(JsonNode workload, String type) {
    for (JsonNode condition : workload.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return Json.object();
  }

  static boolean isTrue(JsonNode workload, String type) {
    return condition(workload, type).path("status").asText().equals("True");
  }

  /** A user edits an object. */
  void edit(ObjectKey key, ApiWrite.Verb verb, Consumer<ObjectNode> change) {
    scene.cluster.edit(StrictCluster.USER, verb, key, change);
  }

  /** The CPUs of jobs that run are counted, and all of them. */
  void assertRunningIsCounted(String... jobs) {
    long running = ImmutableList.copyOf(jobs).stream()
        .mapToLong(name -> Scene.runningMillis(scene.job(name)))
        .sum();
    assertThat(scene.usedMillis()).isEqualTo(running).isLessThanOrEqualTo(4000);
  }
}
