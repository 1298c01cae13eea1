package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.shard.QueueTrees;
import io.kueue4j.k8s.kueue.KueueReader;
import java.util.Optional;
import java.util.function.Function;

/**
 * The part of a cluster that a controller decides on: quota nodes, and the jobs that lead to them.
 *
 * <p>A job belongs to the ClusterQueue that its record names, since its quota is counted there; a
 * job without record to the ClusterQueue of its LocalQueue; all others to
 * {@link QueueTrees#ORPHANS}. Not thread-safe.
 */
final class WorkScope {
  private final boolean isAll;
  private final QueueTrees trees = new QueueTrees();
  private ImmutableSet<String> nodes = ImmutableSet.of();

  private WorkScope(boolean isAll) {
    this.isAll = isAll;
  }

  /** {@return the whole cluster} */
  static WorkScope all() {
    return new WorkScope(true);
  }

  /** {@return a part that is empty at first} */
  static WorkScope shared() {
    return new WorkScope(false);
  }

  /** {@return the tree of each quota node} */
  ImmutableMap<String, String> trees() {
    return trees.trees();
  }

  /** Changes the quota nodes of this part. */
  void set(ImmutableSet<String> newNodes) {
    nodes = newNodes;
  }

  /**
   * Receives an object, absent if it was deleted.
   *
   * @return whether other objects may belong to this part now, or no longer
   */
  boolean see(ObjectKey key, Optional<HasMetadata> object) {
    if (isAll || !key.apiGroup().equals(KueueReader.GROUP)) {
      return false;
    }
    Optional<JsonNode> spec = object.map(present -> Json.tree(present).path("spec"));
    return switch (key.kind()) {
      case "ClusterQueue" ->
        spec.map(node ->
                trees.putQueue(key.name(), text(node, "cohortName", "cohort"), flavors(node)))
            .orElseGet(() -> trees.removeQueue(key.name()));
      case "Cohort" -> {
        // A cohort moves no job by itself.
        boolean unused = spec.map(
                node -> trees.putCohort(key.name(), text(node, "parentName", "parent")))
            .orElseGet(() -> trees.removeCohort(key.name()));
        yield false;
      }
      case "ResourceFlavor" -> {
        boolean unused = spec.filter(
                node -> !node.path("topologyName").asText("").isEmpty())
            .map(node -> trees.putTopologyFlavor(key.name(), labels(node)))
            .orElseGet(() -> trees.removeTopologyFlavor(key.name()));
        yield false;
      }
      case "LocalQueue" ->
        spec.map(node -> trees.putLocalQueue(
                key.namespace(), key.name(), node.path("clusterQueue").asText("")))
            .orElseGet(() -> trees.removeLocalQueue(key.namespace(), key.name()));
      default -> false;
    };
  }

  private static String text(JsonNode node, String name, String formerName) {
    String value = node.path(name).asText("");
    return value.isEmpty() ? node.path(formerName).asText("") : value;
  }

  private static ImmutableSet<String> flavors(JsonNode spec) {
    ImmutableSet.Builder<String> flavors = ImmutableSet.builder();
    for (JsonNode group : spec.path("resourceGroups")) {
      group.path("flavors").forEach(flavor -> flavors.add(flavor.path("name").asText("")));
    }
    return flavors.build();
  }

  private static ImmutableMap<String, String> labels(JsonNode spec) {
    ImmutableMap.Builder<String, String> labels = ImmutableMap.builder();
    spec.path("nodeLabels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText("")));
    return labels.buildOrThrow();
  }

  /** {@return whether an object of the configuration belongs to this part} */
  boolean hasConfiguration(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    if (isAll || !key.apiGroup().equals(KueueReader.GROUP)) {
      return true;
    }
    return switch (key.kind()) {
      case "ClusterQueue" -> nodes.contains(QueueTrees.ofQueue(key.name()));
      case "Cohort" -> nodes.contains(QueueTrees.ofCohort(key.name()));
      case "LocalQueue" ->
        nodes.contains(
            trees.clusterQueue(key.namespace(), key.name()).map(trees::node).orElse(""));
      default -> true;
    };
  }

  /**
   * {@return whether a job belongs to this part}
   *
   * @param recorded the ClusterQueue whose quota the job holds by its record
   * @param queueName the LocalQueue that it names
   */
  boolean hasJob(
      HasMetadata job,
      Function<HasMetadata, Optional<String>> recorded,
      Function<HasMetadata, Optional<String>> queueName) {
    if (isAll) {
      return true;
    }
    String clusterQueue = recorded
        .apply(job)
        .or(() -> queueName
            .apply(job)
            .flatMap(name -> trees.clusterQueue(job.getMetadata().getNamespace(), name)))
        .orElse("");
    return nodes.contains(trees.node(clusterQueue));
  }
}
