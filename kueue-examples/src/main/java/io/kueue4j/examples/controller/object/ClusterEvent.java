package io.kueue4j.examples.controller.object;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A change of an object in the cluster.
 *
 * @param kind the kind of change
 * @param object the object after the change; for a deleted object, its last known version
 */
public record ClusterEvent(Kind kind, HasMetadata object) {
  /** The kind of a change. */
  public enum Kind {
    /** The object was created. */
    ADDED,
    /** The object was changed. */
    MODIFIED,
    /** The object was deleted. */
    DELETED
  }

  /** {@return an event for a created object} */
  public static ClusterEvent added(HasMetadata object) {
    return new ClusterEvent(Kind.ADDED, object);
  }

  /** {@return an event for a changed object} */
  public static ClusterEvent modified(HasMetadata object) {
    return new ClusterEvent(Kind.MODIFIED, object);
  }

  /** {@return an event for a deleted object} */
  public static ClusterEvent deleted(HasMetadata object) {
    return new ClusterEvent(Kind.DELETED, object);
  }
}
