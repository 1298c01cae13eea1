package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;

/**
 * Finds the object that owns a job.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface JobOwners {
  /**
   * {@return the owner, empty if it is unknown}
   *
   * @param namespace the namespace of the job, and so of its owner
   * @param reference the reference in the job
   */
  Optional<HasMetadata> find(String namespace, OwnerReference reference);

  /** {@return a finder without objects} */
  static JobOwners unknown() {
    return (namespace, reference) -> Optional.empty();
  }
}
