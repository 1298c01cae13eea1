package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What the controller does to a cluster. Each call but {@link #record} is one write of the API.
 *
 * <p>An implementation never writes an object over another version than the one that the caller has
 * seen: the {@code metadata.resourceVersion} of what it is given must be the current one.
 */
public interface ClusterWrites {
  /**
   * Replaces an object, except for its status.
   *
   * @return the object as the server has stored it
   * @throws WriteException if it was not stored, or if nobody knows
   */
  <T extends HasMetadata> T replace(T object);

  /**
   * Replaces the status of an object, and nothing else of it.
   *
   * @return the object as the server has stored it
   * @throws WriteException if it was not stored, or if nobody knows
   */
  <T extends HasMetadata> T replaceStatus(T object);

  /**
   * Deletes an object of this version; only pods, which cannot be stopped in another way.
   *
   * @throws WriteException if it was not deleted, or if nobody knows
   */
  void delete(HasMetadata object);

  /** Records an event, if that is possible; never throws. */
  void record(Event event);
}
