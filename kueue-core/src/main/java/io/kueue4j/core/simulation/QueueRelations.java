package io.kueue4j.core.simulation;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which workloads may use the same quota or nodes, by their queues. */
final class QueueRelations {
  private final Map<String, String> clusterQueues = new HashMap<>();
  private final Map<String, String> owners = new HashMap<>();
  private final boolean shareNodes;

  QueueRelations(EngineView view) {
    view.configuration(LocalQueue.class)
        .forEach(queue -> clusterQueues.put(queue.qualifiedName(), queue.clusterQueue()));
    // A ClusterQueue may have the name of a cohort.
    view.configuration(ClusterQueue.class)
        .forEach(queue -> owners.put(queue.name(), "queue " + queue.name()));
    view.cohorts()
        .forEach(cohort ->
            cohort.clusterQueues().forEach(queue -> owners.put(queue, "cohort " + cohort.root())));
    this.shareNodes =
        !view.configuration(Topology.class).isEmpty() || !view.tpuPoolSets().isEmpty();
  }

  /** {@return whether workloads whose owners of quota differ may still hinder each other} */
  boolean shareNodes() {
    return shareNodes;
  }

  /** {@return whether what one workload uses may hinder the other} */
  boolean areRelated(Workload one, Workload other) {
    return shareNodes || owner(one).equals(owner(other));
  }

  /** {@return the ClusterQueue of a LocalQueue by its qualified name, null if it is unknown} */
  @Nullable
  String clusterQueue(String localQueue) {
    return clusterQueues.get(localQueue);
  }

  /** {@return the cohort that a workload shares quota with, or its ClusterQueue} */
  String owner(Workload workload) {
    return owner(clusterQueues.getOrDefault(Trace.localQueue(workload), ""));
  }

  /** {@return the cohort that a ClusterQueue shares quota with, or itself} */
  String owner(String queue) {
    return owners.getOrDefault(queue, queue);
  }
}
