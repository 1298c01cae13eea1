package io.kueue4j.k8s.status;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a queue is active, and why not.
 *
 * <p>Kueue: condition {@code Active} of ClusterQueues and LocalQueues. Rules: M-12, U-22, J-24.
 */
record ActiveCondition(boolean isActive, String reason, String message) {
  static final String TYPE = "Active";
  private static final String READY = "Ready";

  /**
   * {@return the condition of a ClusterQueue} The reason is the first that applies; the message
   * lists all.
   */
  static ActiveCondition ofClusterQueue(GenericKubernetesResource object, ClusterQueueView view) {
    if (ObjectStatus.metadata(object).getDeletionTimestamp() != null) {
      return new ActiveCondition(
          false, "Terminating", "Can't admit new workloads: the ClusterQueue is being deleted.");
    }
    return view.inactivities().stream()
        .findFirst()
        .map(first -> new ActiveCondition(
            false,
            first.reason(),
            view.inactivities().stream()
                .map(Inactivity::message)
                .collect(Collectors.joining(", ", "Can't admit new workloads: ", "."))))
        .orElseGet(() -> new ActiveCondition(true, READY, "Can admit new workloads"));
  }

  static ActiveCondition ofLocalQueue(LocalQueue queue, Optional<ClusterQueueView> clusterQueue) {
    if (queue.stopPolicy() != StopPolicy.NONE) {
      return new ActiveCondition(false, "Stopped", "LocalQueue is stopped");
    }
    if (clusterQueue.isEmpty()) {
      return new ActiveCondition(
          false,
          "ClusterQueueDoesNotExist",
          "Can't submit new workloads: there is no ClusterQueue " + queue.clusterQueue());
    }
    return clusterQueue.get().isActive()
        ? new ActiveCondition(true, READY, "Can submit new workloads to localQueue")
        : new ActiveCondition(
            false,
            "ClusterQueueIsInactive",
            "Can't submit new workloads: ClusterQueue " + queue.clusterQueue() + " is not active");
  }
}
