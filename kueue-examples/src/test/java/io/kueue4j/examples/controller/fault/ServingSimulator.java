package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.List;
import java.util.Objects;

/**
 * What the StatefulSet controller does: makes the pods of each set from its template, and deletes
 * those beyond its replicas. It works on sets with gated templates only, as all are on a cluster
 * with the guard.
 */
final class ServingSimulator {
  /** The actor in the log. */
  static final String ACTOR = "statefulset-controller";

  private final StrictCluster cluster;

  ServingSimulator(StrictCluster cluster) {
    this.cluster = cluster;
  }

  private List<ObjectKey> sets() {
    return cluster.keys(key -> key.kind().equals("StatefulSet"));
  }

  /** Performs the next actions for all sets. */
  void sync() {
    for (ObjectKey key : sets()) {
      ObjectNode set = Objects.requireNonNull(cluster.tree(key));
      if (!set.at("/spec/template/spec/schedulingGates").isEmpty()) {
        sync(key, set, set.at("/spec/replicas").asInt(1));
      }
    }
  }

  private void sync(ObjectKey set, ObjectNode tree, int replicas) {
    for (int index = 0; index < replicas; index++) {
      ObjectKey pod = pod(set, index);
      ObjectNode existing = cluster.tree(pod);
      if (existing == null) {
        cluster.create(ACTOR, Trees.toObject(pod(tree, pod.name())));
      } else if (existing.at("/status/phase").asText().matches("Failed|Succeeded")) {
        cluster.delete(ACTOR, pod);
      }
    }
    cluster
        .keys(key -> key.kind().equals("Pod") && isOwned(key, tree) && ordinal(key) >= replicas)
        .forEach(excess -> cluster.delete(ACTOR, excess));
  }

  private boolean isOwned(ObjectKey pod, ObjectNode set) {
    return Objects.requireNonNull(cluster.tree(pod))
        .at("/metadata/ownerReferences/0/uid")
        .equals(set.at("/metadata/uid"));
  }

  private static int ordinal(ObjectKey pod) {
    return Integer.parseInt(pod.name().substring(pod.name().lastIndexOf('-') + 1));
  }

  private static ObjectKey pod(ObjectKey set, int index) {
    return new ObjectKey("", "Pod", set.namespace(), set.name() + "-" + index);
  }

  private static ObjectNode pod(ObjectNode set, String name) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = set.at("/spec/template/metadata").isMissingNode()
        ? pod.putObject("metadata")
        : pod.set("metadata", set.at("/spec/template/metadata").deepCopy()).withObject("/metadata");
    metadata.put("name", name).put("namespace", set.at("/metadata/namespace").asText());
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "apps/v1")
        .put("kind", "StatefulSet")
        .put("name", set.at("/metadata/name").asText())
        .put("uid", set.at("/metadata/uid").asText())
        .put("controller", true);
    pod.set("spec", set.at("/spec/template/spec").deepCopy());
    return pod;
  }

  /** Deletes all sets; their pods go with the garbage. */
  void end() {
    sets().forEach(key -> cluster.delete(ACTOR, key));
    cluster.collectGarbage();
  }
}
