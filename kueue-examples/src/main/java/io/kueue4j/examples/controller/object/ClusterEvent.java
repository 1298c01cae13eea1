package io.kueue4j.examples.controller.object;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A change of an object in the cluster.
 *
 * @param object the object after the change; for a deleted object, its last known version
 * @param isDeleted whether it was deleted; otherwise it was created or changed
 */
public record ClusterEvent(HasMetadata object, boolean isDeleted) {
  /** {@return an event for a created or changed object} */
  public static ClusterEvent changed(HasMetadata object) {
    return new ClusterEvent(object, false);
  }

  /** {@return an event for a deleted object} */
  public static ClusterEvent deleted(HasMetadata object) {
    return new ClusterEvent(object, true);
  }
}
