package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;

/** Finds the object that owns a job. */
@FunctionalInterface
public interface JobOwners {
  /**
   * {@return the owner, absent if it is not known}
   *
   * @param namespace the namespace of the job, and so of its owner
   * @param reference the reference in the job
   */
  Optional<HasMetadata> find(String namespace, OwnerReference reference);

  /** {@return the finder that knows no object} */
  static JobOwners unknown() {
    return (namespace, reference) -> Optional.empty();
  }
}
