package io.kueue4j.examples.controller.write;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.UnaryOperator;

/**
 * The writes of the controller to a cluster. Each call except {@link #record} is one write to the
 * API.
 *
 * <p>An implementation never overwrites a version that the caller has not seen: the
 * {@code metadata.resourceVersion} of the given object must be the current one.
 */
public interface ClusterWrites {
  /**
   * Replaces an object, except for its status.
   *
   * @return the object as stored by the server
   * @throws WriteException if it was not stored, or if the outcome is unknown
   */
  <T extends HasMetadata> T replace(T object);

  /**
   * Changes an object that its own controller writes often, so that the version seen last may be
   * outdated: an implementation may read the object again.
   *
   * @param seen the object as seen last
   * @param change returns the object to store
   * @return the object as stored by the server
   * @throws WriteException if it was not stored, or if the outcome is unknown
   */
  default HasMetadata edit(HasMetadata seen, UnaryOperator<HasMetadata> change) {
    return replace(change.apply(seen));
  }

  /**
   * Replaces only the status of an object.
   *
   * @return the object as stored by the server
   * @throws WriteException if it was not stored, or if the outcome is unknown
   */
  <T extends HasMetadata> T replaceStatus(T object);

  /**
   * Creates an object.
   *
   * @return the object as stored by the server
   * @throws WriteException if it was not created, or if the outcome is unknown; a conflict means
   *     that an object of that name exists
   */
  <T extends HasMetadata> T create(T object);

  /**
   * Deletes this version of an object: a pod, which cannot be stopped in another way, or a
   * Workload.
   *
   * @throws WriteException if it was not deleted, or if the outcome is unknown
   */
  void delete(HasMetadata object);

  /** Records an event, if possible; never throws. */
  void record(Event event);
}
