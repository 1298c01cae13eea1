package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** A {@link Scene} with pods that only the test creates or ends. */
final class PodScene {
  static final String GROUP_NAME = "kueue.x-k8s.io/pod-group-name";
  private static final String KUBELET = "kubelet";

  final Scene scene;

  PodScene(ControllerOptions options) {
    this(new Scene(options));
  }

  PodScene(Scene scene) {
    this.scene = scene;
  }

  static PodScene create() {
    return new PodScene(ControllerOptions.defaults());
  }

  /** Creates a waiting pod, as one of a group of {@code total}, and settles. */
  void createMember(String group, String name, int cpus, int total) {
    createPod(
        name,
        cpus,
        tree -> annotations(tree)
            .put(GROUP_NAME, group)
            .put("kueue.x-k8s.io/pod-group-total-count", Integer.toString(total)));
  }

  /** Creates a waiting pod, and settles. */
  void createPod(String name, int cpus, Consumer<ObjectNode> edit) {
    scene.clock.advance(Duration.ofSeconds(1));
    ObjectNode tree = Trees.parse("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "%s", "namespace": "default",
           "labels": {"kueue.x-k8s.io/queue-name": "queue"}},
         "spec": {"restartPolicy": "Never", "nodeSelector": {"zone": "a"},
           "schedulingGates": [{"name": "kueue.x-k8s.io/admission"}],
           "containers": [{"name": "main", "image": "busybox",
             "resources": {"requests": {"cpu": "%d"}}}]}}
        """.formatted(name, cpus));
    edit.accept(tree);
    scene.cluster.create(StrictCluster.USER, Trees.toObject(tree));
    scene.settle();
  }

  static ObjectNode annotations(ObjectNode tree) {
    return Trees.child(tree, "metadata", "annotations");
  }

  static ObjectNode labels(ObjectNode tree) {
    return Trees.child(tree, "metadata", "labels");
  }

  /** A user creates an object of a kind without a class. */
  void create(String yaml) {
    scene.cluster.create(
        StrictCluster.USER, Serialization.unmarshal(yaml, GenericKubernetesResource.class));
    scene.settle();
  }

  /**
   * A user creates an object of the LocalQueue {@code queue}.
   *
   * @return it, as it is stored
   */
  @CanIgnoreReturnValue
  ObjectNode createServing(String apiVersion, String kind, String name, String spec) {
    create("""
        apiVersion: %s
        kind: %s
        metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec: %s
        """.formatted(apiVersion, kind, name, spec));
    String group = apiVersion.substring(0, apiVersion.indexOf('/'));
    return Objects.requireNonNull(scene.cluster.tree(new ObjectKey(group, kind, "default", name)));
  }

  /** {@return what a controller copies from a template to a pod, its owner, and another change} */
  static Consumer<ObjectNode> madeBy(
      ObjectNode maker, JsonNode template, Consumer<ObjectNode> edit) {
    return pod -> {
      annotations(pod).setAll((ObjectNode) template.at("/metadata/annotations"));
      labels(pod).setAll((ObjectNode) template.at("/metadata/labels"));
      ((ObjectNode) pod.get("spec")).set("schedulingGates", template.at("/spec/schedulingGates"));
      ((ObjectNode) pod.get("metadata"))
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", maker.path("apiVersion").asText())
          .put("kind", maker.path("kind").asText())
          .put("name", maker.at("/metadata/name").asText())
          .put("uid", maker.at("/metadata/uid").asText())
          .put("controller", true);
      edit.accept(pod);
    };
  }

  void edit(String pod, Consumer<ObjectNode> change) {
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, key(pod), change);
    scene.settle();
  }

  /** The node reports where a pod is. */
  void setPhase(String pod, String phase) {
    scene.cluster.edit(
        KUBELET,
        ApiWrite.Verb.REPLACE_STATUS,
        key(pod),
        tree -> Trees.child(tree, "status").put("phase", phase));
    scene.settle();
  }

  /** Keeps a pod that is deleted until {@link #gone}. */
  void keep(String pod) {
    edit(pod, tree -> Trees.child(tree, "metadata").putArray("finalizers").add("test/keep"));
  }

  /** Removes a deleted pod that was kept. */
  void gone(String pod) {
    edit(pod, tree -> Trees.child(tree, "metadata").remove("finalizers"));
  }

  void delete(String pod) {
    scene.cluster.delete(StrictCluster.USER, key(pod));
    scene.settle();
  }

  static ObjectKey key(String pod) {
    return Scene.key("Pod", "default", pod);
  }

  Optional<Pod> find(String name) {
    return scene.cluster.get(key(name), Pod.class);
  }

  Pod pod(String name) {
    return find(name).orElseThrow();
  }

  boolean isGated(String name) {
    return pod(name).getSpec().getSchedulingGates().stream()
        .anyMatch(gate -> gate.getName().equals("kueue.x-k8s.io/admission"));
  }

  /** {@return whether a pod may run, and its admission is recorded} */
  boolean runs(String name) {
    return !isGated(name) && scene.isRecorded(pod(name));
  }

  List<String> names() {
    return scene.pods().stream().map(pod -> pod.getMetadata().getName()).toList();
  }
}
