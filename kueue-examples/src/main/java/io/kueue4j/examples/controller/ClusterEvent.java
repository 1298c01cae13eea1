package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Something that the cluster told.
 *
 * @param kind what happened
 * @param object the object as it is since; of one that is gone, as it was last known to be
 */
public record ClusterEvent(Kind kind, HasMetadata object) {
  /** What happened to an object. */
  public enum Kind {
    /** It is there. */
    ADDED,
    /** It is another than before. */
    MODIFIED,
    /** It is there no more. */
    DELETED
  }

  /** {@return that the object is there} */
  public static ClusterEvent added(HasMetadata object) {
    return new ClusterEvent(Kind.ADDED, object);
  }

  /** {@return that the object is another than before} */
  public static ClusterEvent modified(HasMetadata object) {
    return new ClusterEvent(Kind.MODIFIED, object);
  }

  /** {@return that the object is there no more} */
  public static ClusterEvent deleted(HasMetadata object) {
    return new ClusterEvent(Kind.DELETED, object);
  }
}
